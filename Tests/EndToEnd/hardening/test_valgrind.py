# SPDX-License-Identifier: Apache-2.0
"""Connections that come and go while valgrind looks at every access to memory. VALGRIND_CLIENTS says how many."""

import os
import re
import shutil
import subprocess

import pytest

from support.daemon import ROOT, Daemon
from support.wire import Connection, request

CLIENTS = int(os.environ.get("VALGRIND_CLIENTS") or 10_000)
# Swift's own code, optimized: the debug build would be looked at for hours.
RELEASE = os.environ.get("BRIGHTNESSD_RELEASE") or str(ROOT / ".build/release/brightnessd")
TIMEOUT = 300
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
VALGRIND = [
    "valgrind",
    "--leak-check=full",
    "--show-leak-kinds=definite",
    # Leaks are counted below; by themselves they are not errors.
    "--errors-for-leak-kinds=none",
    # Swift compares strings by whole words, of which a part may never have been written.
    "--undef-value-errors=no",
    "--fair-sched=yes",
]


@pytest.fixture(scope="module")
def binary(tmp_path_factory):
    """The release build without its debugging information, which valgrind cannot read."""
    assert shutil.which("valgrind"), "scripts/setup hardening installs valgrind"
    assert os.path.exists(RELEASE), f"make build makes {RELEASE}"
    copy = tmp_path_factory.mktemp("valgrind") / "brightnessd"
    subprocess.run(["objcopy", "--strip-debug", RELEASE, copy], check=True)
    return str(copy)


def visit(daemon, number):
    """Connects and goes: at once, after an answer, after a stream's first event, or after a WebSocket's."""
    connection = Connection(daemon.port, timeout=TIMEOUT)
    mark = b'"revision":'
    match number % 4:
        case 0:
            mark = b""
        case 1:
            connection.send(request(daemon.port, "GET", "/v1/displays"))
        case 2:
            connection.send(request(daemon.port, "GET", "/v1/events"))
        case 3:
            connection.send(request(daemon.port, "GET", "/v1/ws", HANDSHAKE))
    while mark not in connection.buffer:
        assert connection.fill(), connection.buffer
    if number % 3:
        connection.socket.close()
    else:
        connection.reset()


def lost(binary, log, clients):
    """Returns the leaked bytes after this many clients. Every invalid memory access is an error."""
    daemon = Daemon(
        "--shards",
        "2",
        env={"BRIGHTNESSD_STATE_DIRECTORY": "none"},
        prefix=[*VALGRIND, f"--log-file={log}"],
        binary=binary,
        timeout=TIMEOUT,
    )
    try:
        for number in range(clients):
            visit(daemon, number)
    finally:
        daemon.stop()
    report = log.read_text()
    assert re.search(r"ERROR SUMMARY: 0 errors", report), report[-20_000:]
    found = re.search(r"definitely lost: ([\d,]+) bytes", report)
    # Where nothing at all is left, valgrind says only that.
    assert found or "All heap blocks were freed" in report, report[-2_000:]
    return int(found[1].replace(",", "")) if found else 0


@pytest.mark.timeout(7_200)
def test_no_invalid_access_and_nothing_lost_with_a_connection(binary, tmp_path):
    few = lost(binary, tmp_path / "few", CLIENTS // 10)
    many = lost(binary, tmp_path / "many", CLIENTS)
    print(f"definitely lost: {few} bytes after {CLIENTS // 10} clients, {many} after {CLIENTS}")
    # One byte in ten connections would show.
    assert many - few < CLIENTS // 10, (few, many)
