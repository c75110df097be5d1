# SPDX-License-Identifier: Apache-2.0
"""Events and calls over the WebSocket: the meaning of the REST routes."""

import pytest

from support.events import Stream
from support.remote import Remote

EVERY = {"group": None, "tag": None}
"""The filters of `subscribe` that these tests leave out."""


@pytest.fixture
def remote(daemon, client):
    """A WebSocket that has received the current value."""
    with Remote(daemon) as remote:
        assert remote.event("state") == client.state
        yield remote


def test_a_websocket_begins_with_the_state_that_get_returns(daemon, client):
    client.boost(holder="kiosk-3")
    with Remote(daemon) as remote:
        boost = remote.event()
        assert (boost["change"], boost["lease"]["holder"]) == ("granted", "kiosk-3")
        assert remote.event() == client.state


def test_a_change_is_a_notification(remote, client):
    for percent in (42, 7, 100):
        state = client.put("/v1/brightness", json={"percent": percent}).json()
        assert remote.event("state") == state


def test_a_websocket_has_the_events_of_the_event_stream(daemon, client, remote):
    with Stream(daemon.port) as stream:
        stream.next("state")
        changes = [lambda: client.boost(holder="kiosk-3"), lambda: client.post("/v1/restore", json={"all": True})]
        for change in changes:
            change()
            # The lease and the state. Both are read before the next change, which a slow client would get in their place.
            for _ in range(2):
                event = stream.next()
                assert remote.event() == event.data


def test_the_query_selects_events(daemon, client):
    with Remote(daemon, "/v1/ws?types=boost") as boosts, Remote(daemon, "/v1/ws?display=simulated") as both:
        client.set(0.3)
        client.boost(holder="kiosk-3")
        assert boosts.event()["change"] == "granted"
        both.event("boost")


def test_a_state_that_the_client_has_is_not_repeated(daemon, client):
    listed = client.get("/v1/displays").json()
    with Remote(daemon, f"/v1/ws?last_event_id={listed['epoch']}-{listed['revision']}") as remote:
        state = client.set(0.31)
        assert remote.event("state") == state


def test_subscribe_replaces_the_filters(remote, client):
    assert remote.call("subscribe", types="boost") == {"types": ["boost"], "display": None} | EVERY
    client.set(0.31)
    client.boost(holder="kiosk-3")
    assert remote.event()["change"] == "granted"
    answer = remote.call("subscribe", types=["state"], display="simulated")
    assert answer == {"types": ["state"], "display": ["simulated"]} | EVERY
    assert remote.event() == client.state
    assert remote.call("subscribe") == {"types": None, "display": None} | EVERY
    assert remote.event()["change"] == "granted"
    assert remote.event() == client.state


@pytest.mark.parametrize(
    ("params", "code", "status"),
    [
        ({"types": "brightnes"}, -32602, 422), ({"types": 1}, -32602, 422), ({"types": ["boost", None]}, -32602, 422),
        ({"display": "none"}, -32000, 404), ({"holder": "me"}, -32602, 422), ({"last_event_id": 1}, -32602, 422),
    ],
)  # fmt: skip
def test_an_invalid_subscription_is_rejected(remote, client, params, code, status):
    refused, problem = remote.refusal("subscribe", **params)
    assert (refused, problem["status"]) == (code, status)
    state = client.set(0.9)
    assert remote.event() == state


def test_get_returns_the_state(remote, client):
    assert remote.call("get") == remote.call("get", display="simulated") == client.state
    assert remote.call("get", display="all") == client.get("/v1/displays").json()


@pytest.mark.parametrize(
    ("params", "percent"), [({"brightness": 0.3}, 30), ({"percent": 31}, 31), ({"raw": 320, "reason": "dusk"}, 32)]
)
def test_set_changes_the_baseline(remote, client, params, percent):
    state = remote.call("set", **params)
    assert state == client.state
    assert (state["percent"], state["cause"]["reason"]) == (percent, params.get("reason"))


def test_step_moves_the_baseline(remote, client):
    assert remote.call("move", delta=-0.1)["percent"] == 40
    assert client.state["percent"] == 40


def test_auto_without_a_sensor_is_a_problem(remote, client, start, backlight):
    assert remote.call("auto", enabled=False) == client.state
    with Remote(start(*backlight.options)) as real:
        code, problem = real.refusal("auto", enabled=True)
    assert (code, problem["status"], problem["type"]) == (-32000, 409, "/problems/no-light-sensor")


def test_settings_name_one_display(remote, client):
    state = remote.call("settings", display="simulated", name="Left")
    assert (state["name"], state) == ("Left", client.state)
    assert remote.refusal("settings", display="all", name="Left")[1]["status"] == 404
    assert remote.call("settings", name=None)["name"] == "Simulated display"


def test_a_preset_is_for_every_display_unless_the_call_names_some(remote, client):
    client.put("/v1/presets/film", json={"displays": {"all": {"brightness": 0.3}}})
    (result,) = remote.call("preset", name="film")["results"]
    assert (result["display"], result["state"]) == ("simulated", client.state)
    assert client.state["baseline"] == 0.3
    assert remote.call("preset", name="film", display="simulated") == client.state
    state = remote.call("preset", display="simulated", brightness=0.7, on=True, ttl=60, holder="film")
    assert (state["brightness"], state["baseline"]) == (0.7, 0.3)
    remote.call("restore", holder="film")
    assert remote.refusal("preset")[1]["errors"][0]["pointer"] == "/name"
    assert remote.refusal("preset", name="film", on=False)[1]["errors"][0]["pointer"] == "/name"
    assert remote.refusal("preset", name="flim")[1]["status"] == 404
    assert client.state["brightness"] == 0.3
    client.delete("/v1/presets/film")


