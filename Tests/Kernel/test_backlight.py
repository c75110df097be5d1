# SPDX-License-Identifier: Apache-2.0
"""Backlights of the kernel's ACPI video driver: what the daemon does reaches the driver, what others do reaches the daemon."""

import urllib.error

import pytest


def boost(machine, **body):
    return machine.post("/v1/displays/acpi_video0/boost", body)


def restore(machine):
    machine.post("/v1/displays/acpi_video0/restore", {"all": True})


def put(machine, brightness, panel=0):
    return machine.put(f"/v1/displays/acpi_video{panel}/brightness", {"brightness": brightness})


def test_both_panels_are_displays(machine):
    displays = machine.get("/v1/displays")["displays"]
    assert [display["id"] for display in displays] == ["acpi_video0", "acpi_video1"]
    assert {display["kind"] for display in displays} == {"backlight"}
    assert "acpi_video0" in machine.run("brightnessd probe")


def test_a_put_reaches_the_driver_of_its_panel_only(machine):
    other = machine.step(1)
    put(machine, 0.7)
    assert (machine.step(0), machine.step(1)) == (7, other)


def test_a_boost_and_its_release_reach_the_driver(machine):
    put(machine, 0.4)
    assert boost(machine)["brightness"] == 1
    assert machine.step() == 10
    restore(machine)
    assert machine.step() == 4


def test_another_programs_write_in_a_boost_becomes_the_baseline(machine):
    put(machine, 0.4)
    boost(machine)
    machine.write("/sys/class/backlight/acpi_video0/brightness", 2)
    state = machine.wait_for_state("the write", lambda state: state["raw"]["value"] == 2)
    assert (state["baseline"], state["cause"]["kind"], state["boost"]["overridden"]) == (0.2, "external", True)
    restore(machine)
    assert machine.step() == 2


def test_the_firmwares_key_is_reported_as_hotkey(machine):
    put(machine, 0.4)
    machine.press("up")
    state = machine.wait_for_state("the key", lambda state: state["raw"]["value"] == 5)
    assert (state["baseline"], state["cause"]["kind"]) == (0.5, "hotkey")
    machine.press("down")
    machine.wait_for_state("the other key", lambda state: state["raw"]["value"] == 4)


def test_a_panel_that_another_program_switches_off_gets_its_value_when_it_is_on(machine):
    put(machine, 0.4)
    machine.write("/sys/class/backlight/acpi_video0/bl_power", 4)
    state = machine.wait_for_state("the switch", lambda state: state["power"]["on"] is False)
    assert (state["cause"]["kind"], state["available"]) == ("external", True)
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.8})
    machine.write("/sys/class/backlight/acpi_video0/bl_power", 0)
    state = machine.wait_for_state("the light", lambda state: state["power"]["on"])
    assert state["cause"]["kind"] == "external"
    machine.wait_for_state("its value", lambda state: state["raw"]["value"] == 8)
    assert machine.step() == 8


def switch(machine, is_on):
    machine.write("/sys/class/backlight/acpi_video0/bl_power", 0 if is_on else 4)
    machine.wait_for_state("the switch", lambda state: state["power"]["on"] is is_on)


@pytest.mark.parametrize("restored", ["before it is on", "after it is on"])
def test_a_step_that_another_program_restores_around_a_blank_screen_stays(machine, restored):
    put(machine, 0.5)
    machine.write("/sys/class/backlight/acpi_video0/brightness", 1)
    machine.wait_for_state("the dimming", lambda state: state["raw"]["value"] == 1)
    switch(machine, False)
    if restored == "before it is on":
        machine.write("/sys/class/backlight/acpi_video0/brightness", 5)
    switch(machine, True)
    if restored == "after it is on":
        machine.write("/sys/class/backlight/acpi_video0/brightness", 5)
    state = machine.wait_for_state("the step", lambda state: state["raw"]["value"] == 5)
    assert (state["baseline"], machine.step()) == (0.5, 5)


def test_a_step_that_another_program_sets_on_a_blank_screen_stays(machine):
    put(machine, 0.5)
    switch(machine, False)
    machine.write("/sys/class/backlight/acpi_video0/brightness", 8)
    switch(machine, True)
    state = machine.wait_for_state("the step", lambda state: state["raw"]["value"] == 8)
    assert (state["baseline"], state["cause"]["kind"], machine.step()) == (0.8, "external", 8)


def test_a_sleep_of_a_panel_whose_driver_ignores_bl_power_is_refused(machine):
    assert machine.state()["power"] == {"on": True, "baseline": True, "switchable": False}
    with pytest.raises(urllib.error.HTTPError, match="409"):
        machine.post("/v1/displays/acpi_video0/sleep", {"ttl": 2})
    assert machine.run("cat /sys/class/backlight/acpi_video0/bl_power") == "0"


def test_a_driver_that_is_unloaded_and_loaded_in_a_boost_gets_its_values(machine):
    put(machine, 0.3)
    put(machine, 0.6, panel=1)
    boost(machine, ttl=600)
    machine.run("rmmod video")
    machine.wait_for_state("the removal", lambda state: not state["available"])
    machine.run("modprobe video")
    state = machine.wait_for_state("the return", lambda state: state["available"] and state["raw"]["value"] == 10)
    assert (state["baseline"], state["boost"]["leases"]) == (0.3, 1)
    restore(machine)
    assert (machine.step(0), machine.step(1)) == (3, 6)
