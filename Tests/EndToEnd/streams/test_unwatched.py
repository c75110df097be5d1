# SPDX-License-Identifier: Apache-2.0
"""What happens while nobody looks costs nothing, and whoever looks then sees what is so now."""

from concurrent.futures import ThreadPoolExecutor

from support.events import Stream


def boosts(daemon, client, baseline):
    """The leases that a new stream begins with."""
    held = []
    with Stream(daemon.port, "/v1/events?types=brightness,boost") as stream:
        stream.next("brightness")
        client.set(baseline)
        while (event := stream.next()).name == "boost":
            held.append(event.data["lease"]["holder"])
    return held


def test_leases_that_ended_meanwhile_are_not_told(daemon, client):
    client.boost(holder="before")
    assert boosts(daemon, client, 0.2) == ["before"]
    client.post("/v1/restore", json={"holder": "before"})
    client.boost(holder="short")
    client.post("/v1/restore", json={"holder": "short"})
    client.boost(holder="after")
    assert boosts(daemon, client, 0.3) == ["after"]


def test_a_long_poll_alone_is_told(daemon, client):
    etag = client.etag
    with Stream(daemon.port) as stream:
        stream.next("brightness")
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(client.get, "/v1/displays/simulated?wait=20", headers={"If-None-Match": etag})
        while not answer.done():
            client.patch("/v1/brightness", json={"delta": 0.01})
        assert answer.result().status_code == 200
