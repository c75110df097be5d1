# SPDX-License-Identifier: Apache-2.0
"""The end of a boost: by its holder's last stream, by the end of the daemon, or by its time limit."""

import pytest

from support.events import Stream

VISIBLE = {"holder": "kiosk-3", "lifespan": "visible", "reason": "qr"}


def boost_changes(stream, last):
    """Returns the changes of leases up to the last one given."""
    changes = []
    while last not in changes:
        changes.append(stream.next("boost").data["change"])
    return changes


def test_a_visible_boost_ends_after_its_holders_stream(daemon, client):
    with Stream(daemon.port, "/v1/events?types=boost") as observer:
        with Stream(daemon.port, "/v1/events?holder=kiosk-3") as stream:
            stream.next("state")
            lease = client.post("/v1/boost", json=VISIBLE).json()
            assert (lease["lifespan"], lease["until"]) == ("visible", None)
            assert client.state["boost"] == {"brightness": 1, "leases": 1, "until": None, "overridden": False}
            granted = observer.next("boost").data
            assert granted["change"] == "granted" and "ending" not in granted["lease"]
        ending = observer.next("boost", lambda event: "ending" in event.data["lease"]).data
        assert ending["change"] == "renewed" and ending["lease"]["ending"] > lease["grantedAt"]
        assert observer.next("boost").data["change"] == "disconnected"
    state = client.state
    assert (state["brightness"], state["boost"]) == (0.5, None)
    assert (state["cause"]["kind"], state["cause"]["by"], state["cause"]["reason"]) == ("disconnected", "kiosk-3", "qr")
    assert client.get(f"/v1/displays/simulated/leases/{lease['id']}").status_code == 410


def test_a_reconnect_within_the_grace_keeps_a_visible_boost(daemon, client):
    with Stream(daemon.port, "/v1/events?holder=kiosk-3") as stream:
        stream.next("state")
        client.post("/v1/boost", json=VISIBLE)
    with Stream(daemon.port, "/v1/events?holder=kiosk-3") as stream:
        stream.next("state")
        # Longer than the grace: a lease that was not kept would have ended by the end of this one.
        client.post("/v1/boost", json={"holder": "clock", "brightness": 0.6, "ttl": 12})
        with Stream(daemon.port, "/v1/events?types=boost") as observer:
            assert boost_changes(observer, "expired")[-1] == "expired"
        assert client.state["boost"]["leases"] == 1
        client.post("/v1/restore", json={"holder": "kiosk-3"})


def test_a_stream_keeps_the_boosts_of_all_holders_it_names(daemon, client):
    with Stream(daemon.port, "/v1/events?holder=left&holder=right&types=boost") as stream:
        for holder in ("left", "right", "nobody"):
            client.post("/v1/boost", json={"holder": holder, "lifespan": "visible"})
        ended = stream.next("boost", lambda event: event.data["change"] == "disconnected")
        assert ended.data["lease"]["holder"] == "nobody"
        held = client.get("/v1/displays/simulated/boost").json()["leases"]
        assert sorted(lease["holder"] for lease in held) == ["left", "right"]


def test_a_lifetime_boost_has_no_time_limit_unless_it_is_given_one(client):
    lease = client.post("/v1/boost", json={"holder": "wall", "lifespan": "lifetime"}).json()
    assert (lease["lifespan"], lease["until"]) == ("lifetime", None)
    lease = client.post("/v1/boost", json={"holder": "wall", "lifespan": "lifetime", "ttl": 60}).json()
    assert lease["until"] is not None
    assert client.post("/v1/restore", json={"holder": "wall"}).json()["boost"] is None


@pytest.mark.parametrize("holder", ["", "x" * 129, "a%0ab", "left&holder="])
def test_an_invalid_holder_is_rejected(client, holder):
    assert client.get(f"/v1/events?holder={holder}").status_code == 400


def test_a_stream_has_at_most_128_holders(client, daemon):
    """As many as its principal may have leases on one display."""
    query = "&".join(f"holder=h{number}" for number in range(128))
    with Stream(daemon.port, f"/v1/events?{query}") as stream:
        stream.next("state")
        lease = client.post("/v1/boost", json={"holder": "h127", "lifespan": "visible"}).json()
        assert "ending" not in lease
    answer = client.get(f"/v1/events?{query}&holder=h128")
    assert (answer.status_code, "128" in answer.json()["detail"]) == (400, True)
