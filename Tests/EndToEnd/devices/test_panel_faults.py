# SPDX-License-Identifier: Apache-2.0
"""Panels that are slow, refuse or return garbage: the right response, the right state, no delay for others."""

import errno
import threading
import time

import pytest

from support.client import AT_ONCE, Client
from support.events import Stream
from support.faults import Faults
from support.until import until



@pytest.fixture
def faults(tmp_path):
    return Faults(tmp_path)


@pytest.fixture
def panel(start, connect, backlight, faults):
    """A daemon with this backlight and a simulated display next to it."""
    daemon = start(*backlight.options, "--display", "simulated:other", env=faults.environment, expects="intel_backlight")
    return daemon, connect(daemon)


@pytest.mark.parametrize("number", [errno.EIO, errno.EINVAL, errno.EACCES, errno.ENODEV])
def test_a_failed_write_changes_nothing(panel, backlight, faults, number):
    daemon, client = panel
    before = client.state
    faults.set(writing=number)
    for request in [lambda: client.put("/v1/brightness", json={"percent": 70}), lambda: client.post("/v1/boost")]:
        refused = request()
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) >= 1
    state = client.state
    assert (state["baseline"], state["boost"], state["raw"]) == (before["baseline"], None, before["raw"])
    assert client.put("/v1/displays/other/brightness", json={"percent": 70}).json()["percent"] == 70

    faults.set()
    until(lambda: client.put("/v1/brightness", json={"percent": 70}).status_code == 200, "it works again")
    assert backlight.step == client.state["raw"]["value"] == 672
    until(lambda: client.state["available"], "it is available")


def test_a_refused_write_is_an_event_for_every_client_that_is_there(panel, faults):
    daemon, client = panel
    query = "types=failure,state&display=intel_backlight"
    with Stream(daemon.port, f"/v1/events?{query}") as other:
        other.next("state")
        faults.set(writing=errno.EIO)
        assert client.put("/v1/brightness", json={"percent": 70}).status_code == 503
        failure = other.next("failure").data
        assert (failure["display"], failure["problem"]["type"]) == ("intel_backlight", "/problems/display-unavailable")
    faults.set()
    until(lambda: client.put("/v1/brightness", json={"percent": 70}).status_code == 200, "it works again")
    # It is not retained.
    with Stream(daemon.port, f"/v1/events?{query}") as later:
        later.next("state")
        client.set(0.3)
        while (event := later.block()).name != "state":
            assert event.name in ("comment", "synced")


def test_a_panel_is_unavailable_while_it_cannot_be_read(panel, backlight, faults):
    daemon, client = panel
    with Stream(daemon.port) as stream:
        faults.set(reading=errno.EIO)
        gone = stream.next("state", lambda event: not event.data["available"]).data
        assert gone["id"] == "intel_backlight"
        assert client.get("/readyz").json()["unavailable"] == ["intel_backlight"]
        faults.set()
        back = stream.next("state", lambda event: event.data["id"] == gone["id"]).data
    assert (back["available"], back["raw"], back["cause"]["kind"]) == (True, gone["raw"], "connected")
    assert faults.writes == []


@pytest.mark.parametrize("text", ["", "\n", "dim\n", "-5\n", "961\n", "4" * 5_000, "0x10\n"])
def test_garbage_in_the_file_is_not_a_brightness(panel, backlight, text):
    daemon, client = panel
    file = backlight.folder / "brightness"
    with Stream(daemon.port) as stream:
        file.write_text(text)
        gone = stream.next("state", lambda event: not event.data["available"]).data
        assert gone["baseline"] == pytest.approx(403 / 960)
        file.write_text("403\n")
        back = stream.next("state", lambda event: event.data["id"] == gone["id"]).data
    assert (back["available"], back["raw"]["value"]) == (True, 403)


def test_a_panel_is_unavailable_while_its_file_is_missing(panel, backlight):
    daemon, client = panel
    file = backlight.folder / "brightness"
    with Stream(daemon.port) as stream:
        file.unlink()
        stream.next("state", lambda event: not event.data["available"])
        assert client.put("/v1/brightness", json={"percent": 70}).status_code == 503
        assert not file.exists()
        backlight.step = 100
        state = stream.next("state", lambda event: event.data["available"]).data
    assert backlight.step == state["raw"]["value"] == 403


def test_a_slow_panel_is_answered_with_202_and_delays_no_other_client(panel, backlight, faults):
    daemon, client = panel
    # Long enough that no busy machine has the result before the answer.
    faults.set(delay=4)
    answer = client.put("/v1/brightness", json={"percent": 70}, headers=AT_ONCE)
    assert answer.status_code == 202
    # The write is still in progress; other requests are served.
    other = client.put("/v1/displays/other/brightness", json={"percent": 70})
    assert (other.status_code, other.json()["percent"]) == (200, 70)
    until(lambda: client.state["raw"]["value"] == 672, "it is there in the end")
    assert (backlight.step, faults.writes) == (672, [672])


def test_many_changes_of_a_slow_panel_end_with_the_newest(panel, backlight, faults):
    """1,000 changes as fast as four clients can: as many writes as fit into the time, and the last one wins."""
    daemon, client = panel
    faults.set(delay=0.3)
    statuses = []

    def storm(steps):
        with Client(daemon, headers=AT_ONCE) as client:
            for step in steps:
                # The answer is not worth waiting for; that it was accepted is said at once or after 250 ms.
                statuses.append(client.put("/v1/brightness", json={"raw": step}).status_code)

    begun = time.monotonic()
    others = []
    threads = [threading.Thread(target=storm, args=(range(first, first + 20),)) for first in range(100, 900, 16)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        others.append(client.put("/v1/displays/other/brightness", json={"raw": len(others) % 900 + 50}).status_code)
    for thread in threads:
        thread.join()
    assert len(statuses) == 1_000 and set(statuses) <= {200, 202}
    assert set(others) == {200}
    client.put("/v1/brightness", json={"raw": 777})
    until(lambda: client.state["raw"]["value"] == 777, "the last one is there")
    until(lambda: backlight.step == 777, "the panel shows it")
    # Each write takes 0.3 s, one after another.
    assert len(faults.writes) <= (time.monotonic() - begun) / 0.3 + 1
    assert faults.writes[-1] == 777


def test_a_persons_change_right_after_a_write_overrides_a_boost(panel, backlight, faults):
    daemon, client = panel
    faults.set(hand=150)
    client.boost(holder="kiosk-3", brightness=0.9)
    state = client.state
    assert (state["raw"]["value"], state["baseline"]) == (150, pytest.approx(150 / 960))
    assert (state["boost"]["overridden"], state["cause"]["kind"]) == (True, "external")
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    assert (backlight.step, faults.writes) == (150, [864])
