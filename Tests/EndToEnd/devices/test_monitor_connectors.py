# SPDX-License-Identifier: Apache-2.0
"""A monitor's own connector decides whether it is present and awake: the helper, over a stand-in libddcutil."""

import errno
from pathlib import Path

import pytest

from support.daemon import BINARY
from support.monitor import Helper, Machine

ID = "DEL-DELL_U2720Q-ABC_123"
EDID = b"another's EDID".ljust(128, b"\2")


@pytest.fixture
def machine(tmp_path, library):
    machine = Machine(tmp_path, library)
    # A laptop's own panel, which is awake and has nothing to do with any monitor.
    panel = machine.sys / "class/drm/card0-eDP-1"
    panel.mkdir()
    (panel / "edid").write_bytes(b"a panel's EDID".ljust(128, b"\3"))
    (panel / "dpms").write_text("On\n")
    return machine


@pytest.fixture
def helper(machine):
    """Starts the helper. The monitors are there already."""
    helpers = []

    def start():
        helpers.append(Helper(machine, Path(BINARY).with_name("brightness-ddc")))
        return helpers[-1]

    yield start
    for one in helpers:
        one.end()


def test_a_monitor_without_a_connector_of_its_own_is_present(machine, helper):
    """NVIDIA without kernel mode setting, next to a laptop's panel."""
    machine.add().has_no_connector()
    monitors = helper()
    assert monitors.detect() == [ID]
    assert monitors.power(ID) is None
    assert monitors.ask(do="read", monitor=ID)[0]["current"] == 40


@pytest.mark.parametrize("tells_bus", [False, True])
def test_a_monitor_with_another_edid_in_the_kernel_is_present(machine, helper, tells_bus):
    """`drm.edid_firmware`, or a KVM switch."""
    machine.add(tells_bus=tells_bus).shows(EDID)
    monitors = helper()
    assert monitors.detect() == [ID]
    assert monitors.power(ID) is None


def test_a_monitors_sleep_is_seen_by_its_bus_whatever_the_edid(machine, helper):
    monitor = machine.add(tells_bus=True)
    monitor.shows(EDID)
    monitors = helper()
    monitors.detect()
    monitor.sleeps()
    assert monitors.power(ID) == "asleep"
    monitor.sleeps(False)
    assert monitors.power(ID) is None


@pytest.mark.parametrize("tells_bus", [False, True])
def test_a_monitor_whose_connector_is_empty_is_absent(machine, helper, tells_bus):
    monitor = machine.add(tells_bus=tells_bus)
    monitors = helper()
    monitors.detect()
    edid = monitor.edid
    monitor.shows(b"")
    assert monitors.power(ID) == "absent"
    monitor.shows(edid)
    assert monitors.power(ID) is None


def test_a_monitor_whose_connector_is_disconnected_is_absent(machine, helper):
    monitor = machine.add(tells_bus=True)
    monitors = helper()
    monitors.detect()
    (monitor.connector / "status").write_text("disconnected\n")
    assert monitors.power(ID) == "absent"


def test_a_monitor_that_does_not_acknowledge_is_there(machine, helper):
    """On Intel graphics that is ENXIO."""
    monitor = machine.add(tells_bus=True)
    monitors = helper()
    monitors.detect()
    monitor.fails(-errno.ENXIO)
    assert monitors.ask(do="read", monitor=ID)[0]["error"] == "failed"


def test_a_monitor_that_was_replaced_is_absent(machine, helper):
    """A write to its bus would reach the other monitor."""
    monitor = machine.add(tells_bus=True)
    monitors = helper()
    monitors.detect()
    monitor.shows(EDID)
    assert monitors.power(ID) == "absent"
    assert monitors.ask(do="write", monitor=ID, step=70)[0]["error"] == "absent"
    assert monitor.writes == []
    (monitor.folder / "edid").write_bytes(EDID)
    (monitor.folder / "model").write_text("other\n")
    assert monitors.detect() == ["DEL-other-ABC_123"]
    assert monitors.power(ID) == "absent"


def test_a_monitor_on_another_connector_is_detected_again(machine, helper):
    monitor = machine.add(bus=5, tells_bus=True)
    monitors = helper()
    monitors.detect()
    edid = monitor.edid
    monitor.shows(b"")
    machine.add(bus=9, maker="GSM", model="other", tells_bus=True).shows(edid)
    assert monitors.power(ID) == "moved"


def test_two_equal_monitors_have_a_power_state_each(machine, helper):
    left, right = (machine.add(bus, serial="", tells_bus=True) for bus in (5, 6))
    monitors = helper()
    ids = monitors.detect()
    assert len(ids) == 2 and ids[1] == f"{ids[0]}-DP-6"
    left.sleeps()
    assert [monitors.power(id) for id in ids] == ["asleep", None]
    left.sleeps(False)
    right.sleeps()
    assert [monitors.power(id) for id in ids] == [None, "asleep"]
    assert monitors.ask(do="write", monitor=ids[0], step=70)[0]["done"]
    assert (left.writes, right.writes) == ([70], [])
    right.sleeps(False)
    left.shows(b"")
    # It is not the monitor that is plugged in next to it.
    assert [monitors.power(id) for id in ids] == ["absent", None]


def test_equal_monitors_on_unknown_buses_are_not_woken(machine, helper):
    left, right = (machine.add(bus, serial="") for bus in (5, 6))
    monitors = helper()
    ids = monitors.detect()
    assert [monitors.power(id) for id in ids] == [None, None]
    right.sleeps()
    assert [monitors.power(id) for id in ids] == ["asleep", "asleep"]


def test_displayport_has_its_bus_below_the_connector(machine, helper):
    left, right = (machine.add(bus, serial="") for bus in (5, 6))
    for monitor, bus in ((left, 5), (right, 6)):
        (monitor.connector / f"i2c-{bus}").mkdir()
    monitors = helper()
    ids = monitors.detect()
    left.sleeps()
    assert [monitors.power(id) for id in ids] == ["asleep", None]


def test_a_connector_that_comes_later_than_its_monitor_is_its_own(machine, helper):
    monitor = machine.add()
    edid = monitor.edid
    monitor.shows(b"")
    monitors = helper()
    monitors.detect()
    assert monitors.power(ID) is None
    monitor.shows(edid)
    monitor.sleeps()
    assert monitors.power(ID) == "asleep"
