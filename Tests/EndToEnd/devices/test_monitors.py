# SPDX-License-Identifier: Apache-2.0
"""Monitors over DDC/CI: the real daemon and the real helper, over a library that hangs, crashes and counts."""

import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from support.daemon import BINARY, environment
from support.events import Stream
from support.monitor import Machine, build
from support.until import until
from support.wire import Connection

ID = "DEL-DELL_U2720Q-ABC_123"
BRIGHTNESS = "/v1/brightness"
TIMEOUT = 60
"""Seconds for what takes seconds on an idle machine: a loaded one takes more."""


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return build(tmp_path_factory.mktemp("ddcutil"))


@pytest.fixture
def machine(tmp_path, library):
    return Machine(tmp_path, library)


@pytest.fixture
def serve(start, connect, machine):
    """A daemon on this machine, and a client of it."""

    def serve(*options, expects="ddc|DEL-|brightness-ddc", **how):
        options = options if "--display" in options else ("--display", "auto", *options)
        daemon = start(*machine.options, *options, env=machine.env, expects=expects, **how)
        return daemon, connect(daemon)

    return serve


def helpers(daemon):
    """The helper processes of a daemon."""
    found = subprocess.run(["pgrep", "-P", str(daemon.process.pid), "-x", "brightness-ddc"], capture_output=True, text=True)
    return [int(line) for line in found.stdout.split()]


def shows(monitor, step):
    until(lambda: monitor.step == step, f"the monitor shows {step}", within=TIMEOUT)


def becomes(client, what, **members):
    until(lambda: members.items() <= client.state.items(), what, within=TIMEOUT)


def test_its_state(serve, machine):
    machine.add(current=300, maximum=600)
    state = serve()[1].state
    assert (state["id"], state["name"], state["kind"], state["available"]) == (ID, "DELL U2720Q", "ddc", True)
    assert (state["raw"], state["brightness"]) == ({"value": 300, "maximum": 600}, 0.5)
    assert state["writes"] == {"today": 0, "budget": 300}


def test_two_of_a_kind_have_ids_of_their_own(serve, machine):
    machine.add(5, serial="")
    machine.add(7, serial="")
    machine.add(9, maker="GSM", model="LG/ÄÖ 4K", serial="")
    displays = serve()[1].get("/v1/displays").json()["displays"]
    ids = [display["id"] for display in displays]
    assert len(set(ids)) == 3
    assert all(display["kind"] == "ddc" for display in displays)
    assert serve()[1].get("/v1/displays").json()["displays"][0]["id"] == ids[0]


def test_set_boost_restore(serve, machine):
    monitor = machine.add()
    client = serve()[1]
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}).status_code in (200, 202)
    shows(monitor, 70)
    client.boost(holder="kiosk-3")
    shows(monitor, 100)
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    shows(monitor, 70)
    assert monitor.writes == [70, 100, 70]


