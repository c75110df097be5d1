# SPDX-License-Identifier: Apache-2.0
"""`brightness provide`: commands as a display, run for real."""

import signal
import socket
import time
from pathlib import Path

import pytest

from support.client import AT_ONCE
from support.daemon import ROOT
from support.ports import free_port
from support.provider import Provider
from support.relay import Relay
from support.threads import suspend
from support.until import TIMEOUT, until

PATH = "/v1/displays/wall"


@pytest.fixture
def screen(tmp_path):
    """A screen that is a file: `level` and `power` write to it, `show` prints it."""
    folder = tmp_path / "a screen"
    folder.mkdir()

    class Screen:
        level, power, runs = folder / "level", folder / "power", folder / "runs"
        set = f"sh -c 'echo \"$2\" > \"$1/level\"; echo \"$2\" >> \"$1/runs\"' sh \"{folder}\" {{percent}}"
        on = f"sh -c 'echo on > \"$1/power\"; echo on >> \"$1/runs\"' sh \"{folder}\""
        off = f"sh -c 'echo off > \"$1/power\"; echo off >> \"$1/runs\"' sh \"{folder}\""
        get = f"cat \"{folder}/level\""

        @property
        def log(self):
            return self.runs.read_text().split() if self.runs.exists() else []

    return Screen()


@pytest.fixture
def house(start, connect):
    daemon = start("--display", "none", expects="not connected|timed out|Input/output")
    return daemon, connect(daemon)


def state(client):
    return until(lambda: client.get(PATH).status_code == 200 and client.get(PATH).json(), "it is provided")


def shows(file, text):
    until(lambda: file.exists() and file.read_text().strip() == text, f"{file.name} is {text}")


def test_commands_are_a_display(begin, house, screen):
    daemon, client = house
    process = begin(daemon, "provide", "wall", "--name", "The wall", "--set", screen.set, "--on", screen.on, "--off", screen.off)
    first = state(client)
    assert (first["kind"], first["name"], first["raw"]["maximum"]) == ("provided", "The wall", 100)
    assert client.put(f"{PATH}/brightness", json={"brightness": 0.4}).status_code == 200
    shows(screen.level, "40")
    client.post(f"{PATH}/boost", json={"holder": "qr"}).raise_for_status()
    shows(screen.level, "100")
    client.post(f"{PATH}/restore", json={"holder": "qr"}).raise_for_status()
    shows(screen.level, "40")
    client.put(f"{PATH}/power", json={"on": False}).raise_for_status()
    shows(screen.power, "off")
    client.put(f"{PATH}/brightness", json={"brightness": 0.7}).raise_for_status()
    client.put(f"{PATH}/power", json={"on": True}).raise_for_status()
    shows(screen.level, "70")
    # First the power, then the brightness.
    assert screen.log[-4:] == ["off", "on", "40", "70"]
    process.send_signal(signal.SIGTERM)
    status = process.wait(TIMEOUT)
    assert status == 128 + signal.SIGTERM
    # The documented unit has not failed after a stop or a logout.
    assert f"\nSuccessExitStatus={status}\n" in (ROOT / "docs/how-to/no-backlight.md").read_text()
    until(lambda: not state(client)["available"], "it is not available")
    assert process.stdout.read().splitlines()[:2] == ["wall  40 %", "wall  100 %"]


def test_a_display_without_a_brightness(begin, house, screen):
    daemon, client = house
    begin(daemon, "provide", "wall", "--on", screen.on, "--off", screen.off)
    assert state(client)["dimmable"] is False
    client.post(f"{PATH}/sleep", json={"holder": "night", "ttl": 60}).raise_for_status()
    shows(screen.power, "off")
    client.post(f"{PATH}/restore", json={"holder": "night"}).raise_for_status()
    shows(screen.power, "on")


