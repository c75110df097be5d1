# SPDX-License-Identifier: Apache-2.0
"""A television over HDMI-CEC: the kernel's `vivid` has the bus with its real timing, and Debian's cec-follower is the television.

cec0 is the television's end, cec1 the daemon's, and cec2 another device's.
"""

import json
import re
import time
import urllib.request

import pytest

from virtual_machine import SLOWNESS, wait_for

INTERVAL = 10
PIN_INTERVAL = 31
"""The seconds between two switches."""


class Television:
    """Debian's cec-follower, which is independent of the daemon."""

    def __init__(self, machine):
        self.machine = machine

    def start(self, *options):
        """It is on, unless the options state otherwise. Its log begins again."""
        self.stop()
        self.machine.run(f"setsid cec-follower -d0 -s {' '.join(options)} >/tmp/television 2>&1 </dev/null &")
        wait_for("the television", lambda: "Initial Event" in self.log)

    def stop(self):
        self.machine.run("killall cec-follower", check=False)

    @property
    def log(self):
        return self.machine.run("cat /tmp/television", check=False)

    @property
    def changes(self):
        """Each change of its power, as it printed them."""
        return re.findall(r"Changing state to (on|standby)", self.log)

    def wait_for_changes(self, *changes, within=30):
        wait_for(f"the changes {changes}", lambda: self.changes == list(changes), within)

    def press_power_off(self):
        """A person's hand on its remote control: it goes to standby and announces that on the bus."""
        self.machine.run("cec-ctl -d2 --to 0 --standby")
        self.machine.run("cec-ctl -d0 --to 15 --standby")

    def status(self):
        """The status that it reports to another device now."""
        answer = self.machine.run("cec-ctl -d2 --to 0 --give-device-power-status")
        return re.search(r"pwr-state: (\S+)", answer).group(1)


class Display:
    """The daemon's display of it."""

    def __init__(self, machine):
        self.machine = machine
        self.path = "/v1/displays/cec1"

    def state(self):
        return self.machine.get(self.path)

    def wait_for(self, what, condition, within=30):
        return wait_for(what, lambda: (state := self.state()) and condition(state) and state, within)

    def wait_until_on(self, is_on, within=30):
        return self.wait_for(f"on: {is_on}", lambda state: state["power"]["on"] is is_on, within)

    def watch(self):
        """A client's stream; while it is open, the daemon asks the television more often."""
        return urllib.request.urlopen(f"http://127.0.0.1:{self.machine.port}/v1/events", timeout=30)

    def turn(self, is_on):
        self.machine.put(f"{self.path}/power", {"on": is_on})


@pytest.fixture(scope="module")
def bus(boot_module):
    machine = boot_module(daemon=None)
    machine.run("modprobe vivid n_devs=1 num_inputs=1 input_types=0x3 num_outputs=2 output_types=0x3")
    machine.run("cec-ctl -d0 --tv")
    machine.run("cec-ctl -d2 --playback")
    return machine


@pytest.fixture
def television(bus):
    television = Television(bus)
    yield television
    television.stop()


@pytest.fixture
def serve(bus, television):
    """Starts the television, then a daemon without a record of an earlier one."""

    def serve(*options, television_options=()):
        television.start(*television_options)
        bus.run("rm -rf /state/*")
        bus.start_daemon(*(options or ("--display", "cec:1")))
        return Display(bus)

    yield serve
    bus.run("killall -KILL brightnessd", check=False)


def test_off_and_on_are_carried_out_and_read_back(television, serve):
    display = serve()
    state = display.wait_until_on(True)
    assert (state["kind"], state["dimmable"], state["raw"]) == ("tv", False, {"value": 1, "maximum": 1})
    display.turn(False)
    state = display.wait_until_on(False)
    assert television.changes == ["standby"]
    assert state["cause"]["kind"] == "api"
    display.turn(True)
    state = display.wait_until_on(True)
    assert television.changes == ["standby", "on"]
    wait_for("this machine's input", lambda: "New active source: 1.0.0.0" in television.log)


def test_a_status_that_is_two_seconds_late_is_no_change_by_a_person(television, serve):
    display = serve()
    display.wait_until_on(True)
    display.turn(False)
    television.wait_for_changes("standby")
    # cec-follower answers with the former status for one to two seconds, then with a transition for six.
    assert television.status() == "on"
    display.wait_until_on(False)
    end = time.monotonic() + 12 * SLOWNESS
    while time.monotonic() < end:
        state = display.state()
        assert (state["power"]["on"], state["cause"]["kind"]) == (False, "api")
        time.sleep(0.5)
    assert television.changes == ["standby"]


