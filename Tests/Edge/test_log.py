# SPDX-License-Identifier: Apache-2.0
"""What the daemon says on stderr, and how often."""

import errno
import re
import signal
import subprocess

import pytest

from support.daemon import BINARY, environment
from support.faults import Faults
from support.until import until


def test_what_happens_many_times_is_said_a_few_times(start, connect, backlight, tmp_path):
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
    assert said < 100, "a tenth, on a machine that is not a hundred times slower"


@pytest.mark.parametrize(("level", "says"), [("notice", True), ("warning", False)])
def test_the_level_says_what_is_said(tmp_path, level, says):
    path = tmp_path / "socket"
    options = ["--listen", "127.0.0.1:0", "--unix", path, "--display", "simulated", "--log-level", level]
    variables = environment(BRIGHTNESSD_STATE_DIRECTORY="none")
    with subprocess.Popen([BINARY, "serve", *options], env=variables, stderr=subprocess.PIPE, text=True) as daemon:
        asking = ["curl", "--silent", "--unix-socket", path, "http://localhost/livez"]
        until(lambda: subprocess.run(asking, capture_output=True).stdout == b"ok\n", "it serves", within=30)
        daemon.send_signal(signal.SIGTERM)
        said = daemon.communicate(timeout=30)[1]
    assert daemon.returncode == 0
    assert ("serving at" in said, bool(said)) == (says, says)
