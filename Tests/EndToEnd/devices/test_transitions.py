# SPDX-License-Identifier: Apache-2.0
"""Transitions: what the panel shows on the way, which events clients get, and what ends a transition."""

import re
import threading
import time

import pytest

from support.client import Client
from support.daemon import Daemon
from support.events import Stream
from support.until import until

BRIGHTNESS = "/v1/brightness"


class Watch:
    """Looks at a panel again and again, and keeps the different steps it saw."""

    def __init__(self, backlight):
        self.steps = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, args=(backlight,))
        self._thread.start()

    def _look(self, backlight):
        while not self._ends.wait(0.002):
            text = (backlight.folder / "brightness").read_text()
            if text and (not self.steps or self.steps[-1] != int(text)):
                self.steps.append(int(text))

    def end(self):
        self._ends.set()
        self._thread.join()
        return self.steps


@pytest.fixture
def panel(start, connect, backlight):
    """A daemon that drives the backlight, and a client of it."""
    daemon = start(*backlight.options, expects="intel_backlight")
    return daemon, connect(daemon)


def arrives(backlight, step):
    until(lambda: backlight.step == step, f"the panel shows {step}")


def test_the_response_has_the_target_and_the_panel_follows(panel, backlight):
    daemon, client = panel
    with Stream(daemon.port) as stream:
        stream.next("state")
        watch = Watch(backlight)
        state = client.put(BRIGHTNESS, json={"percent": 100, "transition": 1}).json()
        assert (state["brightness"], state["raw"]["value"], state["cause"]["kind"]) == (1, 960, "api")
        arrives(backlight, 960)
        steps = watch.end()
        assert steps == sorted(steps)
        assert 3 < len(steps) <= 64
        # One event for all of it: the next one is that of the next change.
        assert stream.next("state").data == state
        after = client.set(0.5)
        assert stream.next("state").data == after


def test_a_newer_change_starts_from_the_current_step(panel, backlight):
    client = panel[1]
    client.put(BRIGHTNESS, json={"percent": 100, "transition": 60})
    until(lambda: backlight.step > 410, "it moves")
    assert backlight.step < 960
    assert client.set(0.25)["brightness"] == 0.25
    assert backlight.step == 240


def test_a_boost_rises_and_ends_by_a_transition(panel, backlight):
    client = panel[1]
    client.post("/v1/boost", json={"holder": "kiosk-3", "transition": 0.5})
    arrives(backlight, 960)
    watch = Watch(backlight)
    state = client.post("/v1/restore", json={"holder": "kiosk-3", "transition": 0.5}).json()
    assert state["raw"]["value"] == 403
    arrives(backlight, 403)
    steps = watch.end()
    assert steps == sorted(steps, reverse=True)
    assert len(steps) > 3
    assert client.state["baseline"] == pytest.approx(403 / 960)


def test_a_persons_change_ends_a_transition(panel, backlight):
    daemon, client = panel
    with Stream(daemon.port) as stream:
        client.put(BRIGHTNESS, json={"percent": 100, "transition": 60})
        stream.next("state", lambda event: event.data["brightness"] == 1)
        backlight.step = 96
        state = stream.next("state").data
    assert (state["brightness"], state["cause"]["kind"]) == (0.1, "external")
    assert backlight.step == 96


def test_transition_options_are_the_defaults(start, connect, backlight):
    daemon = start(*backlight.options, "--transition", "60")
    client = connect(daemon)
    assert client.set(1)["brightness"] == 1
    assert backlight.step < 960
    assert client.put(BRIGHTNESS, json={"brightness": 1, "transition": 0}).status_code == 200
    assert backlight.step == 960


@pytest.mark.parametrize("mode", ["restore", "keep"])
def test_a_stop_finishes_a_transition(start, connect, backlight, mode):
    daemon = start(*backlight.options, "--on-exit", mode)
    connect(daemon).put(BRIGHTNESS, json={"percent": 75, "transition": 60})
    assert backlight.step < 720
    daemon.stop()
    assert backlight.step == 720


def test_a_start_finishes_the_transition_of_a_killed_daemon(backlight, tmp_path):
    state = ("--state-directory", tmp_path / "state")
    daemon = Daemon(*backlight.options, *state)
    with Client(daemon) as client:
        client.put(BRIGHTNESS, json={"percent": 75, "transition": 60})
        until(lambda: backlight.step > 403, "it moves")
    daemon.kill()
    daemon.ended()
    assert backlight.step < 720
    daemon = Daemon(*backlight.options, *state)
    with Client(daemon) as client:
        until(lambda: backlight.step == 720, "it is there")
        after = client.state
        assert (after["baseline"], after["cause"]["kind"]) == (0.75, "recovered")
    daemon.stop()


def test_a_dragged_slider_is_few_commits(panel, backlight):
    """Nothing is at stake: what is marked as the panel's way is written for each tenth, and where it goes once a second."""
    _, client = panel

    def commits():
        return int(re.search(r"^brightnessd_journal_commits_total (\d+)", client.get("/metrics").text, re.M).group(1))

    before, begin = commits(), time.monotonic()
    for number in range(60):
        client.set(0.3 + number / 100, transition=5)
    assert commits() - before <= 10 + time.monotonic() - begin
    client.set(0.9, transition=0)
    arrives(backlight, 864)


def test_a_dragged_sliders_value_survives_a_crash(start, connect, backlight, tmp_path):
    options = [*backlight.options, "--state-directory", tmp_path / "state"]
    daemon = start(*options)
    client = connect(daemon)
    for number in range(20):
        client.set(0.5 + number / 50, transition=60)
    # The requested step is written within about a second.
    threading.Event().wait(2.5)
    daemon.kill()
    assert backlight.step < 800
    client = connect(start(*options))
    assert client.state["baseline"] == pytest.approx(0.88)
    arrives(backlight, round(0.88 * 960))
