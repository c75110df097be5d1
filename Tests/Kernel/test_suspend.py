# SPDX-License-Identifier: Apache-2.0
"""Suspend to RAM and back."""

import threading
import time

from virtual_machine import wait_for


def sleep(machine, seconds):
    """Suspends the machine and wakes it after some seconds."""
    before = machine.console.count("PM: suspend entry")
    suspended = threading.Thread(target=lambda: machine.run("echo mem >/sys/power/state"))
    suspended.start()
    wait_for("the suspend", lambda: machine.console.count("PM: suspend entry") > before, within=60)
    time.sleep(seconds)
    # A wake-up that comes before the processor is halted is lost.
    while suspended.is_alive():
        machine.monitor("system_wakeup")
        suspended.join(timeout=3)
    assert machine.console.count("PM: suspend exit") > 0


def test_a_display_is_as_it_was_after_a_suspend(machine):
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
    sleep(machine, 2)
    machine.wait_for_state("the wake-up", lambda state: state["available"] and state["raw"]["value"] == 4)
    machine.wait_for_step(4)


def test_a_boost_with_time_left_goes_on_after_a_suspend(machine):
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
    machine.post("/v1/displays/acpi_video0/boost", {"ttl": 600})
    sleep(machine, 2)
    machine.wait_for_state("the wake-up", lambda state: state["boost"] and state["raw"]["value"] == 10)
    machine.post("/v1/displays/acpi_video0/restore", {"all": True})
    machine.wait_for_step(4)


def test_a_lease_that_expires_in_a_suspend_is_over_after_it(machine):
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
    machine.post("/v1/displays/acpi_video0/boost", {"ttl": 5})
    sleep(machine, 8)
    state = machine.wait_for_state("the restore", lambda state: state["boost"] is None, within=10)
    assert state["cause"]["kind"] == "expired"
    wait_for("the driver", lambda: machine.step() == 4)