def test_what_the_screen_shows_is_read_and_a_change_is_a_persons(begin, house, screen):
    daemon, client = house
    screen.level.write_text("brightness: 30%\n")
    begin(daemon, "provide", "wall", "--set", screen.set, "--get", screen.get, "--poll", "1s")
    assert state(client)["brightness"] == 0.3 and screen.log == []
    client.post(f"{PATH}/boost", json={"holder": "qr"}).raise_for_status()
    shows(screen.level, "100")
    screen.level.write_text("60\n")
    until(lambda: state(client)["brightness"] == 0.6, "the change is seen")
    changed = state(client)
    assert (changed["cause"]["kind"], changed["boost"]["overridden"]) == ("external", True)


def test_a_reading_in_percent_is_not_a_change_of_one_of_255_steps(begin, house, screen, tmp_path):
    daemon, client = house
    screen.level.write_text("100\n")
    reads = tmp_path / "reads"
    get = f"sh -c 'echo read >> \"$1\"; cat \"$2\"' sh \"{reads}\" \"{screen.level}\""
    begin(daemon, "provide", "wall", "--set", screen.set, "--get", get, "--poll", "1s", "--maximum", "255")
    state(client)
    client.put(f"{PATH}/brightness", json={"raw": 111}).raise_for_status()
    shows(screen.level, "44")
    before = len(reads.read_text().split())
    until(lambda: len(reads.read_text().split()) > before + 2, "it is read twice")
    after = state(client)
    assert (after["raw"]["value"], after["cause"]["kind"]) == (111, "api")


def test_a_reading_after_failed_commands_is_not_a_change(begin, house, screen, tmp_path):
    daemon, client = house
    screen.level.write_text("100\n")
    reads, broken = tmp_path / "reads", tmp_path / "broken"
    get = f"sh -c 'echo read >> \"$1\"; cat \"$2\"' sh \"{reads}\" \"{screen.level}\""
    set = f"sh -c 'test ! -e \"$2\" && echo $1 > \"$3\"' sh {{percent}} \"{broken}\" \"{screen.level}\""
    begin(daemon, "provide", "wall", "--set", set, "--get", get, "--poll", "1s", "--maximum", "255")
    state(client)
    client.put(f"{PATH}/brightness", json={"raw": 111}).raise_for_status()
    shows(screen.level, "44")
    broken.touch()
    assert client.post(f"{PATH}/dim", json={"holder": "film", "ttl": 60}).status_code == 503
    before = len(reads.read_text().split())
    until(lambda: len(reads.read_text().split()) > before + 1, "it is read twice")
    after = state(client)
    assert after["raw"]["value"] == 111
    assert after["cause"]["kind"] != "external"


def test_a_signal_that_was_ignored_at_the_start_stays_ignored(begin, house, screen):
    daemon, client = house
    # As nohup does. The program inherits it.
    handler = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = begin(daemon, "provide", "wall", "--set", screen.set)
    finally:
        signal.signal(signal.SIGHUP, handler)
    state(client)
    process.send_signal(signal.SIGHUP)
    assert client.put(f"{PATH}/brightness", json={"brightness": 0.4}).status_code == 200
    process.terminate()
    assert process.wait(TIMEOUT) == 128 + signal.SIGTERM


def test_it_connects_again_and_the_display_goes_on(begin, start, connect, screen, tmp_path):
    options = ("--display", "none", "--state-directory", tmp_path / "state")
    first = start(*options)
    process = begin(first, "provide", "wall", "--set", screen.set)
    client = connect(first)
    state(client)
    client.put(f"{PATH}/brightness", json={"brightness": 0.4}).raise_for_status()
    shows(screen.level, "40")
    first.stop()
    second = start(*options, "--listen", f"127.0.0.1:{first.port}")
    again = connect(second)
    until(lambda: state(again)["available"], "it is provided again")
    assert state(again)["baseline"] == 0.4
    again.put(f"{PATH}/brightness", json={"brightness": 0.5}).raise_for_status()
    shows(screen.level, "50")
    process.terminate()
    assert "The connection to" in process.stderr.read()


