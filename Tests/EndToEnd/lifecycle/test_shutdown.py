# SPDX-License-Identifier: Apache-2.0
"""SIGTERM: whatever is open ends cleanly, and the daemon with it, within five seconds."""

import os
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import contextmanager

import pytest

from support.backlight import Backlight
from support.daemon import BINARY
from support.events import Stream
from support.ports import free_port
from support.sensors import Sensor
from support.stops import stop
from support.until import until
from support.wire import Connection, parse_head, request

STREAMS = 1_000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.alone
def test_nothing_open(start, number):
    daemon = start()
    daemon.terminate(number)
    daemon.ended(within=2)


@pytest.mark.alone
def test_a_thousand_streams_half_of_them_not_reading(start, connect):
    """The daemon is started with few descriptors, as a service manager would: it takes what the hard limit allows."""
    daemon = start("--shards", "2", prefix=("prlimit", "--nofile=512:4096"))
    client = connect(daemon)
    reading = [Stream(daemon.port, validates=False) for _ in range(STREAMS // 2)]
    stalled = [Stream(daemon.port, receive_buffer=2048, validates=False) for _ in range(STREAMS // 2)]
    for number in range(100):
        client.put("/v1/brightness", json={"percent": number, "reason": "x" * 256})
    final = client.state["revision"]
    for stream in reading:
        stream.next("brightness", lambda event: event.revision == final)

    daemon.terminate()
    retries = set()
    for stream in reading:
        with stream:
            [retry] = [block for block in stream.rest() if block.name not in ("comment", "room")]
            assert retry.name == "retry" and 1000 <= retry.data <= 5000
            retries.add(retry.data)
            stream.connection.assert_closed()
    daemon.ended()
    assert len(retries) > STREAMS / 10, "everybody would be back at once"

    for stream in stalled:
        with stream:
            assert stream.next("brightness").revision <= final


@pytest.mark.alone
def test_streams_that_get_their_end_during_changes(start, connect):
    daemon = start()
    streams = [Stream(daemon.port, validates=False) for _ in range(100)]
    over = threading.Event()

    def write():
        with Connection(daemon.port) as connection:
            try:
                while not over.is_set():
                    for percent in range(100):
                        connection.request("PUT", "/v1/brightness", body=b'{"percent":%d}' % percent)
            except (AssertionError, OSError):
                assert daemon.process.wait(5) == 0

    writer = threading.Thread(target=write)
    writer.start()
    for stream in streams:
        stream.next("brightness", lambda event: event.revision > 20)
    daemon.terminate()
    for stream in streams:
        with stream:
            assert stream.rest()[-1].name == "retry"
    daemon.ended()
    over.set()
    writer.join()


def test_whoever_waits_is_answered_or_let_go(start, connect):
    """Long polls are suspended inside libmicrohttpd, which aborts when it is stopped with one of those."""
    daemon = start()
    etag = connect(daemon).etag
    polls = [Connection(daemon.port) for _ in range(50)]
    for connection in polls:
        connection.send(request(daemon.port, "GET", "/v1/brightness?wait=60", {"If-None-Match": etag}))
    with Connection(daemon.port) as witness:
        assert witness.request("GET", "/livez").status == 200
    daemon.terminate()
    daemon.ended()
    for connection in polls:
        with connection:
            while connection.fill():
                pass
            if connection.buffer:
                assert connection.response("GET", "/v1/brightness").status in (200, 304, 503)


def test_unfinished_requests_hold_up_nothing(start):
    daemon = start()
    connections = [Connection(daemon.port) for _ in range(20)]
    for connection in connections[:10]:
        connection.send(b"PUT /v1/brightness HTTP/1.1\r\nHost: localhost\r\n")
    for connection in connections[10:]:
        connection.send(request(daemon.port, "PUT", "/v1/brightness", {"Content-Length": "100"}, b"{"))
    with Connection(daemon.port) as witness:
        assert witness.request("GET", "/livez").status == 200
        daemon.terminate()
        daemon.ended()


def connects(port, seen):
    """Connects and asks, until nobody listens any more; each answer that begins must be whole."""
    while True:
        try:
            with Connection(port) as connection:
                connection.send(request(port, "GET", "/v1/brightness", {"Connection": "close"}))
                while connection.fill():
                    pass
        except ConnectionRefusedError:
            return
        except OSError:
            continue
        if connection.buffer:
            head, _, body = connection.buffer.partition(b"\r\n\r\n")
            answer = parse_head(head)
            seen.append((answer.status, len(body) - int(answer.headers["content-length"])))


@pytest.mark.alone
def test_during_a_storm_of_connects(start):
    daemon = start("--shards", "2")
    seen = []
    clients = [threading.Thread(target=connects, args=(daemon.port, seen)) for _ in range(8)]
    for client in clients:
        client.start()
    deadline = time.monotonic() + 10
    with Connection(daemon.port) as witness:
        while len(seen) < 200:
            assert witness.request("GET", "/livez").status == 200
            assert time.monotonic() < deadline
    daemon.terminate()
    daemon.ended()
    for client in clients:
        client.join(5)
        assert not client.is_alive()
    assert {length for _, length in seen} == {0}
    assert {status for status, _ in seen} <= {200, 503}


def test_nobody_listens_afterwards(start):
    daemon = start()
    daemon.terminate()
    daemon.ended()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", daemon.port), timeout=1)
    assert not [line for line in daemon.lines if line and re.search("MHD|microhttpd", line)], daemon.lines


@pytest.mark.parametrize(("on_exit", "step"), [(None, 403), ("restore", 403), ("keep", 960)])
def test_a_boosted_panel_is_put_back_before_the_end(start, connect, backlight, on_exit, step):
    daemon = start(*backlight.options, *(["--on-exit", on_exit] if on_exit else []))
    connect(daemon).boost()
    assert backlight.step == 960
    daemon.terminate()
    daemon.ended()
    assert backlight.step == step


def boost_all(client):
    assert client.post("/v1/displays/all/boosts", json={"ttl": 600}).status_code == 200


def hang(file):
    """Opening the file blocks from now on, as a driver does that hangs."""
    file.unlink()
    os.mkfifo(file)


@pytest.fixture
def two(tmp_path):
    """Two backlights at 40 of 100, and the options that serve them."""
    panels = [Backlight(tmp_path / "sys", name, step=40, maximum=100) for name in ("aa", "bb")]
    return *panels, ("--sysfs-root", tmp_path / "sys", "--display", "backlight:aa", "--display", "backlight:bb")


@pytest.mark.parametrize("seconds", [0, 1.5])
@pytest.mark.alone
def test_a_panel_that_hangs_holds_up_no_other(start, connect, two, seconds):
    """With seconds before the end, the daemon's look at what others do hangs already."""
    healthy, hanging, options = two
    daemon = start(*options, expects="bb did not take its brightness back in time")
    boost_all(connect(daemon))
    assert (healthy.step, hanging.step) == (100, 100)
    hang(hanging.folder / "brightness")
    time.sleep(seconds)
    daemon.terminate()
    until(lambda: healthy.step == 40, "the healthy panel is back", within=1)
    daemon.ended()
    assert "bb did not take its brightness back in time" in "\n".join(map(str, daemon.lines))


@pytest.mark.alone
def test_a_light_sensor_that_hangs_holds_up_nothing(start, connect, backlight):
    sensor = Sensor(backlight.root, in_illuminance_input=100)
    hang(sensor.folder / "in_illuminance_input")
    daemon = start(*backlight.options)
    connect(daemon).boost()
    assert backlight.step == 960
    daemon.terminate()
    until(lambda: backlight.step == 403, "the panel is back", within=1)
    daemon.ended()


def test_streams_see_the_restore_before_their_end(start, connect, backlight):
    daemon = start(*backlight.options)
    connect(daemon).boost()
    with Stream(daemon.port) as stream:
        assert stream.next("brightness").data["boost"]
        daemon.terminate()
        events = stream.rest()
        assert [event.data["change"] for event in events if event.name == "boost"][-1] == "released"
        last = [event for event in events if event.name == "brightness"][-1].data
        assert (last["boost"], last["cause"]["kind"], last["cause"]["by"]) == (None, "restore", "brightnessd")
        assert events[-1].name == "retry"
    daemon.ended()


@pytest.mark.alone
def test_nobody_changes_a_display_behind_the_restore(start, connect, two):
    """A connection that is there is served until the streams end, which here waits for a panel that hangs."""
    healthy, hanging, options = two
    daemon = start(*options, expects="bb did not take its brightness back in time")
    boost_all(connect(daemon))
    with Connection(daemon.port) as client:
        assert client.request("GET", "/livez").status == 200
        hang(hanging.folder / "brightness")
        daemon.terminate()
        until(lambda: healthy.step == 40, "the healthy panel is back", within=1)
        answer = client.request("POST", "/v1/displays/aa/boosts", body=b"{}")
        assert (answer.status, "being stopped" in answer.json["detail"]) == (503, True)
        assert client.request("GET", "/v1/displays/aa").json["boost"] is None
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", daemon.port), timeout=1)
    daemon.ended()
    assert healthy.step == 40


def boost(port):
    """Whether somebody listens there, who then has boosted the display."""
    try:
        with Connection(port) as client:
            return client.request("POST", "/v1/boost", body=b"{}").status == 201
    except ConnectionRefusedError:
        return False


@contextmanager
def process(folder, backlight, port=0, stderr=subprocess.DEVNULL):
    """A daemon whose log nobody reads, from its first instruction on."""
    options = ("--listen", f"127.0.0.1:{port}", "--state-directory", folder / "state", *backlight.options)
    daemon = subprocess.Popen([BINARY, "serve", *map(str, options)], stderr=stderr)
    try:
        yield daemon
    finally:
        daemon.kill()
        daemon.wait()


@pytest.mark.parametrize("round", range(4))
def test_from_the_first_answer_on_a_stop_puts_back(tmp_path, backlight, round):
    """The port answers before the daemon says that it serves."""
    port = free_port()
    with process(tmp_path, backlight, port) as daemon:
        while not boost(port):
            assert daemon.poll() is None
        assert backlight.step == 960
        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(5) == 0
        assert backlight.step == 403


@pytest.mark.parametrize("pause", [0, 0.001, 0.02])
def test_a_pause_during_the_stop_costs_nobody_their_end(start, connect, backlight, pause):
    """What `docker pause` and a suspend do: every clock goes on, and no thread."""
    daemon = start("--shards", "1", *backlight.options)
    client = connect(daemon)
    client.boost()
    etag = client.etag
    polls = [Connection(daemon.port) for _ in range(20)]
    for connection in polls:
        connection.send(request(daemon.port, "GET", "/v1/brightness?wait=60", {"If-None-Match": etag}))
    with Stream(daemon.port, validates=False) as stream:
        stream.next("brightness")
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
        assert daemon.wait(5) == 0


def test_a_log_that_nobody_reads_holds_up_nothing(tmp_path, backlight):
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
        assert daemon.wait(5) == 0
        assert backlight.step == 403
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("number", range(12))
def test_at_a_random_moment(tmp_path, number):
    """`make hardening` does 500 of them."""
    stop(tmp_path / "stop", number)
