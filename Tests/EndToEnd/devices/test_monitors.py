# SPDX-License-Identifier: Apache-2.0
"""Monitors over DDC/CI: the real daemon and the real helper, over a stand-in for libddcutil."""

import os
import subprocess
import time

from support.daemon import BINARY, environment
from support.events import Stream
from support.monitor import TIMEOUT, becomes, library_name, shows
from support.until import until

ID = "DEL-DELL_U2720Q-ABC_123"
BRIGHTNESS = "/v1/brightness"


def test_the_state_shows_the_monitors_values(serve, machine):
    machine.add(current=300, maximum=600)
    state = serve()[1].state
    assert (state["id"], state["name"], state["kind"], state["available"]) == (ID, "DELL U2720Q", "ddc", True)
    assert (state["raw"], state["brightness"]) == ({"value": 300, "maximum": 600}, 0.5)
    assert state["writes"] == {"today": 0, "budget": 300}


def test_two_equal_monitors_have_different_ids(serve, machine):
    machine.add(5, serial="")
    machine.add(7, serial="")
    machine.add(9, maker="GSM", model="LG/ÄÖ 4K", serial="")
    displays = serve()[1].get("/v1/displays").json()["displays"]
    ids = [display["id"] for display in displays]
    assert len(set(ids)) == 3
    assert all(display["kind"] == "ddc" for display in displays)
    assert serve()[1].get("/v1/displays").json()["displays"][0]["id"] == ids[0]


def test_set_boost_and_restore_write_the_monitor(serve, machine):
    monitor = machine.add()
    client = serve()[1]
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}).status_code in (200, 202)
    shows(monitor, 70)
    client.boost(holder="kiosk-3")
    shows(monitor, 100)
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    shows(monitor, 70)
    assert monitor.writes == [70, 100, 70]


def test_the_monitors_buttons_are_seen_while_a_client_is_connected(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    with Stream(daemon.port) as stream:
        stream.next("state")
        until(lambda: len(monitor.log("read")) > 1, "it is read")
        monitor.step = 12
        state = stream.next("state").data
    assert (state["baseline"], state["cause"]["kind"]) == (0.12, "external")


def test_a_sleeping_monitor_gets_its_brightness_when_it_is_awake(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    client.boost(holder="kiosk-3")
    shows(monitor, 100)
    monitor.sleeps()
    before = monitor.log()
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    becomes(client, "it is not available", available=False)
    with Stream(daemon.port) as stream:
        stream.next("state")
    # The daemon tries again after one second, two and four: each time the kernel says that it sleeps.
    time.sleep(4)
    assert monitor.log() == before
    # Once awake some do not answer for a while, and some have lost their brightness.
    monitor.fails(-3007)
    monitor.step = 75
    monitor.sleeps(False)
    until(lambda: len(monitor.log("read")) > len([1 for _, what in before if what.startswith("read")]), "tried")
    monitor.fails(None)
    becomes(client, "it is back", available=True, brightness=0.4)
    assert monitor.step == 40
    assert client.state["cause"]["kind"] == "external"


def test_a_monitor_that_sleeps_at_the_start_is_added_when_it_is_awake(serve, machine):
    monitor = machine.add()
    monitor.sleeps()
    daemon, client = serve()
    assert client.state["kind"] == "simulated"
    daemon.line(f"the monitor ddc:{ID} is asleep")
    before = monitor.log()
    monitor.sleeps(False)
    becomes(client, "it is here", id=ID, available=True, brightness=0.4)
    assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == [ID]
    assert [words for _, words in before if words.startswith(("read", "write"))] == []
    client.put(BRIGHTNESS, json={"brightness": 0.7})
    shows(monitor, 70)


def test_a_monitor_of_an_earlier_run_that_sleeps_in_silence_is_added_when_it_is_awake(serve, machine, tmp_path):
    monitor = machine.add(tells_bus=True)
    monitor.hides_while_off()
    options = ("--state-directory", tmp_path / "state")
    daemon, client = serve(*options)
    client.put(BRIGHTNESS, json={"brightness": 0.7})
    shows(monitor, 70)
    daemon.stop()
    monitor.sleeps()
    daemon, client = serve(*options)
    assert client.state["kind"] == "simulated"
    daemon.line(f"the monitor ddc:{ID} is asleep")
    monitor.sleeps(False)
    becomes(client, "it is here", id=ID, available=True, brightness=0.7)


def test_a_named_monitor_may_sleep_at_the_start(serve, machine):
    monitor = machine.add()
    monitor.sleeps()
    client = serve("--display", f"ddc:{ID}", "--default-display", ID)[1]
    assert client.get("/v1/displays").json()["displays"] == []
    monitor.sleeps(False)
    until(lambda: client.get(BRIGHTNESS).status_code == 200, "it is here")
    assert client.state["id"] == ID


def test_a_monitor_may_come_back_on_another_connector(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    monitor.folder.rename(machine.monitors.parent / "away")
    edid = (monitor.connector / "edid").read_bytes()
    (monitor.connector / "edid").write_bytes(b"")
    machine.add(9, maker="GSM", model="another")
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}).status_code == 503
    becomes(client, "it is not available", available=False)
    (monitor.connector / "edid").write_bytes(edid)
    (machine.monitors.parent / "away").rename(monitor.folder)
    becomes(client, "it is back", available=True)
    client.put(BRIGHTNESS, json={"brightness": 0.7})
    shows(monitor, 70)


def test_a_monitor_is_selected_by_its_id(serve, machine):
    machine.add(5)
    machine.add(7, maker="GSM", model="LG", serial="7")
    daemon, client = serve("--display", "ddc:GSM-LG-7")
    assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == ["GSM-LG-7"]


def test_a_named_monitor_that_is_absent_is_an_error(machine):
    machine.add(5)
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--state-directory", "none", "--display", "ddc:nobody"]
    done = subprocess.run([*command, *machine.options], env=os.environ | machine.env, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 1
    assert f"ddc:{ID}" in done.stderr


def test_without_the_library_there_are_no_monitors(start, connect, machine, tmp_path):
    """The loader refuses the helper: a file that is not a library replaces the library."""
    machine.add()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / library_name()).write_text("no library")
    env = machine.env | {"LD_LIBRARY_PATH": str(tmp_path / "broken")}
    daemon = start(*machine.options, "--display", "auto", env=env, expects="brightness-ddc|libddcutil")
    assert connect(daemon).state["kind"] == "simulated"
    daemon.line("libddcutil")


def test_probe_lists_monitors(machine):
    machine.add(bus=5)
    asleep = machine.add(bus=7, model="LG 27UL", serial="9")
    asleep.sleeps()
    command = [BINARY, "probe", *machine.options]
    found = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env=environment(**machine.env))
    assert (found.returncode, found.stderr.count("reading ")) == (0, 2), found
    monitors = found.stdout.split("Monitors over DDC/CI\n")[1].split("\n\n")[0].splitlines()
    assert [line.split() for line in monitors] == [
        ["display", "name", "bus", "now", "can", "be", "set"],
        [f"ddc:{ID}", "DELL", "U2720Q", "i2c-5", "40", "of", "100,", "40", "%", "yes"],
        ["ddc:DEL-LG_27UL-9", "LG", "27UL", "i2c-7", "asleep", "when", "awake"],
    ]