def test_a_network_that_is_cut_is_noticed_by_both(begin, house, screen):
    daemon, client = house
    with Relay(daemon.port) as relay:
        begin(daemon, "--server", f"http://127.0.0.1:{relay.port}", "provide", "wall", "--set", screen.set)
        state(client)
        relay.cut()
        until(lambda: not state(client)["available"], "it is gone")
        relay.heal()
        until(lambda: state(client)["available"], "it is back")
        client.put(f"{PATH}/brightness", json={"brightness": 0.2}).raise_for_status()
        shows(screen.level, "20")


def test_it_connects_again_after_the_command_under_way(begin, house, screen, tmp_path):
    daemon, client = house
    started = tmp_path / "started"
    # Sets 100 % so late that the client could connect again before.
    script = 'test $1 = 100 && touch "$2" && sleep 6; echo $1 > "$3"; echo $1 >> "$4"'
    command = f"sh -c '{script}' sh {{percent}} \"{started}\" \"{screen.level}\" \"{screen.runs}\""
    with Relay(daemon.port) as relay:
        begin(daemon, "--server", f"http://127.0.0.1:{relay.port}", "provide", "wall", "--set", command)
        state(client)
        client.put(f"{PATH}/brightness", json={"brightness": 0.4}).raise_for_status()
        shows(screen.level, "40")
        client.put(f"{PATH}/brightness", json={"brightness": 1}, headers=AT_ONCE).raise_for_status()
        until(started.exists, "the command is under way")
        relay.cut()
        relay.heal()
        until(lambda: "100" in screen.log, "the command has ended")
        # The client that is back shows the command that was cut off.
        until(lambda: state(client)["available"], "it is connected again")
        shows(screen.level, "100")
        assert state(client)["percent"] == 100


def test_a_command_that_fails_is_a_panel_that_refuses(begin, house):
    daemon, client = house
    process = begin(daemon, "provide", "wall", "--set", "false {percent}")
    state(client)
    problem = client.put(f"{PATH}/brightness", json={"brightness": 0.5})
    assert (problem.status_code, state(client)["baseline"]) == (503, 1)
    process.terminate()
    assert "wall: false failed with the status 1." in process.stderr.read()


def test_a_command_that_hangs_is_ended_and_the_connection_lasts(begin, house, tmp_path):
    daemon, client = house
    process = begin(daemon, "provide", "wall", "--set", f"sh -c 'test \"$1\" = 50 && sleep 60; echo $1 > {tmp_path}/level' sh {{percent}}")
    state(client)
    assert client.put(f"{PATH}/brightness", json={"brightness": 0.5}, headers=AT_ONCE).status_code == 202
    # While it hangs, its display is not available.
    until(lambda: client.put(f"{PATH}/brightness", json={"brightness": 0.7}).status_code == 200, "it is set again")
    shows(tmp_path / "level", "70")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until(lambda: not children.read_text(), "no ended command is left")
    process.terminate()
    assert "wall: sh did not end within 10 seconds." in process.stderr.read()


def test_a_suspend_does_not_count_as_time_of_a_command(begin, house, tmp_path):
    daemon, client = house
    waiting = f"touch {tmp_path}/begun; until test -e {tmp_path}/go; do sleep 0.1; done; echo $1 >> {tmp_path}/levels"
    process = begin(daemon, "provide", "wall", "--set", f"sh -c '{waiting}' sh {{percent}}")
    state(client)
    client.put(f"{PATH}/brightness", json={"brightness": 0.5}, headers=AT_ONCE).raise_for_status()
    until(lambda: (tmp_path / "begun").exists(), "the command runs")
    suspend(process)
    # More than the ten seconds of a command.
    time.sleep(11)
    process.send_signal(signal.SIGCONT)
    # As after a suspend, the command needs a moment more.
    time.sleep(1)
    (tmp_path / "go").touch()
    # The daemon, which was not suspended, has given up and asks for the old brightness next.
    until(lambda: (tmp_path / "levels").exists() and (tmp_path / "levels").read_text(), "the command ends by itself")
    assert (tmp_path / "levels").read_text().split()[0] == "50"
    process.terminate()
    assert "did not end" not in process.stderr.read()


