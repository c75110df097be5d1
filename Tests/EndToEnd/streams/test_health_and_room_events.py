# SPDX-License-Identifier: Apache-2.0
"""Health and the simulated room on event streams and WebSockets: the documents of `/readyz` and `/v1/simulator`."""

import time

import pytest

from support.events import Stream
from support.remote import Remote

PACE = 0.2
"""Seconds between two events of the room in a script, at least."""


@pytest.fixture
def panel(client):
    """Changes the panel of the shared daemon, and removes every fault afterwards."""
    yield lambda **what: client.patch("/v1/simulator", json=what).json()
    client.patch("/v1/simulator", json={"unplugged": False, "near": False, "script": None, "front": 320, "back": 180})


def test_a_stream_begins_with_health_and_room(daemon, client):
    with Stream(daemon.port) as stream:
        assert stream.next("health").data == client.get("/readyz").json()
    with Stream(daemon.port) as stream:
        assert stream.next("simulator").data == client.get("/v1/simulator").json()


@pytest.mark.parametrize("types", ["health", "simulator", "health,simulator"])
def test_types_selects_health_and_room(daemon, client, types):
    with Stream(daemon.port, f"/v1/events?types={types}") as stream:
        assert stream.block().name == "retry"
        assert sorted(stream.block().name for _ in types.split(",")) == types.split(",")
        assert stream.block().name == "synced"


def test_a_client_that_reconnects_gets_health_and_room_again(daemon, client):
    displays = client.get("/v1/displays").json()
    last = f"{displays['epoch']}-{displays['revision']}"
    with Stream(daemon.port, "/v1/events?types=health,simulator", headers={"Last-Event-ID": last}) as stream:
        begin, *states, end = [stream.block().name for _ in range(4)]
        # The one that changed last comes last.
        assert (begin, sorted(states), end) == ("retry", ["health", "simulator"], "synced")


def test_health_changes_with_a_display(daemon, client, panel):
    with Stream(daemon.port) as stream:
        assert stream.next("health").data["ready"]
        panel(unplugged=True)
        bad = stream.next("health").data
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()) == (503, bad)
        assert bad["unavailable"] == ["simulated"]
        panel(unplugged=False)
        assert stream.next("health").data["ready"]
        assert client.get("/readyz").status_code == 200


def test_the_room_is_an_event_after_a_request_and_during_a_script(daemon, client, panel):
    with Stream(daemon.port) as stream:
        stream.next("simulator")
        changed = panel(near=True)
        assert stream.next("simulator", lambda event: event.data["near"]).data == changed
        client.set(0.8)
        stream.next("simulator", lambda event: event.data["displays"][0]["slider"] == 0.8)
        # Longer than any pause of the daemon, then shorter.
        panel(script="sunset", seconds=60)
        lights = [stream.next("simulator", lambda event: event.data["script"] == "sunset").data["front"] for _ in range(3)]
        assert lights == sorted(lights, reverse=True) and lights[-1] < lights[0]
        panel(script="sunset", seconds=1)
        assert stream.next("simulator", lambda event: not event.data["script"]).data["front"] == 0.5


def test_changes_of_a_display_are_few_events_of_the_room(daemon, client):
    with Stream(daemon.port, "/v1/events?types=simulator") as stream:
        stream.next("simulator")
        begun = time.monotonic()
        for number in range(200):
            client.set(number / 200)
        final = client.set(0.777)["brightness"]
        rooms = 0
        while stream.next("simulator").data["displays"][0]["slider"] != final:
            rooms += 1
    assert rooms <= 2 + (time.monotonic() - begun) / PACE


def test_a_websocket_gets_health_and_room(daemon, client, panel):
    with Remote(daemon, "/v1/ws?types=health,simulator") as remote:
        begin = {event["method"]: event["params"] for event in (remote.receive(), remote.receive())}
        assert begin == {"health": client.get("/readyz").json(), "simulator": client.get("/v1/simulator").json()}
        assert remote.call("subscribe", types=["simulator"])["types"] == ["simulator"]
        panel(near=True)
        remote.event("simulator", lambda room: room["near"])


def test_a_daemon_with_a_real_display_has_no_room(start, backlight):
    daemon = start(*backlight.options)
    with Stream(daemon.port) as stream:
        names = []
        while (block := stream.block()).name != "health":
            names.append(block.name)
        backlight.unplug()
        assert stream.next("health").data["unavailable"] == [backlight.name]
        backlight.plug()
        while (block := stream.block()).name != "health":
            names.append(block.name)
    assert "simulator" not in names
    assert block.data["ready"]
