# SPDX-License-Identifier: Apache-2.0
"""The log: how often a line repeats, and its levels."""

import errno
import json
import os
import re
import signal
import socket
import subprocess
import tempfile


from support.daemon import BINARY, environment
from support.faults import Faults
from support.until import TIMEOUT, until


def test_repeated_faults_are_a_few_lines(start, connect, backlight, tmp_path):
    faults = Faults(tmp_path)
    daemon = start(*backlight.options, env=faults.environment, expects="intel_backlight")
    client = connect(daemon)
    faults.set(writing=errno.EIO)
    answers = [client.put("/v1/brightness", json={"percent": 70}).status_code for _ in range(200)]
    # A busy machine answers 202 before it has tried, and then tries once for several.
    assert {*answers} <= {202, 503} and 503 in answers
    faults.set()
    daemon.terminate()
    daemon.ended()
    lines = [line for line in daemon.lines if line and "intel_backlight: " in line]
    counts = [int(match[1]) for line in lines if (match := re.search(r"(\d+) times more: intel_backlight", line))]
    said = len(lines) - len(counts)
    assert sum(counts) > 0 and said + sum(counts) >= answers.count(503), lines
    assert said < 100, lines


def test_the_log_level_selects_lines(tmp_path):
    """Nothing, while nothing is wrong. systemd is notified of readiness after signals are caught."""
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--display", "simulated", "--log-level", "warning"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(30)
        variables = environment(BRIGHTNESSD_STATE_DIRECTORY="none", NOTIFY_SOCKET=manager.getsockname())
        with subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True) as daemon:
            assert manager.recv(256) == b"READY=1"
            daemon.send_signal(signal.SIGTERM)
            said = daemon.communicate(timeout=TIMEOUT)[1]
    assert (daemon.returncode, said) == (0, "")


def test_info_reports_who_changed_what(start, connect):
    daemon = start()
    client = connect(daemon)
    client.set(0.6, holder="maria", reason="too dark")
    assert daemon.line(r"info: simulated: set to 60 % by maria \(anonymous\): too dark$")
    client.boost(holder="kiosk-3", reason="qr", ttl=60)
    assert daemon.line(r"info: simulated: boost of 100 % granted until \S+Z, by kiosk-3 \(anonymous\): qr$")
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    assert daemon.line(r"info: simulated: boost of 100 % released, of kiosk-3 \(anonymous\): qr$")


def test_many_changes_within_a_moment_are_counted(start, connect):
    daemon = start("--limit", "writes=none")
    client = connect(daemon)

    def logged():
        lines = [line for line in daemon.lines if line]
        counts = [int(match[1]) for line in lines if (match := re.search(r"info: (\d+) more changes$", line))]
        return len([line for line in lines if " granted until " in line or " released, of " in line]), sum(counts)

    for number in range(100):
        client.boost(holder=f"kiosk-{number}", ttl=600)
    until(lambda: sum(logged()) == 100, "every boost is logged or counted")
    counted = logged()[1]
    # All end at once, however busy the machine is.
    client.post("/v1/restore", json={"all": True})
    until(lambda: sum(logged()) == 200, "every end is logged or counted")
    assert logged()[1] > counted


def test_info_reports_a_boost_that_continues_after_a_crash(start, connect, tmp_path):
    options = ("--state-directory", str(tmp_path / "state"))
    daemon = start(*options)
    connect(daemon).boost(holder="kiosk-3", ttl=600)
    daemon.kill()
    assert start(*options).line(r"simulated: boost of 100 % continues after a restart until \S+, by kiosk-3")


def test_debug_reports_why_a_request_was_refused(start, connect):
    daemon = start("--log-level", "debug")
    client = connect(daemon)
    client.put("/v1/brightness", json={"brightness": 70})
    assert daemon.line(r"debug: PUT /v1/brightness: 422 invalid-body: brightness must be a number from 0 to 1, not 70")
    client.get("/v1/nothing?access_token=hunter2")
    assert daemon.line(r"debug: GET /v1/nothing: 404 not-found")
    client.patch("/v1/simulator", json={"refuses": True})
    client.put("/v1/brightness", json={"brightness": 0.7})
    assert daemon.line(r"debug: PUT /v1/brightness: 503 display-unavailable")
    assert not [line for line in daemon.lines if line and "hunter2" in line]


def test_info_does_not_report_refusals(start, connect):
    daemon = start()
    client = connect(daemon)
    client.put("/v1/brightness", json={"brightness": 70})
    client.set(0.3)
    daemon.line("30 %")
    assert not [line for line in daemon.lines if line and "422" in line]


def test_each_line_of_the_json_format_is_an_object(start, connect):
    daemon = start("--log-format", "json")
    connect(daemon).set(0.6, holder='a "quoted" \\ name')
    daemon.line("60 %")
    lines = [json.loads(line) for line in daemon.lines if line]
    assert {"time", "level", "message"} == set(lines[0])
    assert any('by a "quoted" \\ name (anonymous)' in line["message"] for line in lines)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", lines[0]["time"])


def test_the_text_format_has_the_time_and_the_level_first(start):
    line = start().line(r"^\S+ notice: serving at http://127.0.0.1:\d+$").group(0)
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ", line)


def test_lines_for_the_journal_have_a_priority_and_no_time(start):
    assert start("--log-format", "journal").line(r"^<5>serving at ")


def test_the_format_for_the_journal_is_chosen_under_systemd():
    """systemd names the device and inode of the stream that it has given as stderr."""
    with tempfile.TemporaryFile() as stream:
        status = os.fstat(stream.fileno())
        variables = environment(JOURNAL_STREAM=f"{status.st_dev}:{status.st_ino}", BRIGHTNESSD_STATE_DIRECTORY="none")
        command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--display", "simulated"]
        daemon = subprocess.Popen(command, env=variables, stderr=stream)
        try:
            def said():
                stream.seek(0)
                return stream.read().decode()
            until(lambda: "serving at" in said(), "it serves")
            assert all(re.match(r"<[2-7]>[^ ]", line) for line in said().splitlines())
        finally:
            daemon.terminate()
            daemon.wait(TIMEOUT)
