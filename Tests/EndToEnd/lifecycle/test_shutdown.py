# SPDX-License-Identifier: Apache-2.0
"""SIGTERM: every open connection and stream gets a proper end. `make hardening` measures how soon."""

import re
import signal
import socket
import threading

import pytest

from support.events import Stream
from support.remote import CLOSE, RawSocket, frame
from support.until import TIMEOUT, until
from support.wire import Connection, parse_head, request

STREAMS = 1_000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_daemon_ends(start, number):
    daemon = start()
    daemon.terminate(number)
    daemon.ended()


def test_a_thousand_streams_end_although_half_of_them_do_not_read(start, connect):
    """The daemon is started with few descriptors, as a service manager would: it takes what the hard limit allows."""
    daemon = start("--shards", "2", prefix=("prlimit", "--nofile=512:4096"))
    client = connect(daemon)
    reading = [Stream(daemon.port, validates=False) for _ in range(STREAMS // 2)]
    stalled = [Stream(daemon.port, receive_buffer=2048, validates=False) for _ in range(STREAMS // 2)]
    for number in range(100):
        client.put("/v1/brightness", json={"percent": number, "reason": "x" * 256})
    final = client.state["revision"]
    for stream in reading:
        stream.next("state", lambda event: event.revision == final)

    daemon.terminate()
    retries = set()
    for stream in reading:
        with stream:
            [retry] = [block for block in stream.rest() if block.name not in ("comment", "simulator", "default", "day", "synced")]
            assert retry.name == "retry" and 1000 <= retry.data <= 5000
            retries.add(retry.data)
            stream.connection.assert_closed()
    daemon.ended()
    assert len(retries) > STREAMS / 10, "all clients would reconnect at once"

    for stream in stalled:
        with stream:
            assert stream.next("state").revision <= final


def test_streams_end_properly_during_changes(start, connect):
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
                assert daemon.process.wait(TIMEOUT) == 0

    writer = threading.Thread(target=write)
    writer.start()
    for stream in streams:
        stream.next("state", lambda event: event.revision > 20)
    daemon.terminate()
    for stream in streams:
        with stream:
            assert stream.rest()[-1].name == "retry"
    daemon.ended()
    over.set()
    writer.join()


def test_long_polls_are_answered_or_closed(start, connect):
    """Long polls are suspended inside libmicrohttpd, which aborts when it is stopped with one of those."""
    daemon = start()
    etag = connect(daemon).etag
    polls = [Connection(daemon.port) for _ in range(50)]
    for connection in polls:
        connection.send(request(daemon.port, "GET", "/v1/brightness?wait=60", {"If-None-Match": etag}))
    until(lambda: daemon.unread == 0, "every request has been read")
    daemon.terminate()
    daemon.ended()
    for connection in polls:
        with connection:
            while connection.fill():
                pass
            if connection.buffer:
                assert connection.response("GET", "/v1/brightness").status in (200, 304, 503)


def test_unfinished_requests_do_not_delay_the_end(start):
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
    """Connects and sends requests until the daemon stops listening. Each response that begins must be complete."""
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


def test_responses_are_complete_during_a_flood_of_connections(start):
    daemon = start("--shards", "2")
    seen = []
    clients = [threading.Thread(target=connects, args=(daemon.port, seen)) for _ in range(8)]
    for client in clients:
        client.start()
    with Connection(daemon.port) as witness:
        until(lambda: witness.request("GET", "/livez").status == 200 and len(seen) >= 200, "200 are answered")
    daemon.terminate()
    daemon.ended()
    for client in clients:
        client.join(TIMEOUT)
        assert not client.is_alive()
    assert {length for _, length in seen} == {0}
    assert {status for status, _ in seen} <= {200, 503}


def test_the_port_is_closed_afterwards(start):
    daemon = start()
    daemon.terminate()
    daemon.ended()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", daemon.port), timeout=1)
    assert not [line for line in daemon.lines if line and re.search("MHD|microhttpd", line)], daemon.lines


@pytest.mark.parametrize("answers", [True, False])
def test_a_websocket_gets_its_events_then_close_code_1001(start, connect, answers):
    """Pending events come first, then 1001. A client that does not answer is closed after a moment."""
    daemon = start("--shards", "2")
    client = connect(daemon)
    sockets = [RawSocket(daemon) for _ in range(50)]
    for ws in sockets:
        ws.message()
    newest = client.set(0.77)["revision"]
    daemon.terminate()
    for ws in sockets:
        assert ws.message()["params"]["revision"] == newest
        assert ws.close_code() == 1001
        if answers:
            ws.send_anyway(frame(0x80 | CLOSE, b"\x03\xe9"))
            ws.socket.close()
    daemon.ended()


def test_websockets_that_do_not_read_do_not_delay_the_end(start, connect):
    daemon = start()
    client = connect(daemon)
    stalled = [RawSocket(daemon, receive_buffer=2048) for _ in range(50)]
    for number in range(300):
        client.put("/v1/brightness", json={"percent": number % 100, "reason": "x" * 256})
    daemon.terminate()
    daemon.ended()
    for ws in stalled:
        ws.socket.close()
