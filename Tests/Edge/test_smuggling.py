# SPDX-License-Identifier: Apache-2.0
"""Requests that two servers would read differently: refused, and nothing behind them on the connection is ever read."""

import re
import socket

import pytest

from support.wire import Connection

HIDDEN = (
    b"PUT /v1/brightness HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n"
)
HIDDEN += b'{"brightness":1}'
HOST = b"Host: 127.0.0.1"
JSON = b"Content-Type: application/json"


def head(*fields, line=b"PUT /v1/brightness HTTP/1.1", host=HOST):
    return b"\r\n".join([line, *([host] if host else []), JSON, *fields, b"", b""])


@pytest.mark.parametrize(
    "fields",
    [
        [b"Content-Length: 18", b"Content-Length: 18"],
        [b"Content-Length: 18", b"Content-Length: 0"],
        [b"Content-Length: 0", b"Content-Length: 18"],
        [b"Content-Length: 18", b"content-length: 18"],
        [b"Transfer-Encoding: chunked", b"Content-Length: 18"],
        [b"Content-Length: 18", b"Transfer-Encoding: chunked"],
        [b"Content-Length: 18", b"Transfer-Encoding: identity"],
        [b"Transfer-Encoding: gzip"],
        [b"Transfer-Encoding: gzip, chunked"],
        [b"Transfer-Encoding: chunked, chunked"],
        [b"Transfer-Encoding: xchunked"],
        [b"Transfer-Encoding: \x0bchunked"],
        [b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity"],
        [b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"],
        [b"Content-Length: 18", HOST],
        [b"Content-Length: 18", b"host: evil.example"],
        [b"Content-Length: 18", b"(bad): name"],
    ],
)
def test_two_meanings_are_none(daemon, client, fields):
    before = client.state
    with Connection(daemon.port) as connection:
        connection.send_anyway(head(*fields) + b'{"brightness":0.6}' + HIDDEN)
        answer = connection.response("PUT", "/v1/brightness")
        assert (answer.status, answer.closes) == (400, True)
        connection.assert_closed()
    assert client.state == before


def assert_nothing_but_refused(connection):
    """A refusal (libmicrohttpd's own page, whose head it sends twice), then the end of the connection."""
    try:
        while connection.fill():
            pass
    except ConnectionResetError:
        pass
    answers = set(re.findall(rb"HTTP/1\.1 (\d+)", connection.buffer))
    assert answers and answers <= {b"400", b"413"}, connection.buffer


@pytest.mark.parametrize(
    "length",
    [b"-1", b"+18", b"0x12", b"18, 18", b"1 8", b"", b"18abc", b"99999999999999999999999", b"1e1", b"\xb2"],
)
def test_a_length_that_is_none(daemon, client, length):
    """libmicrohttpd may answer for itself here, with a page of its own."""
    before = client.state
    with Connection(daemon.port) as connection:
        connection.send_anyway(head(b"Content-Length: " + length) + b'{"brightness":0.6}' + HIDDEN)
        assert_nothing_but_refused(connection)
    assert client.state == before


@pytest.mark.parametrize(
    "body",
    [
        b"zz\r\n{}\r\n0\r\n\r\n",
        b"-1\r\n{}\r\n0\r\n\r\n",
        b"ffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        b"2\r\n{}xx\r\n0\r\n\r\n",
        b"\r\n{}\r\n0\r\n\r\n",
    ],
)
def test_chunks_that_are_none(daemon, client, body):
    before = client.state
    with Connection(daemon.port) as connection:
        connection.send_anyway(head(b"Transfer-Encoding: chunked") + body + HIDDEN)
        assert_nothing_but_refused(connection)
    assert client.state == before


@pytest.mark.parametrize("host", [None, b"Host: ", b"Host: a b"])
def test_a_request_for_no_host(daemon, host):
    with Connection(daemon.port) as connection:
        connection.send(head(line=b"GET /v1/brightness HTTP/1.1", host=host))
        assert connection.response().status in ((400,) if host is None else (400, 421))


@pytest.mark.parametrize(
    "line",
    [
        b"GET",
        b"GET /",
        b"GET / HTTP/3.0",
        b"GET / HTTP/1.1 x",
        b"GET  / FTP/1.1",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"\x00",
    ],
)
def test_what_is_no_request_at_all(daemon, client, line):
    """An answer of 4xx or 5xx or none; the connection ends and the daemon lives."""
    with Connection(daemon.port) as connection:
        connection.send(line + b"\r\n" + HOST + b"\r\n\r\n")
        connection.socket.shutdown(socket.SHUT_WR)
        try:
            while connection.fill():
                pass
        except ConnectionResetError:
            pass
        assert not connection.buffer or re.match(rb"HTTP/1\.[01] [45]\d\d ", connection.buffer)
    assert client.get("/livez").status_code == 200


def test_chunks_that_are_right(daemon, client):
    body = b'{"brightness":0.6}'
    with Connection(daemon.port) as connection:
        chunks = b"".join(b"1;x=y\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
        connection.send(head(b"Transfer-Encoding: chunked") + chunks)
        assert connection.response("PUT", "/v1/brightness").json["brightness"] == 0.6
        assert connection.request("GET", "/livez").status == 200
