# SPDX-License-Identifier: Apache-2.0
"""Boosts as leases: their holders, and the brightness of the display during them."""

from datetime import datetime

import pytest

from support.events import Stream
from support.until import until

BOOSTS = "/v1/displays/simulated/boost"
LEASES = "/v1/displays/simulated/leases"


def seconds(lease):
    """Returns the duration of a lease."""
    return (datetime.fromisoformat(lease["until"]) - datetime.fromisoformat(lease["grantedAt"])).total_seconds()


def test_an_empty_request_boosts_with_the_defaults(client):
    answer = client.post("/v1/boost")
    lease = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{LEASES}/{lease['id']}"
    assert list(lease) == [
        "id", "kind", "display", "holder", "by", "principal", "brightness", "lifespan", "reason", "grantedAt", "until",
        "overridden", "limitedBy",
    ]  # fmt: skip
    assert (lease["display"], lease["holder"], lease["by"], lease["reason"]) == ("simulated", None, None, None)
    assert lease["principal"] == "anonymous"
    assert (lease["brightness"], lease["lifespan"], seconds(lease)) == (1, "custom", 300)

    state = client.state
    assert (state["brightness"], state["baseline"], state["percent"]) == (1, 0.5, 100)
    assert state["raw"]["value"] == state["raw"]["maximum"]
    assert state["boost"] == {"brightness": 1, "leases": 1, "until": lease["until"], "overridden": False}
    assert state["cause"]["kind"] == "boost"

    state = client.post("/v1/restore").json()
    assert (state["brightness"], state["baseline"], state["boost"]) == (0.5, 0.5, None)
    assert state["cause"]["kind"] == "restore"


def test_a_lease_has_every_member_of_its_request(client):
    request = {
        "brightness": 0.8,
        "ttl": 60.5,
        "lifespan": "custom",
        "holder": "kiosk-3",
        "reason": "qr",
        "transition": 0,
    }
    answer = client.post(BOOSTS, json=request)
    lease = answer.json()
    assert answer.status_code == 201
    assert (lease["brightness"], lease["holder"], lease["reason"]) == (0.8, "kiosk-3", "qr")
    assert seconds(lease) == 60.5
    assert client.get(answer.headers["location"]).json() == lease
    del lease["limitedBy"]
    assert client.get(BOOSTS).json() == {"leases": [lease]}
    cause = client.state["cause"]
    assert (cause["kind"], cause["by"], cause["reason"]) == ("boost", "kiosk-3", "qr")


@pytest.mark.parametrize("holder", [{}, {"holder": "kiosk-3"}])
def test_a_second_boost_of_a_holder_renews_its_lease(client, holder):
    first = client.post(BOOSTS, json=holder | {"ttl": 60})
    second = client.post(BOOSTS, json=holder | {"ttl": 600, "brightness": 0.9})
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    assert second.json()["until"] > first.json()["until"]
    assert second.json()["brightness"] == client.state["brightness"] == 0.9
    assert client.state["boost"]["leases"] == 1


def test_a_restore_ends_only_its_holders_lease(client):
    ours, theirs = client.boost(holder="a"), client.boost(holder="b")
    anonymous = client.boost()
    assert len({ours["id"], theirs["id"], anonymous["id"]}) == 3
    assert [lease["holder"] for lease in client.get(BOOSTS).json()["leases"]] == ["a", "b", None]

    assert client.post("/v1/restore", json={"holder": "a"}).json()["boost"]["leases"] == 2
    assert client.post("/v1/restore", json={"holder": "a"}).json()["boost"]["leases"] == 2
    assert client.post("/v1/restore").json()["boost"]["leases"] == 1
    assert client.post("/v1/restore", json={"holder": "nobody"}).json()["boost"]["leases"] == 1
    state = client.post("/v1/restore", json={"holder": "b"}).json()
    assert (state["boost"], state["brightness"]) == (None, 0.5)


def test_restore_with_all_ends_every_lease(client):
    for holder in ("a", "b", "c"):
        client.boost(holder=holder)
    state = client.post("/v1/restore", json={"all": True}).json()
    assert (state["boost"], state["brightness"]) == (None, 0.5)
    assert client.get(BOOSTS).json() == {"leases": []}


