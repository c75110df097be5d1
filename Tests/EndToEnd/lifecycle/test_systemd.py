# SPDX-License-Identifier: Apache-2.0
"""What systemd is told, by a socket that stands in for it."""

import ctypes
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest

from support.faults import Faults

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000


@pytest.fixture
def manager(tmp_path):
    """What NOTIFY_SOCKET names."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        manager.settimeout(30)
        yield manager


def test_it_is_told_of_readiness_and_the_end(manager, start, connect):
    daemon = start(env={"NOTIFY_SOCKET": manager.getsockname()})
    assert manager.recv(256) == b"READY=1"
    assert connect(daemon).get("/livez").status_code == 200
    daemon.terminate()
    assert manager.recv(256) == b"STOPPING=1"
    daemon.ended()


@contextmanager
def stuck(daemon, name):
    """One thread of the daemon does nothing, as under a debugger; the others go on."""
    tasks = f"/proc/{daemon.pid}/task"
    [thread] = [int(task) for task in os.listdir(tasks) if open(f"{tasks}/{task}/comm").read() == f"{name}\n"]
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace

    def ask(request):
        assert ptrace(request, thread, None, None) == 0, os.strerror(ctypes.get_errno())

    ask(PTRACE_SEIZE)
    ask(PTRACE_INTERRUPT)
    os.waitpid(thread, WALL)
    try:
        yield
    finally:
        ask(PTRACE_DETACH)


def test_the_watchdog_is_fed_until_a_shard_is_stuck(manager, start):
    daemon = start("--shards", "2", env={"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "100000"})
    assert [manager.recv(256) for _ in range(4)] == [b"READY=1", *[b"WATCHDOG=1"] * 3]
    with stuck(daemon, "shard-1"):
        # What was said before may still be there.
        manager.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                manager.recv(256)
        manager.settimeout(1)
        with pytest.raises(TimeoutError):
            for _ in range(2):
                manager.recv(256)
    manager.settimeout(30)
    assert manager.recv(256) == b"WATCHDOG=1"


def test_a_panel_that_is_slow_is_not_stuck(manager, start, connect, backlight, tmp_path):
    """Its writes take many times the watchdog's time."""
    faults = Faults(tmp_path)
    daemon = start(
        *backlight.options,
        env={"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "100000"} | faults.environment,
    )
    faults.set(delay=2)
    client = connect(daemon)
    with ThreadPoolExecutor() as pool:
        setting = pool.submit(client.put, "/v1/brightness", json={"raw": 500})
        while not faults.writes:
            assert manager.recv(256) in (b"READY=1", b"WATCHDOG=1")
        for _ in range(10):
            assert manager.recv(256) == b"WATCHDOG=1"
        assert setting.result().status_code in (200, 202)
    faults.set()