def test_two_switches_are_ten_seconds_apart(television, serve):
    display = serve()
    display.wait_until_on(True)
    start = time.monotonic()
    for is_on in [False, True, False, True]:
        display.turn(is_on)
        time.sleep(0.5)
    television.wait_for_changes("standby", "on", within=40)
    assert time.monotonic() - start >= INTERVAL - 1


def test_a_television_that_ignores_image_view_on_gets_the_key(television, serve):
    display = serve(television_options=["--standby", "--ignore", "all,0x04"])
    display.wait_until_on(False)
    display.turn(True)
    display.wait_until_on(True)
    assert television.changes == ["on"]
    assert "Button press: power-on-function" in television.log


def test_the_power_of_a_television_that_never_answers_is_not_known(television, serve):
    display = serve(television_options=["--ignore", "all,0x8f"])
    assert display.state()["power"] == {"on": None, "baseline": True, "switchable": True}
    display.turn(False)
    television.wait_for_changes("standby")
    state = display.wait_for("the baseline", lambda state: state["power"]["baseline"] is False)
    assert (state["power"]["on"], state["available"]) == (None, True)
    display.turn(True)
    television.wait_for_changes("standby", "on")


def test_a_television_whose_status_changes_by_itself_is_left_alone(television, serve):
    display = serve(television_options=["--toggle-power-status", "25"])
    with display.watch():
        for is_on in [False, True]:
            assert display.wait_until_on(is_on, within=60)["cause"]["kind"] == "external"
    assert television.changes == ["standby", "on"]


def test_the_remote_control_overrides_a_wake_and_this_machine_stays_on(bus, television, serve):
    display = serve()
    display.wait_until_on(True)
    bus.post(f"{display.path}/wake", {"ttl": 600})
    television.press_power_off()
    state = display.wait_until_on(False, within=5)
    assert state["cause"]["kind"] == "external"
    assert state["wake"]["overridden"] is True
    time.sleep(12 * SLOWNESS)
    assert display.state()["power"]["on"] is False
    assert television.changes == ["standby"]


def test_a_program_that_holds_the_adapter_is_waited_for_and_then_reported(bus, television, serve):
    display = serve()
    display.wait_until_on(True)
    bus.run("setsid cec_holder /dev/cec1 4 >/dev/null 2>&1 </dev/null &")
    display.turn(False)
    display.wait_until_on(False)
    assert television.changes == ["standby"]
    time.sleep(INTERVAL * SLOWNESS)
    bus.run("setsid cec_holder /dev/cec1 40 >/dev/null 2>&1 </dev/null &")
    assert "for itself alone" in bus.run("brightnessd probe", check=False)
    display.turn(True)
    reason = "/dev/cec1: another program holds the CEC adapter"
    wait_for("the report", lambda: reason in bus.run("cat /state/log"))
    assert display.state()["power"]["baseline"] is False
    bus.run("killall cec_holder")
    time.sleep(INTERVAL * SLOWNESS)
    display.turn(True)
    television.wait_for_changes("standby", "on")


def test_a_sleep_outlives_that_the_television_was_unplugged(bus, television, serve):
    display = serve()
    display.wait_until_on(True)
    bus.post(f"{display.path}/sleep", {"ttl": 600})
    display.wait_until_on(False)
    # One that is unplugged sooner may have dropped its hot-plug pin in standby.
    time.sleep(PIN_INTERVAL * SLOWNESS)
    bus.run("v4l2-ctl -d /dev/video1 -c display_present=0")
    display.wait_for("unplugged", lambda state: not state["available"])
    # It is another one that is on, or was switched on at the wall.
    television.start()
    time.sleep(INTERVAL * SLOWNESS)
    assert television.changes == []
    # vivid has an address again only with the television's EDID.
    bus.run("v4l2-ctl -d /dev/video1 -c display_present=1 && v4l2-ctl -d /dev/video0 --set-edid=type=hdmi")
    television.wait_for_changes("standby", within=60)
    state = display.wait_for("plugged in", lambda state: state["available"] and state["power"]["on"] is False)
    assert (state["sleep"]["leases"], state["sleep"]["overridden"]) == (1, False)


