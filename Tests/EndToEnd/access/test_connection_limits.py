# SPDX-License-Identifier: Apache-2.0
"""Limits of one client: connections, new connections per second, streams. Other clients are not affected."""

import select
import socket

import pytest

from support.events import Stream
from support.until import until
from support.wire import Connection, parse_head, request

ONE, OTHER = "127.0.0.1", "127.0.0.2"
"""Explicit limits apply to loopback, too. Each of its addresses is one client."""


def is_idle(connection):
    """Whether the connection was accepted: it is open and has no response."""
    return not select.select([connection.socket], [], [], 0)[0]


def assert_refused(connection, problem):
    """The client gets the whole response although its request is not read; then the connection ends."""
    connection.send_anyway(request(connection.port, "GET", "/v1/brightness"))
    answer = connection.response()
    assert (answer.status, answer.closes) == (429, True), answer
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) > 0
    assert (answer.json["type"], answer.json["status"]) == (f"/problems/{problem}", 429)
    connection.assert_closed()


def refused(daemon):
    with Connection(daemon.port, source="127.0.0.9") as connection:
        text = connection.request("GET", "/metrics").body.decode()
    lines = [line for line in text.splitlines() if line.startswith("brightnessd_http_connections_refused_total{")]
    return sum(float(line.split()[-1]) for line in lines)


@pytest.mark.parametrize("shards", ["1", "3"])
def test_a_client_over_its_connection_limit_gets_429(start, shards):
    daemon = start("--shards", shards, "--limit", "connections=6")
    held = [Connection(daemon.port, source=ONE) for _ in range(6)]
    for connection in held:
        assert connection.request("GET", "/livez").status == 200
    for _ in range(20):
        with Connection(daemon.port, source=ONE) as one_more:
            assert_refused(one_more, "client-limit-reached")
    assert refused(daemon) == 20
    with Connection(daemon.port, source=OTHER) as other:
        assert other.request("PUT", "/v1/brightness", body=b'{"percent":60}').status == 200
    assert all(connection.request("GET", "/livez").status == 200 for connection in held)

    def is_let_in():
        with Connection(daemon.port, source=ONE) as one_more:
            one_more.send_anyway(request(daemon.port, "GET", "/livez"))
            return one_more.response().status == 200

    assert not is_let_in()
    held.pop().socket.close()
    until(is_let_in, "the end of a connection makes room")
    for connection in held:
        connection.socket.close()


def test_a_connection_without_a_request_is_counted(start):
    daemon = start("--shards", "1", "--limit", "connections=5")
    held = [Connection(daemon.port, source=ONE) for _ in range(5)]
    with Connection(daemon.port, source=ONE) as one_more:
        assert_refused(one_more, "client-limit-reached")
    assert all(is_idle(connection) for connection in held)
    for connection in held:
        connection.reset()


def test_streams_do_not_count_as_connections(start):
    """Streams have a limit of their own, so a client with many streams may still send requests."""
    daemon = start("--limit", "connections=3")
    streams = []
    for _ in range(10):
        # A request for a stream counts as a connection until its socket is adopted.
        streams.append(Stream(daemon.port))
        streams[-1].next("state")
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/livez").status == 200
    for stream in streams:
        stream.connection.socket.close()


def test_a_client_that_connects_too_often_gets_429(start):
    """A burst of two and one connection per second: of many more, some are accepted, the others get 429."""
    daemon = start("--shards", "2", "--limit", "connects=1")
    statuses = []
    for _ in range(100):
        with Connection(daemon.port, source=ONE) as connection:
            connection.send_anyway(request(daemon.port, "GET", "/livez"))
            answer = connection.response()
            statuses.append(answer.status)
            if answer.status == 429:
                assert answer.json["type"] == "/problems/rate-limited"
                assert int(answer.headers["retry-after"]) == 1
    assert statuses[0] == 200 and set(statuses) == {200, 429}
    with Connection(daemon.port, source=OTHER) as other:
        for _ in range(100):
            assert other.request("GET", "/livez").status == 200, "requests on one connection are no connects"


def test_a_user_of_the_unix_socket_is_one_client(start, tmp_path):
    path = str(tmp_path / "socket")
    start("--unix", path, "--limit", "connections=2")
    held = []
    for _ in range(3):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(30)
        client.connect(path)
        client.sendall(request(0, "GET", "/livez"))
        received = b""
        while b"\r\n\r\n" not in received:
            received += client.recv(65_536)
        held.append((client, parse_head(received.split(b"\r\n\r\n")[0]).status))
    assert [status for _, status in held] == [200, 200, 429]
    for client, _ in held:
        client.close()


def test_rejected_connections_leave_no_socket(start):
    """Clients that never close their rejected connections do not occupy descriptors."""
    daemon = start("--shards", "1", "--limit", "connections=1")
    with Connection(daemon.port, source=ONE) as one:
        assert one.request("GET", "/livez").status == 200
        before = daemon.sockets
        crowd = [Connection(daemon.port, source=ONE) for _ in range(50)]
        for connection in crowd:
            assert_refused(connection, "client-limit-reached")
        until(lambda: daemon.sockets <= before, "all of their sockets are closed")
        for connection in crowd:
            connection.socket.close()


def open_stream(daemon, source, path="/v1/events"):
    """Returns a connection from this address that requested a stream, and the head of the response."""
    connection = Connection(daemon.port, source=source)
    connection.send(request(daemon.port, "GET", path))
    return connection, connection.head()


def test_a_client_over_its_stream_limit_gets_429(start):
    """An explicit limit applies to loopback, too. A rejected connection stays usable."""
    daemon = start("--shards", "2", "--limit", "streams=3")
    streams = [open_stream(daemon, "127.0.0.1") for _ in range(3)]
    assert [head.status for _, head in streams] == [200] * 3
    with Connection(daemon.port, source="127.0.0.1") as one_more:
        for _ in range(2):
            refusal = one_more.request("GET", "/v1/events")
            assert (refusal.status, refusal.json["type"]) == (429, "/problems/client-limit-reached")
            assert int(refusal.headers["retry-after"]) > 0
        assert one_more.request("GET", "/v1/brightness").status == 200

        other, head = open_stream(daemon, "127.0.0.2")
        assert head.status == 200
        streams.pop()[0].socket.close()

        def is_let_in():
            one_more.send(request(daemon.port, "GET", "/v1/events"))
            head = one_more.head()
            one_more.take(int(head.headers.get("content-length", 0)))
            return head.status == 200

        until(is_let_in, "the end of a stream makes room")
    for connection, _ in [*streams, (other, None)]:
        connection.socket.close()


def test_loopback_has_no_default_stream_limit(daemon):
    streams = [open_stream(daemon, "127.0.0.1") for _ in range(300)]
    assert {head.status for _, head in streams} == {200}
    for connection, _ in streams:
        connection.socket.close()
