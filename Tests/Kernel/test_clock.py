# SPDX-License-Identifier: Apache-2.0
"""A machine whose clock is wrong at the boot, as without a battery: schedules wait until it is set."""

import time

from machine import Machine
from virtual_machine import wait_for

NIGHT = {"displays": ["all"], "from": "20:00", "to": "08:00", "dim": 0.2}
DAWN = {"displays": ["all"], "from": "07:00", "to": "12:00", "brightness": 0.8}


def test_schedules_wait_for_the_clock_and_then_act(tmp_path):
    machine = Machine(tmp_path / "first", clock="1970-01-01T22:00:00")
    try:
        assert machine.run("date -u +%Y") == "1970"
        machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.6})
        machine.put("/v1/schedules/night", NIGHT)
        # It would be in force by the wrong clock.
        _acts_on_nothing(machine, 6)
        # 22:00 of the right day: at once.
        machine.run("date -u -s '2027-03-01 22:00:00'")
        machine.wait_for_state("the night", lambda state: state["dim"] and state["raw"]["value"] == 2, within=15)
        assert machine.state()["cause"]["by"] == "schedule:night"
        wait_for("readiness", lambda: machine.get("/readyz")["schedules"]["state"] == "running")
        # 12:00 of the next: at once.
        machine.run("date -u -s '2027-03-02 12:00:00'")
        machine.wait_for_state("the day", lambda state: state["dim"] is None and state["raw"]["value"] == 6, within=15)
        # A time that passes by itself.
        machine.run("date -u -s '2027-03-02 19:59:55'")
        machine.wait_for_state("the next night", lambda state: state["dim"], within=30)
        # A stop writes what the history still has in memory, so the journal knows the year.
        machine.signal_daemon("TERM")
        machine.run("sync")
        machine.cut_power()

        # The clock is later than the build, and earlier than what the journal has seen.
        machine = Machine(tmp_path / "second", disk=machine.disk, clock="2027-01-01T21:00:00")
        machine.wait_for_state("the start", lambda state: state["available"])
        assert [schedule["name"] for schedule in machine.get("/v1/schedules")["schedules"]] == ["night"]
        _acts_on_nothing(machine, 6)
        machine.run("date -u -s '2027-03-03 21:00:00'")
        machine.wait_for_state("the night", lambda state: state["dim"] and state["raw"]["value"] == 2, within=15)
    finally:
        machine.cut_power()


def test_a_brightness_that_is_set_once_waits_for_the_clock(tmp_path):
    machine = Machine(tmp_path / "machine", clock="1970-01-01T07:30:00")
    try:
        machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
        machine.put("/v1/schedules/dawn", DAWN)
        _acts_on_nothing(machine, 6)
        machine.run("date -u -s '2027-03-01 06:59:57'")
        machine.wait_for_state("the dawn", lambda state: state["baseline"] == 0.8, within=30)
        # A person's change stays, also across a small step of the clock back over the begin.
        machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.5})
        machine.run("date -u -s '2027-03-01 07:30:00'")
        time.sleep(3)
        assert machine.state()["baseline"] == 0.5
    finally:
        machine.cut_power()


def _acts_on_nothing(machine, seconds):
    end = time.monotonic() + seconds
    before = machine.state()
    while time.monotonic() < end:
        state = machine.state()
        assert (state["dim"], state["baseline"], state["raw"]) == (None, before["baseline"], before["raw"])
        time.sleep(0.5)
    ready = machine.get("/readyz")
    assert ready["ready"] is True
    assert "the clock is not set" in str(ready)