def test_a_held_preset_leaves_the_boost_of_its_socket_in_force(remote, client):
    boost = remote.call("boost")
    remote.call("preset", display="simulated", brightness=0.2, ttl=60)
    leases = client.get("/v1/displays/simulated/leases").json()["leases"]
    assert [(lease["kind"], lease["holder"]) for lease in leases] == [
        ("boost", boost["holder"]), ("boost", "preset"), ("dim", "preset"),
    ]  # fmt: skip
    assert remote.call("restore", holder="preset")["brightness"] == 1
    assert remote.call("restore")["brightness"] == 0.5


def test_boost_renew_and_release(remote, client):
    lease = remote.call("boost", brightness=0.9, reason="qr")
    assert (lease["lifespan"], lease["until"], lease["reason"]) == ("visible", None, "qr")
    assert client.state["brightness"] == 0.9
    assert remote.call("boost")["id"] == lease["id"]
    renewed = remote.call("renew", lease=lease["id"], ttl=60)
    assert (renewed["id"], renewed["until"] is None) == (lease["id"], False)
    renewed = remote.call("renew", lease=lease["id"], percent=70, lifespan="visible", reason="code")
    assert renewed == lease | {"brightness": 0.7, "reason": "code"}
    assert client.state["brightness"] == 0.7
    code, problem = remote.refusal("renew", lease=lease["id"], ttl=60, kind="dim")
    assert (code, problem["errors"][0]["pointer"]) == (-32602, "/kind")
    assert remote.call("release", lease=lease["id"])["boost"] is None
    code, problem = remote.refusal("release", lease=lease["id"])
    assert (code, problem["status"]) == (-32000, 410)
    assert remote.refusal("renew", lease="0" * 32, ttl=60)[1]["status"] == 404


def test_restore_ends_only_the_callers_boost(remote, client):
    client.boost(holder="kiosk-3")
    remote.call("boost")
    assert client.state["boost"]["leases"] == 2
    assert remote.call("restore")["boost"]["leases"] == 1
    assert remote.call("restore", holder="kiosk-3")["boost"] is None
    client.boost()
    assert remote.call("restore", all=True)["boost"] is None


def test_all_stands_for_every_display(start, connect):
    daemon = start("--display", "simulated:left", "--display", "simulated:right")
    client = connect(daemon)
    with Remote(daemon) as remote:
        results = remote.call("set", display="all", percent=20)["results"]
        assert [(result["display"], result["status"], result["state"]["percent"]) for result in results] == [
            ("left", 200, 20),
            ("right", 200, 20),
        ]
        assert [result["status"] for result in remote.call("boost", display="all")["results"]] == [201, 201]
        remote.call("restore", display="all")
        assert remote.call("move", display="right", delta=0.1)["id"] == "right"
        assert client.get("/v1/displays/left").json()["percent"] == 20
        for method, params in [("renew", {"lease": "x", "ttl": 1}), ("release", {"lease": "x"})]:
            assert remote.refusal(method, display="all", **params)[1]["type"] == "/problems/display-not-found"


def test_a_boost_ends_after_its_websocket(daemon, client):
    with Stream(daemon.port, "/v1/events?types=boost") as observer:
        with Remote(daemon) as remote:
            lease = remote.call("boost")
            assert lease["holder"].startswith("websocket-")
        while (event := observer.next("boost").data)["change"] != "disconnected":
            pass
        assert event["lease"]["id"] == lease["id"]
    assert client.state["brightness"] == 0.5


def test_a_named_holder_that_reconnects_keeps_its_boost(daemon, client):
    with Remote(daemon, "/v1/ws?holder=kiosk-3") as remote:
        assert remote.call("boost")["holder"] == "kiosk-3"
        assert remote.call("set", percent=33)["cause"]["by"] == "kiosk-3"
    with Stream(daemon.port, "/v1/events?holder=kiosk-3") as stream:
        # Longer than the grace: a lease that was not kept would have ended by the end of this one.
        client.boost(holder="clock", brightness=0.6, ttl=12)
        with Remote(daemon, "/v1/ws?types=boost") as observer:
            observer.event("boost", lambda boost: boost["change"] == "expired")
        assert client.state["boost"]["leases"] == 1
        stream.next("state")


def test_websockets_without_a_holder_are_different_holders(daemon, client):
    with Remote(daemon) as one, Remote(daemon) as other:
        assert one.call("boost")["holder"] != other.call("boost")["holder"]
        assert one.call("restore")["boost"]["leases"] == 1
        other.call("restore")


def test_a_boost_may_have_another_lifespan(remote, client):
    lease = remote.call("boost", lifespan="custom", ttl=60, holder="me")
    assert (lease["lifespan"], lease["holder"], lease["until"] is None) == ("custom", "me", False)


def test_the_scope_read_allows_only_get_and_subscribe(start):
    daemon = start("--anonymous", "read")
    with Remote(daemon) as remote:
        remote.call("get")
        remote.call("subscribe", types="state")
        for method, params in [("set", {"percent": 1}), ("boost", {}), ("restore", {}), ("auto", {"enabled": False})]:
            code, problem = remote.refusal(method, **params)
            assert (code, problem["type"]) == (-32000, "/problems/forbidden")


def test_every_websocket_is_notified_of_calls_of_others(daemon, client):
    sockets = [Remote(daemon, validates=False) for _ in range(20)]
    for percent, remote in enumerate(sockets, 1):
        remote.call("set", percent=percent)
    for remote in sockets:
        remote.event("state", lambda state: state["percent"] == 20)
        remote.__exit__(None, None, None)