def test_it_is_on_after_a_sleep_although_it_dropped_its_hot_plug_pin(bus, television, serve):
    display = serve()
    display.wait_until_on(True)
    bus.post(f"{display.path}/sleep", {"ttl": 25})
    television.wait_for_changes("standby")
    bus.run("v4l2-ctl -d /dev/video1 -c display_present=0")
    try:
        television.wait_for_changes("standby", "on", within=60)
    finally:
        bus.run("v4l2-ctl -d /dev/video1 -c display_present=1 && v4l2-ctl -d /dev/video0 --set-edid=type=hdmi")
    display.wait_until_on(True)


def test_it_is_on_again_after_kill_9_in_a_sleep(bus, television, serve):
    display = serve()
    display.wait_until_on(True)
    bus.post(f"{display.path}/sleep", {"ttl": 25})
    display.wait_until_on(False)
    bus.signal_daemon("KILL")
    assert television.changes == ["standby"]
    bus.start_daemon("--display", "cec:1")
    assert display.state()["sleep"]["leases"] == 1
    display.wait_until_on(True, within=60)
    assert television.changes == ["standby", "on"]


def test_it_is_on_after_a_stop_in_a_sleep(bus, television, serve):
    display = serve()
    display.wait_until_on(True)
    bus.post(f"{display.path}/sleep", {"ttl": 600})
    display.wait_until_on(False)
    bus.signal_daemon("TERM")
    assert television.changes == ["standby", "on"]


def test_it_is_off_during_the_night_of_a_schedule(bus, television, serve):
    display = serve()
    display.wait_until_on(True)
    bus.run("date -s '2030-01-01 21:59:50'")
    bus.put("/v1/schedules/night", {"from": "22:00", "to": "07:00", "sleep": True})
    state = display.wait_until_on(False)
    assert state["cause"]["kind"] == "schedule"
    bus.run("date -s '2030-01-02 06:59:55'")
    display.wait_until_on(True)
    assert television.changes == ["standby", "on"]


def test_a_pair_has_the_power_of_the_television(bus, television, serve):
    serve("--display", "none", "--pair", "lobby=simulated:page+cec:1")
    bus.put("/v1/displays/lobby/power", {"on": False})
    television.wait_for_changes("standby")
    # The answer may come before the television has confirmed its switch.
    bus.put("/v1/displays/lobby/brightness", {"brightness": 0.3})
    wait_for("the brightness", lambda: bus.get("/v1/displays/lobby")["brightness"] == 0.3)
    assert [display["id"] for display in bus.get("/v1/displays")["displays"]] == ["lobby"]


def test_auto_serves_the_television_at_every_output(bus, television, serve):
    serve("--display", "cec:auto")
    assert [display["id"] for display in bus.get("/v1/displays")["displays"]] == ["cec1", "cec2"]


def test_probe_lists_the_adapters(bus, television, serve):
    serve()
    tables = json.loads(bus.run("brightnessd probe --json 2>/dev/null", check=False))["tables"]
    rows = next(table["rows"] for table in tables if table["title"].startswith("Televisions"))
    assert [row["display"] for row in rows] == ["cec:0", "cec:1", "cec:2"]
    assert [row["now"] for row in rows] == ["an input", "on", "on"]
    assert rows[1]["connectedTo"] == "at 1.0.0.0"
    assert "brightnessd" in rows[1]["openIn"] and "cec-follower" in rows[0]["openIn"]


def test_cec_compliance_finds_no_failure(bus, television, serve):
    serve()
    features = ("core", "power-status", "system-information", "routing-control", "device-osd-transfer",
                "vendor-specific-commands", "remote-control-passthrough")  # fmt: skip
    # The kernel has claimed the address of a playback device for the daemon: 4, 8 or 11.
    address = re.search(r"Logical Address +: (\d+) \(Playback", bus.run("cec-ctl -d1")).group(1)
    found = bus.run(f"cec-compliance -d0 -r{address} {' '.join(f'--test-{feature}' for feature in features)}", check=False)
    print(found)
    total = re.search(r"Total for .*: (\d+), Succeeded: (\d+), Failed: (\d+), Warnings: (\d+)", found)
    assert total and int(total.group(1)) > 10
    assert total.group(3, 4) == ("0", "0")
