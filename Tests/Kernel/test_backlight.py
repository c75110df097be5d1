# SPDX-License-Identifier: Apache-2.0
"""Backlights of the kernel's ACPI video driver: what the daemon does reaches the driver, what others do reaches the daemon."""

import urllib.error
import urllib.request
from contextlib import nullcontext

import pytest


def boost(machine, panel=0, **body):
    machine.post(f"/v1/displays/acpi_video{panel}/boost", body)
    machine.wait_for_step(10, panel)


def restore(machine, step, panel=0):
    machine.post(f"/v1/displays/acpi_video{panel}/restore", {"all": True})
    machine.wait_for_step(step, panel)


def put(machine, step, panel=0):
    machine.put(f"/v1/displays/acpi_video{panel}/brightness", {"brightness": step / 10})
    machine.wait_for_step(step, panel)


def test_both_panels_are_displays(machine):
    displays = machine.get("/v1/displays")["displays"]
    assert [display["id"] for display in displays] == ["acpi_video0", "acpi_video1"]
    assert {display["kind"] for display in displays} == {"backlight"}
    assert "acpi_video0" in machine.run("brightnessd probe")


def test_a_put_reaches_the_driver_of_its_panel_only(machine):
    other = machine.step(1)
    put(machine, 7)
    assert machine.step(1) == other


def test_a_boost_and_its_release_reach_the_driver(machine):
    put(machine, 4)
    boost(machine)
    restore(machine, 4)


def test_another_programs_write_in_a_boost_becomes_the_baseline(machine):
    put(machine, 4)
    boost(machine)
    machine.write("/sys/class/backlight/acpi_video0/brightness", 2)
    state = machine.wait_for_state("the write", lambda state: state["raw"]["value"] == 2)
    assert (state["baseline"], state["cause"]["kind"], state["boost"]["overridden"]) == (0.2, "external", True)
    restore(machine, 2)


def test_the_firmwares_key_is_reported_as_hotkey(machine):
    put(machine, 4)
    machine.press("up")
    state = machine.wait_for_state("the key", lambda state: state["raw"]["value"] == 5)
    assert (state["baseline"], state["cause"]["kind"]) == (0.5, "hotkey")
    machine.press("down")
    machine.wait_for_state("the other key", lambda state: state["raw"]["value"] == 4)


def test_a_panel_that_another_program_switches_off_gets_its_value_when_it_is_on(machine):
    put(machine, 4)
    machine.write("/sys/class/backlight/acpi_video0/bl_power", 4)
    state = machine.wait_for_state("the switch", lambda state: state["power"]["on"] is False)
    assert (state["cause"]["kind"], state["available"]) == ("external", True)
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.8})
    machine.write("/sys/class/backlight/acpi_video0/bl_power", 0)
    state = machine.wait_for_state("the light", lambda state: state["power"]["on"])
    assert state["cause"]["kind"] == "external"
    machine.wait_for_step(8)


# Programs for idle screens, in the machine's shell, on both panels.
IDLE = {
    "only blanks": "blanks; sleep 1; unblanks",
    "restores 1.5 s before it is on": "sets 1; sleep 1; blanks; sleep 1; restores; sleep 1.5; unblanks",
    "restores 0.1 s before it is on": "sets 1; sleep 1; blanks; sleep 1; restores; sleep 0.1; unblanks",
    "restores 0.03 s after it is on": "sets 1; sleep 1; blanks; sleep 1; unblanks; sleep 0.03; restores",
    "restores 0.3 s after it is on": "sets 1; sleep 1; blanks; sleep 1; unblanks; sleep 0.3; restores",
    "dims in the dark": "blanks; sleep 1; sets 1; sleep 1; unblanks; sleep 0.3; restores",
    "sets another step": "blanks; sleep 1; sets 8; sleep 1; unblanks",
}
ACTS = (
    "cd /sys/class/backlight; read a <acpi_video0/brightness; read b <acpi_video1/brightness;"
    "both() { echo $1 >acpi_video0/$3; echo $2 >acpi_video1/$3; };"
    "blanks() { both 4 4 bl_power; }; unblanks() { both 0 0 bl_power; };"
    "sets() { both $1 $1 brightness; }; restores() { both $a $b brightness; };"
)


@pytest.mark.parametrize("watched", [False, True], ids=["nobody watches", "a client watches"])
@pytest.mark.parametrize("story", IDLE)
def test_others_have_the_last_word_around_a_blank_screen(machine, story, watched):
    """The second panel has a boost all the while."""
    put(machine, 5)
    put(machine, 6, panel=1)
    boost(machine, panel=1, ttl=600)
    events = urllib.request.urlopen(f"http://127.0.0.1:{machine.port}/v1/events", timeout=60)
    with events if watched else nullcontext():
        if not watched:
            events.close()
        # Two seconds for what the daemon might write too late.
        machine.run(f"({ACTS} {IDLE[story]}; sleep 2)")
    steps = (8, 8) if "another" in story else (5, 10)
    for panel, step in enumerate(steps):
        state = machine.wait_for_state("the light", lambda state: state["power"]["on"] and state["available"], panel)
        assert (state["raw"]["value"], machine.step(panel)) == (step, step)
    assert machine.state(0)["baseline"] == steps[0] / 10
    assert machine.state(1)["boost"]["overridden"] is ("another" in story)
    restore(machine, 8 if "another" in story else 6, panel=1)


def test_a_sleep_of_a_panel_whose_driver_ignores_bl_power_is_refused(machine):
    assert machine.state()["power"] == {"on": True, "baseline": True, "switchable": False}
    with pytest.raises(urllib.error.HTTPError, match="409"):
        machine.post("/v1/displays/acpi_video0/sleep", {"ttl": 2})
    assert machine.run("cat /sys/class/backlight/acpi_video0/bl_power") == "0"


def test_a_driver_that_is_unloaded_and_loaded_in_a_boost_gets_its_values(machine):
    put(machine, 3)
    put(machine, 6, panel=1)
    boost(machine, ttl=600)
    machine.run("rmmod video")
    machine.wait_for_state("the removal", lambda state: not state["available"])
    machine.run("modprobe video")
    state = machine.wait_for_state("the return", lambda state: state["available"] and state["raw"]["value"] == 10)
    assert (state["baseline"], state["boost"]["leases"]) == (0.3, 1)
    restore(machine, 3)
    machine.wait_for_step(6, panel=1)
