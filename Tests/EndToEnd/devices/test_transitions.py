# SPDX-License-Identifier: Apache-2.0
"""Transitions: what the panel shows on the way, which events clients get, and what ends a transition."""

import re
import shutil
import sqlite3
import time
from contextlib import closing, suppress

import pytest

from support.client import Client
from support.daemon import Daemon
from support.events import Stream
from support.faults import Faults
from support.until import until

BRIGHTNESS = "/v1/brightness"


@pytest.fixture
def panel(start, connect, backlight):
    """A daemon that drives the backlight, and a client of it."""
    daemon = start(*backlight.options, expects="intel_backlight")
    return daemon, connect(daemon)


def arrives(backlight, step):
    until(lambda: backlight.step == step, f"the panel shows {step}")


def test_the_response_has_the_target_and_the_panel_follows(start, connect, backlight, tmp_path):
    faults = Faults(tmp_path)
    daemon = start(*backlight.options, env=faults.environment)
    client = connect(daemon)
    with Stream(daemon.port) as stream:
        stream.next("state")
        begin = time.monotonic()
        state = client.put(BRIGHTNESS, json={"percent": 100, "transition": 1}).json()
        took = time.monotonic() - begin
        assert (state["brightness"], state["raw"]["value"], state["cause"]["kind"]) == (1, 960, "api")
        arrives(backlight, 960)
        steps = faults.writes
        assert steps == sorted(steps)
        # The first one comes with the answer. A busy machine may take few, and none takes more than one a frame.
        assert steps[0] < 960 or took > 1
        assert len(steps) <= 64
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


def test_a_boost_rises_and_ends_by_a_transition(start, connect, backlight, tmp_path):
    faults = Faults(tmp_path)
    client = connect(start(*backlight.options, env=faults.environment))
    client.post("/v1/boost", json={"holder": "kiosk-3", "transition": 0.5})
    arrives(backlight, 960)
    risen, begin = len(faults.writes), time.monotonic()
    state = client.post("/v1/restore", json={"holder": "kiosk-3", "transition": 0.5}).json()
    took = time.monotonic() - begin
    assert state["raw"]["value"] == 403
    arrives(backlight, 403)
    steps = faults.writes[risen:]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 403 or took > 0.5
    assert client.state["baseline"] == pytest.approx(403 / 960)


def test_a_persons_change_ends_a_transition(panel, backlight):
    daemon, client = panel
    with Stream(daemon.port) as stream:
        client.put(BRIGHTNESS, json={"percent": 100, "transition": 60})
        stream.next("state", lambda event: event.data["brightness"] == 1)

        def set_by_hand():
            # A step of the transition may overwrite it.
            backlight.step = 96
            return client.state["cause"]["kind"] == "external"

        until(set_by_hand, "it is noticed")
        assert stream.next("state").data["brightness"] == 0.1
    assert (client.state["brightness"], backlight.step) == (0.1, 96)


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
        until(lambda: client.state["baseline"] == 0.75, "the state has it")
        assert client.state["cause"]["kind"] == "recovered"
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

    def is_stored():
        # Of a copy, since the daemon has locked the file, which it may change while it is copied.
        with suppress(OSError, sqlite3.DatabaseError):
            copy = shutil.copytree(tmp_path / "state", tmp_path / "copy", dirs_exist_ok=True)
            with closing(sqlite3.connect(copy / "journal.db")) as journal:
                return journal.execute("SELECT 1 FROM record WHERE body ->> 'baselineStep' = 845").fetchone()

    until(is_stored, "the requested step is written")
    daemon.kill()
    assert backlight.step < 800
    client = connect(start(*options))
    assert client.state["baseline"] == pytest.approx(0.88)
    arrives(backlight, round(0.88 * 960))
