# SPDX-License-Identifier: Apache-2.0
"""The helper process `brightness-ddc`: what it inherits, how it ends, and how the daemon survives its crashes."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from support.backlight import Backlight
from support.client import AT_ONCE
from support.monitor import becomes, shows
from support.until import until

BRIGHTNESS = "/v1/brightness"


def helpers(daemon):
    """The helper processes of a daemon."""
    found = subprocess.run(["pgrep", "-P", str(daemon.process.pid), "-x", "brightness-ddc"], capture_output=True, text=True)
    return [int(line) for line in found.stdout.split()]


def is_running(process):
    try:
        os.kill(process, 0)
        return True
    except ProcessLookupError:
        return False


def test_the_end_of_the_daemon_restores_the_monitor_and_ends_the_helper(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    client.boost()
    shows(monitor, 100)
    (helper,) = helpers(daemon)
    daemon.stop()
    assert monitor.step == 40
    until(lambda: not is_running(helper), "the helper is gone")


def test_the_helper_inherits_no_descriptor_of_the_daemon(serve, machine):
    """None of its sockets and files, and none that it was given unmarked: the way to the daemon, the log, and no more."""
    machine.add()
    with socket.socket() as unmarked:
        daemon, _ = serve(pass_fds=[unmarked.fileno()])
    open_files = [os.readlink(path) for path in Path(f"/proc/{helpers(daemon)[0]}/fd").iterdir()]
    assert len(set(open_files)) == 2, open_files


@pytest.mark.parametrize("fault", [None, "hang"])
def test_the_helper_ends_with_a_killed_daemon(serve, machine, fault):
    monitor = machine.add()
    daemon, client = serve()
    (helper,) = helpers(daemon)
    monitor.fails(fault)
    client.put(BRIGHTNESS, json={"brightness": 0.7}, headers=AT_ONCE)
    daemon.kill()
    until(lambda: not is_running(helper), "the helper is gone")


def test_sigterm_to_the_helper_does_not_keep_the_monitor_raised(serve, machine):
    """As a service manager does, which signals every process."""
    monitor = machine.add()
    daemon, client = serve()
    client.boost()
    shows(monitor, 100)
    os.kill(helpers(daemon)[0], signal.SIGTERM)
    daemon.stop()
    assert monitor.step == 40


def test_the_daemon_survives_a_crash_of_the_helper(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    (before,) = helpers(daemon)
    monitor.fails("crash")
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}).status_code in (202, 503)
    becomes(client, "it is not available", available=False)
    assert client.get("/readyz").status_code == 503
    monitor.fails(None)
    becomes(client, "it is back", available=True, brightness=0.4)
    assert helpers(daemon) != [before]
    client.put(BRIGHTNESS, json={"brightness": 0.7})
    shows(monitor, 70)


def test_a_monitor_that_is_off_is_switched_on_after_its_helper_was_killed(serve, machine):
    monitor = machine.add()
    monitor.hides_while_off()
    daemon, client = serve("--ddc-power", "DEL-DELL_U2720Q-ABC_123")
    client.post("/v1/sleep", json={"holder": "night"})
    until(lambda: not monitor.is_on, "it is off")
    (before,) = helpers(daemon)
    os.kill(before, signal.SIGKILL)
    client.post("/v1/restore", json={"holder": "night"})
    until(lambda: monitor.is_on, "it is on")
    becomes(client, "it is available", available=True)
    assert helpers(daemon) != [before]


def test_a_helper_that_hangs_is_ended_and_delays_no_other_client(serve, machine):
    monitor = machine.add()
    daemon, client = serve("--display", "auto", "--display", "simulated")
    (before,) = helpers(daemon)
    monitor.fails("hang")
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}, headers=AT_ONCE).status_code == 202
    for number in range(20):
        answer = client.put("/v1/displays/simulated/brightness", json={"percent": number})
        assert answer.status_code == 200
    becomes(client, "it is not available", available=False)
    until(lambda: not is_running(before), "the helper is gone")
    monitor.fails(None)
    becomes(client, "it is back", available=True, brightness=0.4)


@pytest.mark.parametrize("is_asked", [False, True], ids=["idle", "in a write"])
def test_a_stop_restores_the_others_while_a_monitor_hangs(serve, machine, is_asked):
    backlight = Backlight(machine.sys, "panel", step=40, maximum=100)
    hanging, healthy = machine.add(bus=5), machine.add(bus=6, serial="OTHER")
    daemon, client = serve(expects="ddc|DEL-|brightness-ddc|was not restored in time")
    monitors = [display["id"] for display in client.get("/v1/displays").json()["displays"] if display["kind"] == "ddc"]
    assert len(monitors) == 2
    assert client.post("/v1/displays/all/boost", json={"ttl": 600}).status_code == 200
    shows(hanging, 100)
    shows(healthy, 100)
    hanging.fails("hang")
    if is_asked:
        asked = next(display for display in monitors if "ABC" in display)
        # Unlike a baseline during a boost, a dim is written.
        dim = client.post(f"/v1/displays/{asked}/dim", json={"brightness": 0.1, "ttl": 600}, headers=AT_ONCE)
        assert dim.status_code == 202
    assert backlight.is_restored_first(daemon)
    assert (backlight.step, healthy.step) == (40, 40)


def test_a_write_that_the_monitor_refuses_changes_nothing(serve, machine):
    monitor = machine.add()
    client = serve()[1]
    monitor.fails(-3007)
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}).status_code in (202, 503)
    becomes(client, "it is not available", available=False)
    assert client.state["baseline"] == 0.4
    monitor.fails(None)
    becomes(client, "it is back", available=True, brightness=0.4)


def test_without_a_bus_the_library_is_not_loaded(serve, machine):
    daemon, client = serve()
    assert client.state["kind"] == "simulated"
    assert helpers(daemon) == []
    daemon.line("(?i)no i2c bus")
