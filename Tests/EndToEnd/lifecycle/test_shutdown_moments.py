# SPDX-License-Identifier: Apache-2.0
"""SIGTERM at awkward moments: during the start, right after the first answer, around a pause, at random."""

import os
import signal
import subprocess
import time
from contextlib import contextmanager

import pytest

from support.daemon import BINARY
from support.events import Stream
from support.ports import free_port
from support.stops import stop
from support.until import TIMEOUT, until
from support.wire import Connection, request


def hang(file):
    """Opening the file blocks from now on, as a driver does that hangs."""
    file.unlink()
    os.mkfifo(file)


def boost(port):
    """Whether a daemon listens there, and has boosted the display."""
    try:
        with Connection(port) as client:
            return client.request("POST", "/v1/boost", body=b"{}").status == 201
    except ConnectionRefusedError:
        return False


@contextmanager
def process(folder, backlight, port=0, stderr=subprocess.DEVNULL):
    """A daemon whose log is not read, from its first instruction on."""
    options = ("--listen", f"127.0.0.1:{port}", "--state-directory", folder / "state", *backlight.options)
    daemon = subprocess.Popen([BINARY, "serve", *map(str, options)], stderr=stderr)
    try:
        yield daemon
    finally:
        daemon.kill()
        daemon.wait()


@pytest.mark.parametrize("round", range(4))
def test_a_stop_right_after_the_first_response_restores(tmp_path, backlight, round):
    """The port answers before the daemon says that it serves."""
    port = free_port()
    with process(tmp_path, backlight, port) as daemon:
        while not boost(port):
            assert daemon.poll() is None
        assert backlight.step == 960
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(TIMEOUT) == 0
        assert backlight.step == 403


@pytest.mark.parametrize("pause", [0, 0.001, 0.02])
def test_streams_end_properly_when_the_stop_is_paused(start, connect, backlight, pause):
    """Stops all threads while the clocks continue, like `docker pause` and a suspend."""
    daemon = start("--shards", "1", *backlight.options)
    client = connect(daemon)
    client.boost()
    etag = client.etag
    polls = [Connection(daemon.port) for _ in range(20)]
    for connection in polls:
        connection.send(request(daemon.port, "GET", "/v1/brightness?wait=60", {"If-None-Match": etag}))
    with Stream(daemon.port, validates=False) as stream:
        stream.next("state")
        daemon.terminate()
        time.sleep(pause)
        daemon.process.send_signal(signal.SIGSTOP)
        time.sleep(3)
        daemon.process.send_signal(signal.SIGCONT)
        assert stream.rest()[-1].name == "retry"
    daemon.ended()
    assert backlight.step == 403
    for connection in polls:
        with connection:
            assert connection.response("GET", "/v1/brightness").status in (200, 304)


def test_a_start_that_hangs_ends_at_sigterm(tmp_path, backlight):
    hang(backlight.folder / "brightness")
    with process(tmp_path, backlight) as daemon:
        until(lambda: (tmp_path / "state").exists(), "it has begun")
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(TIMEOUT) == 0


def test_a_log_without_a_reader_does_not_delay_the_end(tmp_path, backlight):
    port = free_port()
    reader, writer = os.pipe()
    with process(tmp_path, backlight, port, stderr=writer) as daemon:
        os.read(reader, 1)
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x")
        except BlockingIOError:
            os.set_blocking(writer, True)
        until(lambda: boost(port), "it serves")
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(TIMEOUT) == 0
        assert backlight.step == 403
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("number", range(12))
def test_sigterm_at_a_random_moment_restores(tmp_path, number):
    """`make hardening` does 500 of them."""
    stop(tmp_path / "stop", number)
