# SPDX-License-Identifier: Apache-2.0
"""Keys of a keyboard of the kernel's uinput, on a machine with `--idle-dim` and `--idle-sleep`.

The ACPI driver's panel cannot be switched, so a simulated one next to it shows the sleep.
"""

import pytest

from virtual_machine import wait_for

SECONDS = 8
"""After how many seconds without a key displays are dimmed. They sleep after twice that."""


@pytest.fixture(scope="module")
def idle(boot_module):
    displays = ("--display", "backlight:acpi_video0", "--display", "simulated")
    machine = boot_module(daemon=(*displays, "--idle-dim", f"{SECONDS}:0.1", "--idle-sleep", str(2 * SECONDS)))
    machine.put("/v1/displays/all/brightness", {"brightness": 0.6})
    machine.run("modprobe evdev; modprobe uinput; mkfifo /run/keys")
    machine.run("setsid keyboard /run/keys >/run/keyboard.log 2>&1 </dev/null & echo $! >/run/keyboard")
    wait_for("the keyboard", lambda: "Test keyboard" in machine.run("cat /sys/class/input/event*/device/name", check=False))
    return machine


def press(machine):
    machine.run("printf a >/run/keys")


def is_off(machine):
    return machine.get("/v1/displays/simulated")["power"]["on"] is False


def wait_for_dim(machine):
    machine.wait_for_state("the dim", lambda state: state["dim"] and state["raw"]["value"] == 1, within=60)


def wait_for_sleep(machine):
    wait_for("the sleep", lambda: is_off(machine), within=90)
    state = machine.get("/v1/displays/simulated")
    assert (state["cause"]["kind"], state["power"]["baseline"]) == ("idle", True)


def wait_for_light(machine):
    wait_for("the key", lambda: not is_off(machine) and machine.step() == 6)
    for name in ("simulated", "acpi_video0"):
        state = machine.get(f"/v1/displays/{name}")
        assert (state["sleep"], state["dim"], state["brightness"], state["cause"]["kind"]) == (None, None, 0.6, "idle")


def test_probe_lists_the_keyboard(idle):
    listed = idle.run("brightnessd probe", check=False)
    row = next(line for line in listed.splitlines() if "Test keyboard" in line)
    assert row.split()[-1] == "yes"
    assert "Lid" not in listed


def test_a_key_wakes_a_dimmed_screen(idle):
    wait_for_dim(idle)
    assert not is_off(idle)
    press(idle)
    wait_for_light(idle)


def test_a_key_switches_a_sleeping_screen_on(idle):
    wait_for_sleep(idle)
    assert idle.step() == 1
    press(idle)
    wait_for_light(idle)


def test_keys_keep_a_screen_awake(idle):
    press(idle)
    for _ in range(SECONDS):
        idle.run("sleep 2")
        press(idle)
        assert (is_off(idle), idle.state()["dim"], idle.step()) == (False, None, 6)


def test_a_keyboard_that_is_plugged_in_while_the_screen_sleeps_counts(idle):
    idle.run("kill $(cat /run/keyboard)")
    gone = lambda: "Test keyboard" not in idle.run("cat /sys/class/input/event*/device/name", check=False)  # noqa: E731
    wait_for("the removal", gone)
    wait_for_sleep(idle)
    idle.run("setsid keyboard /run/keys >/run/keyboard.log 2>&1 </dev/null & echo $! >/run/keyboard")
    wait_for("the keyboard", lambda: not gone())
    idle.run("sleep 2")
    press(idle)
    wait_for_light(idle)


def test_a_stop_restores_the_baseline(idle):
    wait_for_sleep(idle)
    idle.signal_daemon("TERM")
    assert idle.step() == 6