def test_another_client_takes_it_over(begin, house, screen):
    daemon, client = house
    process = begin(daemon, "provide", "wall", "--set", screen.set)
    state(client)
    with Provider(daemon, {"id": "wall", "maximum": 100, "brightness": 1}):
        assert process.wait(TIMEOUT) == 0
    assert process.stderr.read() == "brightness: Another client provides wall now, or has withdrawn it.\n"


def test_another_client_takes_it_over_from_a_command_under_way(begin, house, tmp_path):
    daemon, client = house
    file = tmp_path / "process"
    process = begin(daemon, "provide", "wall", "--set", f"sh -c 'echo $$ > \"$1\"; exec sleep 300' sh \"{file}\" {{percent}}")
    state(client)
    client.put(f"{PATH}/brightness", json={"brightness": 0.4}, headers=AT_ONCE).raise_for_status()
    command = until(lambda: file.exists() and file.read_text().strip(), "the command runs")

    def is_running():
        try:
            return Path(f"/proc/{command}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    assert is_running()
    with Provider(daemon, {"id": "wall", "maximum": 100, "brightness": 1}):
        assert process.wait(TIMEOUT) == 0
    until(lambda: not is_running(), "the command is ended")


def test_over_the_unix_socket(begin, start, connect, screen, tmp_path):
    daemon = start("--display", "none", "--unix", tmp_path / "socket")
    begin(daemon, "--unix", tmp_path / "socket", "provide", "wall", "--set", screen.set)
    client = connect(daemon)
    state(client)
    client.put(f"{PATH}/brightness", json={"brightness": 0.4})
    shows(screen.level, "40")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "There is no command: give --set, or --on and --off."),
        (["--on", "true"], "--on and --off belong together"), (["--set", "true"], "--set requires {percent} or {step}"),
        (["--set", "x {step}", "--maximum", "70000"], "--maximum must be a whole number from 1 to 65535"),
        (["--on", "true", "--off", "true", "--maximum", "5"], "--maximum requires --set"),
        (["--set", "x '{step}"], "--set ends within quotes"), (["--set", "x {step}", "--poll", "1s"], "--poll requires --get."),
    ],
)  # fmt: skip
def test_an_invalid_command_line_is_explained(run, words, complaint):
    status, text, complaints = run("provide", "wall", *words)
    assert (status, text) == (64, "")
    assert complaints.startswith(f"brightness: {complaint}")


def test_the_id_of_another_display_is_refused(run):
    status, _, complaints = run("provide", "simulated", "--set", "true {percent}")
    assert status == 1 and "Choose another id" in complaints


def test_a_server_that_does_not_confirm_the_handshake_is_named(begin, screen):
    with socket.create_server(("127.0.0.1", 0)) as server:

        class Other:
            url = f"http://127.0.0.1:{server.getsockname()[1]}"

        process = begin(Other, "provide", "wall", "--set", screen.set)
        connection, _ = server.accept()
        with connection:
            assert b"\r\nSec-WebSocket-Key: " in connection.recv(4096)
            connection.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
            )
            assert connection.recv(1) == b""
        assert any("does not answer as a WebSocket server does. Trying again." in line for line in process.stderr)


def test_without_a_daemon_it_waits(begin, start, connect, screen):
    port = free_port()

    class Nobody:
        url = f"http://127.0.0.1:{port}"

    begin(Nobody, "provide", "wall", "--set", screen.set)
    daemon = start("--display", "none", "--listen", f"127.0.0.1:{port}")
    assert state(connect(daemon))["available"]


def test_a_useless_get_and_a_missing_daemon_are_both_reported(begin, screen):
    class Nobody:
        url = "http://127.0.0.1:1"

    process = begin(Nobody, "provide", "wall", "--set", screen.set, "--get", "echo nonsense")
    said = process.stderr.readline() + process.stderr.readline()
    process.terminate()
    assert "--get printed neither a percent nor on or off" in said and "Trying again." in said
