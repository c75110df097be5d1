# SPDX-License-Identifier: Apache-2.0
"""systemd: readiness, the watchdog, and sockets that the daemon inherits."""

import os
import re
import socket
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from support.daemon import BINARY, ROOT, environment, run
from support.faults import Faults
from support.threads import suspended
from support.until import TIMEOUT, until
from support.wire import Connection


@pytest.fixture
def manager(tmp_path):
    """The socket of NOTIFY_SOCKET."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        manager.settimeout(30)
        yield manager


def test_systemd_is_notified_of_readiness_and_the_stop(manager, start, connect):
    daemon = start(env={"NOTIFY_SOCKET": manager.getsockname()})
    assert manager.recv(256) == b"READY=1"
    assert connect(daemon).get("/livez").status_code == 200
    daemon.terminate()
    assert manager.recv(256) == b"STOPPING=1"
    daemon.ended()


def test_the_watchdog_is_fed_until_a_shard_is_stuck(manager, start):
    daemon = start("--shards", "2", env={"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "100000"})
    assert [manager.recv(256) for _ in range(4)] == [b"READY=1", *[b"WATCHDOG=1"] * 3]
    with suspended(daemon, "shard-1"):
        # Earlier messages may still be there.
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
    assert manager.recv(256) == b"READY=1"
    faults.set(delay=2)
    client = connect(daemon)
    with ThreadPoolExecutor() as pool:
        setting = pool.submit(client.put, "/v1/brightness", json={"raw": 500}, headers={"Prefer": "wait=0"})
        while not faults.writes:
            assert manager.recv(256) == b"WATCHDOG=1"
        for _ in range(10):
            assert manager.recv(256) == b"WATCHDOG=1"
        assert setting.result().status_code in (200, 202)
    faults.set()


def test_the_unit_repeats_a_failed_start_but_not_an_invalid_option():
    unit = dict(re.findall(r"^(\w+)=(.*)$", (ROOT / "packaging/systemd/brightnessd.service").read_text(), re.MULTILINE))
    assert unit["Restart"] == "on-failure"
    assert int(unit["StartLimitBurst"]) * int(unit["RestartSec"]) > int(unit["StartLimitIntervalSec"])
    assert run("serve", "--shards", "none").returncode == int(unit["RestartPreventExitStatus"])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run("serve", "--display", "simulated", "--listen", address)
    assert "in use" in done.stderr.lower()
    assert done.returncode not in (0, int(unit["RestartPreventExitStatus"]))


SHELL = ("bash", "-c", 'exec 3<&$A 4<&$B; LISTEN_PID=$$ LISTEN_FDS=$COUNT exec "$0" "$@"')
"""Passes sockets like the service manager: from descriptor 3 on, with the process id."""


def passing(*sockets):
    """Returns the arguments that start a daemon with these sockets: one or two."""
    numbers = [one.fileno() for one in sockets]
    names = {"A": str(numbers[0]), "B": str(numbers[-1]), "COUNT": str(len(numbers))}
    return {"prefix": SHELL, "pass_fds": numbers, "env": names}


@pytest.fixture
def listening():
    """An address with a listener that does not answer."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listening:
        yield listening


def get(port, path="/v1/displays"):
    with Connection(port) as connection:
        return connection.request("GET", path, {"Connection": "close"})


def test_an_inherited_socket_is_served(start, listening, tmp_path):
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as local:
        local.bind(path)
        local.listen()
        daemon = start("--unix", "/nowhere/at/all", **passing(listening, local))
        assert daemon.port == listening.getsockname()[1]
        assert daemon.line(r"serving at .* and (\S+)").group(1) == path
        for _ in range(20):
            assert get(daemon.port).status == 200
        command = ["curl", "--silent", "--fail", "--unix-socket", path, "-X", "POST", "http://localhost/v1/boost"]
        assert subprocess.run(command, capture_output=True, timeout=TIMEOUT).returncode == 0
        daemon.terminate()
        daemon.ended()
        assert os.path.exists(path), "it is not the daemon's to remove"


def test_a_unix_socket_from_systemd_is_the_only_one(tmp_path):
    """On it users have roles; on a port every local user would be `admin`."""
    path = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as local:
        local.bind(path)
        local.listen()
        how = passing(local)
        env = environment(BRIGHTNESSD_STATE_DIRECTORY="none", **how["env"])
        command = [*how["prefix"], BINARY, "serve", "--display", "simulated"]
        with subprocess.Popen(command, env=env, pass_fds=how["pass_fds"], stderr=subprocess.PIPE, text=True) as daemon:
            try:
                line = next(line for line in daemon.stderr if "serving at" in line)
                assert line.split("serving at ")[1].strip() == path
            finally:
                daemon.terminate()
                daemon.communicate(timeout=TIMEOUT)


@pytest.mark.parametrize("count", ["99", "x", "-1"])
def test_a_count_of_sockets_that_does_not_match_is_an_error(listening, count):
    how = passing(listening)
    how["env"]["COUNT"] = count
    assert "LISTEN_FDS" in refusal(**how)


def test_a_restart_refuses_no_connection(start, listening):
    port = listening.getsockname()[1]
    epochs, failures = set(), []
    over = threading.Event()

    def ask():
        while not over.is_set():
            try:
                epochs.add(get(port).json["epoch"])
            except (OSError, AssertionError) as failure:
                failures.append(failure)

    clients = [threading.Thread(target=ask) for _ in range(4)]
    for client in clients:
        client.start()
    try:
        for count in range(1, 4):
            daemon = start(**passing(listening))
            until(lambda count=count: len(epochs) >= count, "the new one answers")
            daemon.terminate()
            daemon.ended()
        start(**passing(listening))
    finally:
        over.set()
        for client in clients:
            client.join(TIMEOUT)
    assert not [failure for failure in failures if isinstance(failure, ConnectionRefusedError)]
    assert len(failures) <= 4 * 3, "at most who was being answered"


def test_sockets_for_another_process_are_ignored(start, listening):
    how = passing(listening)
    how["prefix"] = (*how["prefix"][:2], how["prefix"][2].replace("LISTEN_PID=$$", "LISTEN_PID=1"))
    assert start(**how).port != listening.getsockname()[1]


def refusal(*options, **how):
    """Returns the error message of a daemon that fails to start."""
    env = environment(BRIGHTNESSD_STATE_DIRECTORY="none", **how["env"])
    command = [*how["prefix"], BINARY, "serve", "--display", "simulated", *options]
    done = subprocess.run(command, env=env, pass_fds=how["pass_fds"], capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode != 0
    return done.stderr


def test_an_inherited_address_beyond_loopback_needs_a_token_or_anonymous(start):
    with socket.create_server(("0.0.0.0", 0)) as everywhere:
        assert "can be reached from other machines" in refusal(**passing(everywhere))
        daemon = start("--anonymous", "read", **passing(everywhere))
        assert daemon.port == everywhere.getsockname()[1]


def test_a_descriptor_that_is_not_a_listening_socket_is_an_error():
    with socket.socket() as idle:
        assert "not a listening stream socket" in refusal(**passing(idle))
