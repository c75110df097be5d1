# SPDX-License-Identifier: Apache-2.0
"""Leases of every kind: boost, dim, wake and sleep share one collection and one set of rules."""

import pytest

from support.events import Stream

LEASES = "/v1/displays/simulated/leases"
KINDS = ["boost", "dim", "wake", "sleep"]


def bare(lease):
    """The lease as in lists and events."""
    return {name: value for name, value in lease.items() if name != "limitedBy"}


@pytest.mark.parametrize(
    ("kind", "brightness", "shown", "on"),
    [("boost", 1, 1, True), ("dim", 0.2, 0.2, True), ("wake", None, 0.5, True), ("sleep", None, 0.5, False)],
)
def test_an_empty_request_to_a_shortcut_has_the_defaults_of_its_kind(client, kind, brightness, shown, on):
    answer = client.post(f"/v1/{kind}")
    lease = answer.json()
    assert answer.status_code == 201
    assert (lease["kind"], lease.get("brightness"), lease["lifespan"]) == (kind, brightness, "custom")
    assert client.get(answer.headers["location"]).json() == lease
    state = client.state
    assert (state["brightness"], state["power"]["on"], state["available"]) == (shown, on, True)
    assert {name for name in KINDS if state[name]} == {kind}
    assert state["cause"]["kind"] == kind
    again = client.post(LEASES, json={"kind": kind})
    assert (again.status_code, again.json()["id"]) == (200, lease["id"])
    state = client.post("/v1/restore", json={"kind": kind}).json()
    assert (state[kind], state["brightness"], state["power"]["on"]) == (None, 0.5, True)


def test_a_kind_selects_leases(client):
    leases = [client.post(LEASES, json={"kind": kind, "holder": "a"}).json() for kind in KINDS]
    assert client.get(LEASES).json() == {"leases": [bare(lease) for lease in leases]}
    for kind, lease in zip(KINDS, leases, strict=True):
        for path in (f"{LEASES}?kind={kind}", f"/v1/displays/simulated/{kind}", f"/v1/displays/all/leases?kind={kind}", f"/v1/leases?kind={kind}"):
            assert client.get(path).json() == {"leases": [bare(lease)]}
    for lease in leases:
        assert client.delete(f"{LEASES}/{lease['id']}").status_code == 200
        assert client.delete(f"{LEASES}/{lease['id']}").status_code == 410


def test_a_dim_wins_over_a_boost_and_is_named_as_its_limit(client):
    client.post("/v1/dim", json={"brightness": 0.3})
    assert client.boost(holder="qr")["limitedBy"] == ["dim"]
    state = client.set(0.8)
    assert (state["brightness"], state["baseline"], state["limitedBy"]) == (0.3, 0.8, ["dim"])
    state = client.patch("/v1/brightness", json={"delta": -0.1}).json()
    assert (state["baseline"], state["limitedBy"]) == (pytest.approx(0.7), ["dim"])
    state = client.post("/v1/restore", json={"kind": "dim"}).json()
    assert (state["brightness"], state["limitedBy"]) == (1, [])


def test_a_wake_wins_over_a_sleep(client):
    client.post("/v1/sleep", json={"holder": "shop"})
    assert client.boost()["limitedBy"] == ["sleep"]
    client.post("/v1/wake", json={"holder": "door"})
    assert client.state["power"] == {"on": True, "baseline": True, "switchable": True}
    assert client.post("/v1/sleep", json={"holder": "shop"}).json()["limitedBy"] == ["wake"]
    client.post("/v1/restore", json={"holder": "door"})
    assert client.state["power"]["on"] is False
    client.post("/v1/restore", json={"holder": "shop"})
    assert client.state["power"]["on"] is True


def test_restore_releases_the_anonymous_boost_a_holder_or_a_kind(client):
    for holder in (None, "a", "b"):
        for kind in ("boost", "dim"):
            client.post(LEASES, json={"kind": kind, "holder": holder})

    def held():
        return [(lease["kind"], lease["holder"]) for lease in client.get(LEASES).json()["leases"]]

    client.post("/v1/restore")
    assert ("boost", None) not in held() and len(held()) == 5
    client.post("/v1/restore", json={"holder": "a"})
    assert held() == [("dim", None), ("boost", "b"), ("dim", "b")]
    client.post("/v1/restore", json={"holder": "b", "kind": "dim"})
    assert held() == [("dim", None), ("boost", "b")]
    client.post("/v1/restore", json={"all": True, "kind": "boost"})
    assert held() == [("dim", None)]
    client.post("/v1/restore", json={"all": True})
    assert held() == []


