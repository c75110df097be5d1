# SPDX-License-Identifier: Apache-2.0
"""TCP connections: kept, shared, pipelined, half-closed, reset; a closed one leaves no descriptor."""

import socket

import pytest

from support.events import Stream
from support.until import until
from support.wire import Connection, request


def test_one_connection_carries_a_hundred_requests(daemon, client):
    with Connection(daemon.port) as connection:
        for number in range(100):
            if number % 2:
                assert connection.request("GET", "/v1/brightness").status == 200
            else:
                body = b'{"percent":%d}' % number
                assert connection.request("PUT", "/v1/brightness", body=body).json["percent"] == number


def test_a_refused_request_keeps_its_connection_open(daemon):
    with Connection(daemon.port) as connection:
        for _ in range(10):
            assert connection.request("GET", "/nothing").status == 404
            assert connection.request("PUT", "/v1/brightness", body=b"{").status == 400
            assert connection.request("PUT", "/v1/brightness", body=b'{"brightness":2}').status == 422
            assert connection.request("GET", "/v1/brightness").status == 200


def test_two_pipelined_requests_are_answered_in_order(daemon, client):
    with Connection(daemon.port) as connection:
        put = request(daemon.port, "PUT", "/v1/brightness", body=b'{"percent":60}')
        connection.send(put + request(daemon.port, "GET", "/v1/brightness"))
        first, second = connection.response("PUT", "/v1/brightness"), connection.response("GET", "/v1/brightness")
        assert first.json == second.json == client.state
        assert first.json["percent"] == 60


def test_a_hundred_pipelined_requests_are_answered(daemon):
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", "/v1/brightness") * 100)
        assert [connection.response().status for _ in range(100)] == [200] * 100


def test_a_request_may_come_byte_by_byte(daemon, client):
    with Connection(daemon.port) as connection, Connection(daemon.port) as other:
        for place, byte in enumerate(request(daemon.port, "PUT", "/v1/brightness", body=b'{"percent":60}')):
            connection.send(bytes([byte]))
            # Not for each byte: the whole head has ten seconds.
            assert place % 8 or other.request("GET", "/livez").status == 200
        assert connection.response("PUT", "/v1/brightness").json["percent"] == 60


def test_an_unfinished_request_delays_no_other_client(daemon):
    unfinished = [Connection(daemon.port) for _ in range(20)]
    for connection in unfinished:
        connection.send(b"PUT /v1/brightness HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n")
    for _ in range(10):
        with Connection(daemon.port) as connection:
            assert connection.request("GET", "/v1/brightness").status == 200
    for connection in unfinished:
        connection.socket.close()


def test_connection_close_closes_the_connection(daemon):
    with Connection(daemon.port) as connection:
        answer = connection.request("GET", "/v1/brightness", {"Connection": "close"})
        assert (answer.status, answer.closes) == (200, True)
        connection.assert_closed()


def test_a_half_closed_connection_is_answered(daemon, client):
    """`printf … | nc -N`: the client has shut down its sending side."""
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", "/v1/brightness"))
        # Not sooner: an end that comes together with the request libmicrohttpd 0.9.75 notices only after a minute.
        until(lambda: daemon.unread == 0, "the request has been read")
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.response("GET", "/v1/brightness").json == client.state
        connection.assert_closed()


def test_a_stream_has_one_socket_whatever_else_is_open(start):
    """libmicrohttpd closes its descriptor of an adopted socket at once, also behind an older idle connection."""
    daemon = start("--shards", "1")
    with Connection(daemon.port) as idle:
        assert idle.request("GET", "/livez").status == 200
        before = daemon.sockets
        streams = [Stream(daemon.port) for _ in range(100)]
        until(lambda: daemon.sockets == before + 100, "each stream has one socket")
        assert idle.request("GET", "/livez").status == 200
    for stream in streams:
        stream.connection.socket.close()


@pytest.mark.parametrize("end", ["close", "half-close", "reset"])
def test_a_stream_that_ends_frees_its_descriptor(start, end):
    daemon = start()
    before = daemon.sockets
    streams = [Stream(daemon.port) for _ in range(50)]
    for stream in streams:
        stream.next("state")
    until(lambda: daemon.sockets == before + 50, "each stream has one descriptor")
    for stream in streams:
        if end == "reset":
            stream.connection.reset()
        elif end == "half-close":
            stream.connection.socket.shutdown(socket.SHUT_WR)
        else:
            stream.connection.socket.close()
    until(lambda: daemon.sockets == before, "all of them are free again")


@pytest.mark.parametrize("sent", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_connection_that_ends_frees_its_descriptor(start, sent):
    daemon = start()
    before = daemon.sockets
    connections = [Connection(daemon.port) for _ in range(20)]
    for connection in connections:
        connection.send(sent)
    until(lambda: daemon.sockets == before + 20, "all are accepted")
    # Not sooner: an end that comes together with bytes libmicrohttpd 0.9.75 notices only after a minute.
    until(lambda: daemon.unread == 0, "what they sent has been read")
    for connection in connections[:10]:
        connection.socket.close()
    for connection in connections[10:]:
        connection.reset()
    until(lambda: daemon.sockets == before, "all of them are free again")


def test_a_reader_that_leaves_during_changes_frees_its_descriptor(start, connect):
    """Resets arrive while the daemon is sending."""
    daemon = start()
    client = connect(daemon)
    client.set(0.5)
    before = daemon.sockets
    for percent in range(30):
        streams = [Stream(daemon.port) for _ in range(10)]
        client.put("/v1/brightness", json={"percent": percent})
        for stream in streams:
            stream.connection.reset()
    until(lambda: daemon.sockets == before, "all of them are free again")
    assert client.state["percent"] == 29
