# SPDX-License-Identifier: Apache-2.0
"""Listening sockets that the daemon inherits, as from systemd: here from this process, which keeps them."""

import os
import socket
import subprocess
import threading

import pytest

from support.daemon import BINARY, environment
from support.until import until
from support.wire import Connection

SHELL = ("bash", "-c", 'exec 3<&$A 4<&$B; LISTEN_PID=$$ LISTEN_FDS=$COUNT exec "$0" "$@"')
"""What the service manager does: the sockets from descriptor 3 on, and who they are for."""


def passing(*sockets):
    """How a daemon is started with these sockets: one or two."""
    numbers = [one.fileno() for one in sockets]
    names = {"A": str(numbers[0]), "B": str(numbers[-1]), "COUNT": str(len(numbers))}
    return {"prefix": SHELL, "pass_fds": numbers, "env": names}


@pytest.fixture
def listening():
    """An address that somebody listens on, and nobody answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listening:
        yield listening


def get(port, path="/v1/displays"):
    with Connection(port, timeout=60) as connection:
        return connection.request("GET", path, {"Connection": "close"})


def test_it_serves_what_it_inherits(start, listening, tmp_path):
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
        assert subprocess.run(command, capture_output=True, timeout=60).returncode == 0
        daemon.terminate()
        daemon.ended()
        assert os.path.exists(path), "it is not the daemon's to remove"


def test_a_restart_refuses_nobody(start, listening):
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
            until(lambda count=count: len(epochs) >= count, "the new one answers", within=60)
            daemon.terminate()
            daemon.ended(within=20)
        start(**passing(listening))
    finally:
        over.set()
        for client in clients:
            client.join(90)
    assert not [failure for failure in failures if isinstance(failure, ConnectionRefusedError)]
    assert len(failures) <= 4 * 3, "at most who was being answered"


def test_sockets_that_are_for_somebody_else_are_left_alone(start, listening):
    how = passing(listening)
    how["prefix"] = (*how["prefix"][:2], how["prefix"][2].replace("LISTEN_PID=$$", "LISTEN_PID=1"))
    assert start(**how).port != listening.getsockname()[1]


def refusal(*options, **how):
    """How a daemon ends that does not start."""
    env = environment(BRIGHTNESSD_STATE_DIRECTORY="none", **how["env"])
    command = [*how["prefix"], BINARY, "serve", "--display", "simulated", *options]
    done = subprocess.run(command, env=env, pass_fds=how["pass_fds"], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    return done.stderr


def test_an_inherited_address_beyond_loopback_needs_a_decision_too(start):
    with socket.create_server(("0.0.0.0", 0)) as everywhere:
        assert "can be reached from other machines" in refusal(**passing(everywhere))
        daemon = start("--anonymous", "read", **passing(everywhere))
        assert daemon.port == everywhere.getsockname()[1]


def test_what_is_no_listening_socket_is_refused():
    with socket.socket() as idle:
        assert "no listening stream socket" in refusal(**passing(idle))