def test_power_is_a_baseline_and_overrides_the_leases_in_force(client):
    state = client.put("/v1/power", json={"on": False}).json()
    assert (state["power"]["on"], state["power"]["baseline"], state["limitedBy"]) == (False, False, ["power"])
    assert client.get("/readyz").status_code == 200
    client.post("/v1/wake", json={"holder": "door"})
    state = client.put("/v1/displays/simulated/power", json={"on": False, "holder": "guard", "reason": "night"}).json()
    assert (state["power"]["on"], state["wake"]["overridden"]) == (False, True)
    assert (state["cause"]["kind"], state["cause"]["by"], state["cause"]["reason"]) == ("api", "guard", "night")
    assert [lease["overridden"] for lease in client.get(LEASES).json()["leases"]] == [True]
    client.post("/v1/wake", json={"holder": "other"})
    assert client.state["power"]["on"] is True
    assert client.put("/v1/power", json={"on": True}).json()["power"]["baseline"] is True


def test_a_display_that_is_off_gets_its_brightness_when_it_is_on(client):
    client.put("/v1/power", json={"on": False})
    assert client.set(0.9)["brightness"] == 0.9
    assert client.get("/v1/simulator").json()["displays"][0]["slider"] == 0.5
    client.put("/v1/power", json={"on": True})
    assert client.get("/v1/simulator").json()["displays"][0]["slider"] == 0.9


def test_a_patch_changes_what_it_names(daemon, client):
    lease = client.boost(holder="page", brightness=0.8, reason="qr", ttl=60)
    path = f"{LEASES}/{lease['id']}"
    with Stream(daemon.port, "/v1/events?types=boost") as stream:
        for body, changed in [
            ({"brightness": 0.9}, {"brightness": 0.9}),
            ({"percent": 70, "transition": 0}, {"brightness": 0.7}),
            ({"raw": 750}, {"brightness": 0.75}),
            ({"reason": "code", "lifespan": None}, {"reason": "code"}),
            ({"lifespan": "lifetime"}, {"lifespan": "lifetime", "until": None}),
        ]:
            answer = client.patch(path, json=body)
            assert answer.status_code == 200, answer.text
            assert answer.json() == lease | changed
            lease = answer.json()
            event = stream.next("boost", lambda event: event.data["change"] == "renewed").data
            assert event["lease"] == client.get(LEASES).json()["leases"][0] == bare(lease)
            assert client.state["brightness"] == lease["brightness"]
    assert (client.state["cause"]["by"], client.state["boost"]["until"]) == ("page", None)
    assert client.patch(path, json={"lifespan": "custom"}).json()["until"] is not None


def test_a_lease_that_becomes_visible_ends_with_its_holders_stream(daemon, client):
    lease = client.boost(holder="page", ttl=60)
    with Stream(daemon.port, "/v1/events?holder=page&types=boost") as stream:
        assert client.patch(f"{LEASES}/{lease['id']}", json={"lifespan": "visible"}).json()["until"] is None
        assert "ending" not in client.get(LEASES).json()["leases"][0]
        stream.next("boost")
    with Stream(daemon.port, "/v1/events?types=boost") as stream:
        ending = stream.next("boost", lambda event: event.data["lease"].get("ending")).data
        assert ending["lease"]["id"] == lease["id"]


def test_each_kind_is_an_event_of_its_name(daemon, client):
    with Stream(daemon.port, "/v1/events?types=dim,sleep") as stream:
        client.boost(holder="a")
        client.post("/v1/dim", json={"holder": "a"})
        client.post("/v1/sleep", json={"holder": "a"})
        assert stream.next("dim").data["change"] == "granted"
        assert stream.next("sleep").data["lease"]["kind"] == "sleep"
        client.put("/v1/power", json={"on": True})
        overridden = stream.next("sleep").data
        assert (overridden["change"], overridden["lease"]["overridden"]) == ("renewed", True)
        client.post("/v1/restore", json={"holder": "a"})
        assert {stream.next("dim").data["change"], stream.next("sleep").data["change"]} == {"released"}


def test_the_history_has_a_band_of_each_kind(client):
    for kind in KINDS:
        client.post(LEASES, json={"kind": kind, "holder": f"history of {kind}"})
    client.post("/v1/restore", json={"all": True})
    history = client.get("/v1/history").json()
    bands = {band["kind"]: band for band in history["leases"] if band["holder"] == f"history of {band['kind']}"}
    assert sorted(bands) == sorted(KINDS)
    assert (bands["dim"]["brightness"], "brightness" in bands["sleep"]) == (0.2, False)
    assert {band["end"] for band in bands.values()} == {"released"}
