# SPDX-License-Identifier: Apache-2.0
"""Which events a stream gets: by type, by display, and after the last one that was received."""

import random

import pytest

from support.events import Stream


def epoch(client):
    return client.get("/v1/displays").json()["epoch"]


@pytest.mark.parametrize(
    ("types", "names"),
    [
        ("brightness", ["brightness"]),
        ("boost", ["boost"]),
        ("boost,brightness", ["boost", "brightness"]),
        ("brightness,boost,ambient,display", ["boost", "brightness"]),
        ("brightness%2Cambient", ["brightness"]),
    ],
)
def test_only_some_types(daemon, client, types, names):
    """`names`: the events of one change of a lease."""
    with Stream(daemon.port, f"/v1/events?types={types}") as stream:
        if "brightness" in names:
            assert stream.next().name == "brightness"
        for change in (client.boost, lambda: client.post("/v1/restore"), client.boost):
            change()
            assert [stream.next().name for _ in names] == names


def test_only_some_displays(start, connect):
    daemon = start("--display", "simulated:a", "--display", "simulated:b", "--display", "simulated:c")
    client = connect(daemon)
    with Stream(daemon.port, "/v1/events?display=a&display=c&unknown=x") as stream, Stream(daemon.port) as everything:
        assert [stream.next().data["id"] for _ in range(2)] == ["a", "c"]
        assert [everything.next().data["id"] for _ in range(3)] == ["a", "b", "c"]
        for display in "bcab":
            client.put(f"/v1/displays/{display}/brightness", json={"brightness": random.random()})
            assert everything.next().data["id"] == display
        client.post("/v1/displays/b/boosts")
        client.post("/v1/displays/c/boosts")
        assert [stream.next().data["id"] for _ in range(2)] == ["c", "a"]
        assert stream.next("boost").data["display"] == "c"


@pytest.mark.parametrize("place", ["header", "query"])
def test_nothing_is_repeated_to_who_has_it(daemon, client, place):
    last = f"{epoch(client)}-{client.state['revision']}"
    target = "/v1/events" if place == "header" else f"/v1/events?last_event_id={last}"
    with Stream(daemon.port, target, {"Last-Event-ID": last} if place == "header" else {}) as stream:
        assert stream.block().name == "retry"
        changed = client.set(0.6)
        assert stream.next("brightness").data == changed


@pytest.mark.parametrize(
    "last", ["{epoch}-{older}", "00000000-{revision}", "{epoch}-{newer}", "nonsense", "-", "{epoch}-x"]
)
def test_who_does_not_have_it_gets_it(daemon, client, last):
    old = client.state["revision"]
    state = client.set(0.6)
    ids = {"epoch": epoch(client), "older": old, "revision": state["revision"], "newer": state["revision"] + 1_000}
    with Stream(daemon.port, headers={"Last-Event-ID": last.format(**ids)}) as stream:
        assert stream.next("brightness").data == state