@pytest.mark.parametrize(("by", "reason"), [("operator", "noon"), ("operator", None), (None, None)])
def test_a_restore_of_all_has_its_own_reason(client, by, reason):
    client.boost(holder="kiosk-3", reason="qr")
    cause = client.post("/v1/restore", json={"all": True, "holder": by, "reason": reason}).json()["cause"]
    assert (cause["kind"], cause["by"], cause["reason"]) == ("restore", by, reason)


def test_the_brightest_lease_counts(client):
    client.boost(holder="low", brightness=0.6)
    client.boost(holder="high", brightness=0.9)
    assert client.state["brightness"] == 0.9
    assert client.post("/v1/restore", json={"holder": "high"}).json()["brightness"] == 0.6


def test_a_boost_never_dims(client):
    client.boost(brightness=0.2)
    state = client.state
    assert (state["brightness"], state["boost"]["brightness"]) == (0.5, 0.2)


def test_the_last_restore_shows_the_current_baseline(client):
    client.boost(brightness=0.8)
    during = client.set(0.3)
    assert (during["brightness"], during["baseline"]) == (0.8, 0.3)
    assert client.patch("/v1/brightness", json={"delta": 0.1}).json()["baseline"] == pytest.approx(0.4)
    above = client.set(0.9)
    assert (above["brightness"], above["boost"]["leases"]) == (0.9, 1)
    client.set(0.3)
    assert client.post("/v1/restore").json()["brightness"] == 0.3


def test_patch_renews_a_lease(client):
    lease = client.boost(ttl=60)
    renewed = client.patch(f"{LEASES}/{lease['id']}", json={"ttl": 600})
    assert renewed.status_code == 200
    assert renewed.json()["until"] > lease["until"]
    assert renewed.json() | {"until": lease["until"]} == lease
    assert client.state["boost"]["until"] == renewed.json()["until"]


def test_a_released_lease_is_410(client):
    lease = client.boost(holder="kiosk-3")
    path = f"{LEASES}/{lease['id']}"
    state = client.delete(path)
    assert (state.status_code, state.json()["boost"], state.json()["brightness"]) == (200, None, 0.5)
    assert client.get(path).status_code == 410
    assert client.patch(path, json={"ttl": 60}).status_code == 410
    assert client.delete(path).status_code == 410
    assert client.boost(holder="kiosk-3")["id"] != lease["id"]


@pytest.mark.parametrize("lease", ["0" * 32, "x", "%20"])
def test_an_unknown_lease_is_404(client, lease):
    path = f"{LEASES}/{lease}"
    assert client.get(path).status_code == 404
    assert client.patch(path, json={"ttl": 60}).status_code == 404
    assert client.delete(path).status_code == 404


def test_a_lease_expires_after_its_ttl(daemon, client):
    with Stream(daemon.port) as stream:
        stream.next("state")
        keeps = client.boost(holder="keeps", brightness=0.7)
        ends = client.boost(holder="ends", brightness=0.9, ttl=0.2)
        expired = stream.next("boost", lambda event: event.data["change"] == "expired")
        assert expired.data["lease"]["id"] == ends["id"]
        state = stream.next("state").data
    assert (state["brightness"], state["cause"]["kind"], state["boost"]["leases"]) == (0.7, "expired", 1)
    assert client.get(f"{LEASES}/{ends['id']}").status_code == 410
    assert client.get(f"{LEASES}/{keeps['id']}").status_code == 200


def test_a_renewed_lease_outlives_its_first_ttl(daemon, client):
    with Stream(daemon.port, "/v1/events?types=boost") as stream:

        def renewed():
            """A lease that was renewed before its end."""
            lease = client.boost(holder="kept", ttl=0.3)
            return client.patch(f"{LEASES}/{lease['id']}", json={"ttl": 60}).status_code == 200 and lease

        lease = until(renewed, "it is renewed in time")
        # Ends later than the first ttl.
        witness = client.boost(holder="witness", ttl=0.5)
        ids = (lease["id"], witness["id"])
        ended = stream.next("boost", lambda event: event.data["change"] == "expired" and event.data["lease"]["id"] in ids)
        assert ended.data["lease"]["id"] == witness["id"]
    assert [held["id"] for held in client.get(BOOSTS).json()["leases"]] == [lease["id"]]
