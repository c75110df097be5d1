# SPDX-License-Identifier: Apache-2.0
"""Schedules of a machine whose wall clock is wrong at the start, and is set later."""

import time
from datetime import datetime, timedelta, timezone

import pytest

from support.schedules import clock
from support.until import until
from support.wall_clock import WallClock

DAY = 86_400


@pytest.fixture
def begin(start, connect, tmp_path):
    wall = WallClock(tmp_path)

    def begin(offset):
        wall.set(offset)
        daemon = start("--time-zone", "UTC", env=wall.environment | {"CLOCK_UNSYNCHRONIZED": "1"})
        client = connect(daemon)
        client.set(0.8)
        return client, wall

    return begin


def settled(client, holds):
    """The first state of the default display for which this holds."""
    return until(lambda: (state := client.state) and holds(state) and state, "the state")


def put(client, begin, end):
    body = {"from": clock(begin), "to": clock(end), "dim": 0.2}
    assert client.put("/v1/schedules/night", json=body).status_code == 201


def test_nothing_is_in_force_before_the_clock_is_set(begin):
    client, wall = begin(-40 * 365 * DAY)
    # The time of the day is in the interval, in the wrong year.
    put(client, -30, 30)
    assert client.get("/v1/schedules").json()["clockSet"] is False
    schedule = client.get("/v1/schedules/night").json()
    assert (schedule["active"], schedule["next"]) == (False, None)
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["schedules"]["state"]) == (200, "waiting")
    time.sleep(1.5)
    assert client.state["dim"] is None
    wall.set(0)
    settled(client, lambda state: state["brightness"] == 0.2)
    until(lambda: client.get("/readyz").json()["schedules"]["state"] == "running", "the schedules run")


@pytest.fixture
def again(start, connect, tmp_path):
    """Starts a daemon with the journal of the earlier ones, and a clock that is not synchronized."""
    wall = WallClock(tmp_path)

    def again(offset, **options):
        wall.set(offset)
        daemon = start(
            "--time-zone", "UTC", "--state-directory", tmp_path / "state",
            env=wall.environment | {"CLOCK_UNSYNCHRONIZED": "1"}, **options,
        )
        return daemon, connect(daemon), wall

    return again


def test_a_date_that_was_once_years_ahead_stops_no_schedule(again):
    daemon, client, _ = again(0)
    put(client, -300, 300)
    client.set(0.8)
    daemon.stop()
    daemon, client, _ = again(2 * 365 * DAY)
    client.set(0.5)
    daemon.stop()
    # The history has aged by 100 times as long as that run took.
    settled(again(4 * 3_600)[1], lambda state: state["brightness"] == 0.2)


def test_a_clock_that_is_behind_the_history_counts_when_somebody_sets_it(again):
    daemon, client, _ = again(0)
    put(client, -120, 120)
    client.set(0.8)
    daemon.stop()
    daemon, client, wall = again(-40 * 60, expects="no schedule is in force")
    daemon.line("no schedule is in force: the clock shows .*sudo date")
    assert client.get("/readyz").json()["schedules"]["state"] == "waiting"
    wall.set(-39 * 60)
    settled(client, lambda state: state["brightness"] == 0.2)
    daemon.line("the clock counts as set")


def test_a_jump_of_the_clock_begins_and_ends_intervals(begin):
    client, wall = begin(0)
    put(client, 60, 120)
    assert client.state["dim"] is None
    wall.set(90 * 60)
    settled(client, lambda state: state["brightness"] == 0.2)
    wall.set(150 * 60)
    settled(client, lambda state: state["brightness"] == 0.8)
    wall.set(90 * 60)
    settled(client, lambda state: state["brightness"] == 0.2)
    wall.set(0)
    settled(client, lambda state: state["brightness"] == 0.8)


def test_an_interval_begins_and_ends_in_time(begin):
    client, wall = begin(0)
    start = datetime.now(timezone.utc).replace(second=0, microsecond=0) + timedelta(minutes=6)
    body = {"from": f"{start:%H:%M}", "to": f"{start + timedelta(minutes=1):%H:%M}", "dim": 0.2}
    assert client.put("/v1/schedules/night", json=body).status_code == 201
    # Six seconds before it begins.
    wall.set(int((start - datetime.now(timezone.utc)).total_seconds()) - 6)
    state = settled(client, lambda state: state["brightness"] == 0.2)
    # A busy machine is late by a little. A daemon that looks once a minute would be late by most of it.
    assert abs(datetime.fromisoformat(state["cause"]["at"]) - start) < timedelta(seconds=10)
