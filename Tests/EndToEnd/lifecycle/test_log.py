# SPDX-License-Identifier: Apache-2.0
"""The log: how often a line repeats, and its levels."""

import errno
import re
import signal
import socket
import subprocess

from support.daemon import BINARY, environment
from support.faults import Faults


def test_repeated_faults_are_a_few_lines(start, connect, backlight, tmp_path):
    faults = Faults(tmp_path)
    daemon = start(*backlight.options, env=faults.environment, expects="intel_backlight")
    client = connect(daemon)
    faults.set(writing=errno.EIO)
    for _ in range(200):
        assert client.put("/v1/brightness", json={"percent": 70}).status_code == 503
    faults.set()
    daemon.terminate()
    daemon.ended(within=20)
    lines = [line for line in daemon.lines if line and "intel_backlight: " in line]
    counts = [int(match[1]) for line in lines if (match := re.search(r"(\d+) times more: intel_backlight", line))]
    said = len(lines) - len(counts)
    assert sum(counts) > 0 and said + sum(counts) >= 200, lines
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
            said = daemon.communicate(timeout=30)[1]
    assert (daemon.returncode, said) == (0, "")
