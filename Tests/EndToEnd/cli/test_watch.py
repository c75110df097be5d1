# SPDX-License-Identifier: Apache-2.0
"""`brightness watch`, colour, and the standard output."""

import json
import os
import pty
import re
import signal
import subprocess

import pytest

from support.brightness import CLIENT, environment
from support.ports import free_port
from support.provider import Provider
from support.until import TIMEOUT, until


def test_each_change_is_a_line_with_who_and_why(daemon, client, begin):
    process = begin(daemon, "watch")
    assert process.stdout.readline().split(maxsplit=1)[1].startswith("simulated  50 %  ")
    client.boost(holder="kiosk-3", reason="qr")
    assert process.stdout.readline().split(maxsplit=1)[1] == "simulated  100 %  boost by kiosk-3: qr\n"
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, complaints) == (130, "")


def test_json_is_an_event_a_line(daemon, client, begin):
    process = begin(daemon, "watch", "--json", "--display", "simulated")
    event = json.loads(process.stdout.readline())
    assert (event["event"], event["data"]) == ("state", client.state)
    assert f'"{event["id"]}"' == client.etag
    state = client.set(0.7)
    assert json.loads(process.stdout.readline())["data"] == state


def test_it_connects_again(start, connect, begin):
    port = free_port()
    first = start("--listen", f"127.0.0.1:{port}")
    process = begin(first, "watch")
    assert "simulated" in process.stdout.readline()
    first.stop()
    assert process.stderr.readline() == f"brightness: The connection to {first.url} is lost; connecting again.\n"
    client = connect(start("--listen", f"127.0.0.1:{port}"))
    process.stdout.readline()
    client.set(0.8)
    lines = iter(process.stdout.readline, "")
    assert any("simulated  80 %  set" in line for line in lines)


def test_it_connects_again_to_a_daemon_without_displays(start, connect, begin):
    address = ("--listen", f"127.0.0.1:{free_port()}")
    first = start("--display", "none", *address)
    process = begin(first, "watch")
    client = connect(first)
    stream = re.compile(r'^brightnessd_streams\{.*kind="events".*\} 1$', re.MULTILINE)
    until(lambda: stream.search(client.get("/metrics").text), "it is connected")
    first.stop()
    assert process.stderr.readline() == f"brightness: The connection to {first.url} is lost; connecting again.\n"
    start(*address)
    assert "simulated" in process.stdout.readline()


def test_a_display_that_is_there_some_time_after_a_restart_is_watched_again(start, connect, begin, answers_another):
    options = ("--display", "none", "--listen", f"127.0.0.1:{free_port()}")
    page = {"id": "page", "maximum": 100, "brightness": 0.8}
    first = start(*options)
    with Provider(first, page):
        process = begin(first, "watch", "-d", "page")
        assert "page  80 %" in process.stdout.readline()
        first.stop()
    second = start(*options)
    answers_another(connect(second))
    with Provider(second, page | {"brightness": 0.6}):
        lines = iter(process.stdout.readline, "")
        assert any("page  60 %" in line for line in lines)


def test_a_display_that_is_not_there_is_refused(daemon, begin):
    process = begin(daemon, "watch", "-d", "a b")
    text, complaints = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, text, complaints.count("\n")) == (1, "", 1)


def test_a_reader_that_goes_away_ends_it(daemon, client, begin):
    process = begin(daemon, "watch")
    process.stdout.readline()
    process.stdout.close()
    client.set(0.6)
    assert process.wait(TIMEOUT) == -signal.SIGPIPE


def test_output_that_cannot_be_written_is_an_error(daemon, client):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [CLIENT, "list"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, env=environment(BRIGHTNESS_SERVER=daemon.url)
        )
    assert (done.returncode, done.stderr) == (1, "brightness: The output cannot be written (No space left on device).\n")


@pytest.mark.parametrize(
    ("variables", "has_color"), [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_is_only_on_a_terminal(daemon, client, variables, has_color):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(CLIENT, [str(CLIENT), "list"], environment(BRIGHTNESS_SERVER=daemon.url) | {"NO_COLOR": ""} | variables)
    output = b""
    # The end of a terminal is an error for its reader.
    try:
        while part := os.read(terminal, 4_096):
            output += part
    except OSError:
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    assert (b"Simulated display" in output, b"\x1b[" in output) == (True, has_color)
