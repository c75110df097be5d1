# SPDX-License-Identifier: Apache-2.0
"""Monitors that are plugged in and unplugged while the daemon runs, as the kernel reports it."""

import pytest

from support.monitor import becomes, shows
from support.testbed import Testbed
from support.until import until

ID = "DEL-DELL_U2720Q-ABC_123"


@pytest.fixture
def testbed():
    with Testbed() as testbed:
        yield testbed


@pytest.fixture
def card(testbed):
    return testbed.add("drm", "card0")


@pytest.fixture
def run(start, machine, testbed):
    """A daemon on this machine, which hears of the testbed's connectors."""

    def run(*options):
        how = {"env": machine.env | testbed.environment, "prefix": testbed.prefix, "expects": "ddc|DEL-|GSM-|brightness-ddc|simulated"}
        display = () if "--display" in options else ("--display", "auto")
        return start(*machine.options, *display, *options, **how)

    return run


@pytest.fixture
def serve(run, connect):
    """A client of such a daemon."""
    return lambda *options: connect(run(*options))


def ids(client):
    return [state["id"] for state in client.get("/v1/displays").json()["displays"]]


def unplug(machine, monitor, card, testbed):
    monitor.folder.rename(machine.monitors.parent / "away")
    monitor.shows(b"")
    testbed.plug(card)


def test_a_monitor_that_is_plugged_in_becomes_a_display(serve, machine, testbed, card):
    (machine.sys / "class/i2c-dev/i2c-1").mkdir()
    client = serve()
    assert ids(client) == ["simulated"]
    first = machine.add()
    testbed.plug(card)
    until(lambda: ids(client) == [ID], "it is here, in place of the simulated display")
    client.put("/v1/brightness", json={"brightness": 0.7})
    shows(first, 70)
    machine.add(9, maker="GSM", model="another", serial="7")
    testbed.plug(card)
    until(lambda: len(ids(client)) == 2, "the other one is here")
    assert ids(client)[0] == ID


def test_a_monitor_that_comes_back_has_its_name_and_its_brightness(serve, machine, testbed, card):
    monitor = machine.add()
    client = serve()
    client.put(f"/v1/displays/{ID}/settings", json={"name": "Left"})
    client.put("/v1/brightness", json={"brightness": 0.7})
    shows(monitor, 70)
    edid = monitor.edid
    unplug(machine, monitor, card, testbed)
    # No client asks the monitor: the kernel's report is enough.
    becomes(client, "it is not available", available=False)
    away = machine.monitors.parent / "away"
    # It was used with another computer.
    (away / "current").write_text("10\n")
    monitor.shows(edid)
    away.rename(monitor.folder)
    testbed.plug(card)
    becomes(client, "it is back", available=True, brightness=0.7, name="Left")
    shows(monitor, 70)
    assert ids(client) == [ID]


def test_the_buses_are_not_searched_without_a_report(serve, machine, testbed, card):
    monitor = machine.add()
    client = serve()
    client.put("/v1/brightness", json={"brightness": 0.7})
    shows(monitor, 70)
    machine.add(9, maker="GSM", model="another", serial="7")
    # Another change of the card, such as of its runtime power.
    testbed.uevent(card)
    client.put("/v1/brightness", json={"brightness": 0.6})
    shows(monitor, 60)
    assert ids(client) == [ID]
    testbed.plug(card)
    until(lambda: len(ids(client)) == 2, "the other one is here")


def test_a_daemon_with_a_selection_adds_no_other_monitor(serve, machine, testbed, card):
    monitor = machine.add()
    client = serve("--display", f"ddc:{ID}")
    machine.add(9, maker="GSM", model="another", serial="7")
    unplug(machine, monitor, card, testbed)
    becomes(client, "it is not available", available=False)
    assert ids(client) == [ID]


def test_a_second_equal_monitor_takes_no_name_from_the_first(run, connect, machine, testbed, card, tmp_path):
    right = machine.add(6, serial="", tells_bus=True)
    options = ("--state-directory", tmp_path / "state")
    daemon = run(*options)
    client = connect(daemon)
    (first,) = ids(client)
    client.put(f"/v1/displays/{first}/settings", json={"name": "Right"})
    left = machine.add(5, serial="", tells_bus=True)
    testbed.plug(card)
    until(lambda: len(ids(client)) == 2, "the other one is here")
    for _ in range(2):
        assert sorted(ids(client)) == [first, f"{first}-DP-5"]
        client.put(f"/v1/displays/{first}/brightness", json={"brightness": 0.7})
        shows(right, 70)
        assert client.get(f"/v1/displays/{first}").json()["name"] == "Right"
        right.step = 40
        daemon.stop()
        # It is so at the next start, too.
        client = connect(daemon := run(*options))
    assert left.step == 40


@pytest.mark.parametrize("is_reported", [False, True], ids=["in silence", "with a report of its connector"])
def test_a_monitor_that_is_off_is_switched_on_after_a_search(serve, machine, testbed, card, is_reported):
    monitor = machine.add(tells_bus=True)
    monitor.hides_while_off()
    client = serve("--ddc-power", ID)
    assert client.post("/v1/sleep", json={"holder": "night"}).status_code in (201, 202)
    until(lambda: not monitor.is_on, "it is off")
    if is_reported:
        searches = len(monitor.log("detect"))
        testbed.plug(card)
        until(lambda: len(monitor.log("detect")) > searches, "the buses were searched")
    client.post("/v1/restore", json={"holder": "night"})
    until(lambda: monitor.is_on, "it is on")
    becomes(client, "it is available", available=True)


def test_of_two_equal_monitors_each_keeps_its_name_while_the_other_is_away(run, connect, machine, testbed, card, tmp_path):
    left, right = (machine.add(bus, serial="", tells_bus=True) for bus in (5, 6))
    options = ("--state-directory", tmp_path / "state")
    daemon = run(*options)
    client = connect(daemon)
    first, second = ids(client)
    assert second == f"{first}-DP-6"
    client.put(f"/v1/displays/{second}/settings", json={"name": "Right"})
    client.put(f"/v1/displays/{second}/brightness", json={"brightness": 0.7})
    shows(right, 70)
    unplug(machine, left, card, testbed)
    until(lambda: not client.get(f"/v1/displays/{first}").json()["available"], "the left one is away")
    client.put(f"/v1/displays/{second}/brightness", json={"brightness": 0.6})
    shows(right, 60)
    daemon.stop()
    # Alone at the next start.
    client = connect(run(*options))
    assert [(state["id"], state["name"]) for state in client.get("/v1/displays").json()["displays"]] == [(second, "Right")]