def test_the_end_of_the_daemon_puts_it_back_and_ends_the_helper(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    client.boost()
    shows(monitor, 100)
    (helper,) = helpers(daemon)
    daemon.stop()
    assert monitor.step == 40
    until(lambda: not _runs(helper), "the helper is gone", within=TIMEOUT)


def test_the_helper_gets_nothing_of_the_daemon(serve, machine):
    """None of its sockets and files, and none that it was given unmarked: the way to the daemon, the log, and no more."""
    machine.add()
    with socket.socket() as unmarked:
        daemon, _ = serve(pass_fds=[unmarked.fileno()])
    open_files = [os.readlink(path) for path in Path(f"/proc/{helpers(daemon)[0]}/fd").iterdir()]
    assert len(set(open_files)) == 2, open_files


@pytest.mark.parametrize("fault", [None, "hang"])
def test_the_helper_does_not_outlive_a_daemon_that_was_killed(serve, machine, fault):
    monitor = machine.add()
    daemon, client = serve()
    (helper,) = helpers(daemon)
    monitor.fails(fault)
    client.put(BRIGHTNESS, json={"brightness": 0.7})
    daemon.kill()
    until(lambda: not _runs(helper), "the helper is gone", within=TIMEOUT)


def _runs(process):
    try:
        os.kill(process, 0)
        return True
    except ProcessLookupError:
        return False


def test_who_tells_the_helper_to_stop_does_not_keep_the_monitor_bright(serve, machine):
    """As a service manager does, who tells every process."""
    monitor = machine.add()
    daemon, client = serve()
    client.boost()
    shows(monitor, 100)
    os.kill(helpers(daemon)[0], signal.SIGTERM)
    daemon.stop()
    assert monitor.step == 40


# How often it is written


def test_a_transition_is_one_write(serve, machine):
    monitor = machine.add()
    client = serve("--transition", "5")[1]
    client.put(BRIGHTNESS, json={"brightness": 0.9, "transition": 3})
    shows(monitor, 90)
    client.put(BRIGHTNESS, json={"brightness": 0.2})
    shows(monitor, 20)
    assert monitor.writes == [90, 20]


def test_equal_values_are_not_written(serve, machine):
    monitor = machine.add()
    client = serve()[1]
    for percent in (70, 70.2, 69.9, 70):
        client.put(BRIGHTNESS, json={"percent": percent})
    shows(monitor, 70)
    client.put(BRIGHTNESS, json={"raw": 70})
    client.set(0.7)
    assert monitor.writes == [70]


def test_many_changes_are_a_few_writes_and_the_newest_wins(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    begin = time.monotonic()
    with Stream(daemon.port, timeout=TIMEOUT, validates=False) as stream:
        stream.next("brightness")
        threads = [threading.Thread(target=_slide, args=(daemon, 40)) for _ in range(4)]
        for thread in threads:
            thread.start()
        # Meanwhile everybody else is served.
        assert client.get(BRIGHTNESS).status_code == 200
        for thread in threads:
            thread.join()
        client.put(BRIGHTNESS, json={"percent": 33})
        shows(monitor, 33)
    becomes(client, "it is told", brightness=0.33)
    took = time.monotonic() - begin
    times = [seconds for seconds, _ in monitor.log("write")]
    assert all(later - earlier >= 0.5 for earlier, later in zip(times, times[1:]))
    assert len(times) <= 2 * took + 2
    assert monitor.writes[-1] == 33


def _slide(daemon, count):
    with Connection(daemon.port, timeout=TIMEOUT) as connection:
        for number in range(count):
            body = b'{"percent":%d}' % (10 + number % 80)
            answer = connection.request("PUT", BRIGHTNESS, body=body)
            assert answer.status in (200, 202), answer


def test_a_slow_one_is_answered_with_accepted(serve, machine):
    monitor = machine.add()
    monitor.takes(1_500)
    client = serve()[1]
    answer = client.put(BRIGHTNESS, json={"brightness": 0.7})
    assert (answer.status_code, answer.json()["brightness"]) == (202, 0.4)
    becomes(client, "it has it", brightness=0.7)
    assert monitor.step == 70
    assert client.boost()["brightness"] == 1


def test_a_day_has_so_many_writes_and_what_was_raised_is_put_back(serve, machine):
    monitor = machine.add()
    daemon, client = serve("--ddc-writes-per-day", "2")
    client.put(BRIGHTNESS, json={"brightness": 0.5})
    shows(monitor, 50)
    client.boost()
    shows(monitor, 100)
    becomes(client, "both are counted", writes={"today": 2, "budget": 2})
    assert client.post("/v1/restore").status_code in (200, 202)
    shows(monitor, 50)
    for method, path, body in (("PUT", BRIGHTNESS, {"brightness": 0.7}), ("POST", "/v1/boost", {})):
        refused = until(lambda: _refusal(client, method, path, body), f"{method} is refused", within=TIMEOUT)
        assert "2 writes" in refused.json()["detail"]
        assert int(refused.headers["retry-after"]) >= 1
    state = client.state
    assert (state["available"], state["brightness"], state["boost"]) == (True, 0.5, None)
    assert state["writes"]["today"] == 3
    assert monitor.writes == [50, 100, 50]


def _refusal(client, method, path, body):
    """The answer that says no. While the monitor waits for its turn, there is none yet but "accepted"."""
    answer = client.request(method, path, json=body)
    assert answer.status_code in (202, 503), answer.text
    return answer if answer.status_code == 503 else None


# When it is read


def test_nobody_looks_so_nobody_asks(serve, machine):
    """A read costs time on a bus that others want too, and may wake."""
    monitor = machine.add()
    daemon, client = serve()
    before = monitor.log()
    monitor.step = 80
    for _ in range(20):
        assert client.state["brightness"] == 0.4
    assert monitor.log() == before
    with Stream(daemon.port, timeout=TIMEOUT) as stream:
        state = stream.next("brightness", lambda event: event.data["brightness"] == 0.8).data
    assert state["cause"]["kind"] == "external"


def test_its_own_buttons_are_seen_while_somebody_looks(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    with Stream(daemon.port, timeout=TIMEOUT) as stream:
        stream.next("brightness")
        until(lambda: len(monitor.log("read")) > 1, "it is read", within=TIMEOUT)
        monitor.step = 12
        state = stream.next("brightness").data
    assert (state["baseline"], state["cause"]["kind"]) == (0.12, "external")


def test_one_that_sleeps_is_left_alone_and_gets_its_value_when_it_is_awake(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    client.boost(holder="kiosk-3")
    shows(monitor, 100)
    monitor.sleeps()
    before = monitor.log()
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    becomes(client, "it is not available", available=False)
    with Stream(daemon.port, timeout=TIMEOUT) as stream:
        stream.next("brightness")
    # The daemon tries again after one second, two and four: each time the kernel says that it sleeps.
    time.sleep(4)
    assert monitor.log() == before
    # Once awake some do not answer for a while, and some have forgotten what they were told.
    monitor.fails(-3007)
    monitor.step = 75
    monitor.sleeps(False)
    until(lambda: len(monitor.log("read")) > len([1 for _, what in before if what.startswith("read")]), "tried", TIMEOUT)
    monitor.fails(None)
    becomes(client, "it is back", available=True, brightness=0.4)
    assert monitor.step == 40
    assert client.state["cause"]["kind"] == "connected"


def test_one_that_sleeps_at_the_start_is_taken_when_it_is_awake(serve, machine):
    monitor = machine.add()
    monitor.sleeps()
    daemon, client = serve()
    assert client.state["kind"] == "simulated"
    daemon.line(f"the monitor ddc:{ID} sleeps")
    before = monitor.log()
    monitor.sleeps(False)
    becomes(client, "it is here", id=ID, available=True, brightness=0.4)
    assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == [ID]
    assert [words for _, words in before if words.startswith(("read", "write"))] == []
    client.put(BRIGHTNESS, json={"brightness": 0.7})
    shows(monitor, 70)


def test_one_by_its_name_may_sleep_at_the_start(serve, machine):
    monitor = machine.add()
    monitor.sleeps()
    client = serve("--display", f"ddc:{ID}", "--default-display", ID)[1]
    assert client.get("/v1/displays").json()["displays"] == []
    monitor.sleeps(False)
    until(lambda: client.get(BRIGHTNESS).status_code == 200, "it is here", within=TIMEOUT)
    assert client.state["id"] == ID


def test_unplugged_and_back_in_another_socket(serve, machine):
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


# What the library does


def test_a_crash_is_survived(serve, machine):
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


def test_a_hang_is_ended_and_holds_up_nobody_else(serve, machine):
    monitor = machine.add()
    daemon, client = serve("--display", "auto", "--display", "simulated")
    (before,) = helpers(daemon)
    monitor.fails("hang")
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}).status_code == 202
    for number in range(20):
        answer = client.put("/v1/displays/simulated/brightness", json={"percent": number})
        assert answer.status_code == 200
    becomes(client, "it is not available", available=False)
    until(lambda: not _runs(before), "the helper is gone", within=TIMEOUT)
    monitor.fails(None)
    becomes(client, "it is back", available=True, brightness=0.4)


def test_a_refusal_changes_nothing(serve, machine):
    monitor = machine.add()
    client = serve()[1]
    monitor.fails(-3007)
    assert client.put(BRIGHTNESS, json={"brightness": 0.7}).status_code in (202, 503)
    becomes(client, "it is not available", available=False)
    assert client.state["baseline"] == 0.4
    monitor.fails(None)
    becomes(client, "it is back", available=True, brightness=0.4)


# Which monitors there are


def test_one_by_its_name(serve, machine):
    machine.add(5)
    machine.add(7, maker="GSM", model="LG", serial="7")
    daemon, client = serve("--display", "ddc:GSM-LG-7")
    assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == ["GSM-LG-7"]


def test_one_that_is_not_there(machine):
    machine.add(5)
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--state-directory", "none", "--display", "ddc:nobody"]
    done = subprocess.run([*command, *machine.options], env=os.environ | machine.env, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 1
    assert f"ddc:{ID}" in done.stderr


def test_without_a_bus_the_library_is_left_alone(serve, machine):
    daemon, client = serve()
    assert client.state["kind"] == "simulated"
    assert helpers(daemon) == []
    daemon.line("(?i)no i2c bus")


def test_without_the_library_there_are_no_monitors(start, connect, machine, tmp_path):
    """The loader refuses the helper: a file that is no library is in the library's place."""
    machine.add()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/libddcutil.so.4").write_text("no library")
    env = machine.env | {"LD_LIBRARY_PATH": str(tmp_path / "broken")}
    daemon = start(*machine.options, "--display", "auto", env=env, expects="brightness-ddc|libddcutil")
    assert connect(daemon).state["kind"] == "simulated"
    daemon.line("libddcutil")


def test_probe_lists_them(machine):
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
        ["ddc:DEL-LG_27UL-9", "LG", "27UL", "i2c-7", "asleep", "when", "it", "wakes"],
    ]
