# SPDX-License-Identifier: Apache-2.0
"""The WebSocket protocol: the handshake, frames of every kind, close codes."""

import json
import select
import socket

import pytest

from support.remote import (
    BINARY,
    CLOSE,
    HANDSHAKE,
    KEY,
    PING,
    PONG,
    TEXT,
    RawSocket,
    Remote,
    call,
    frame,
    text,
)
from support.threads import suspended
from support.until import until
from support.wire import Connection, request

WS = "/v1/ws"
GET = call("get")


@pytest.mark.parametrize("fields", [{}, {"Connection": "keep-alive, Upgrade"}, {"Upgrade": "WebSocket", "Connection": "upgrade"}])
def test_a_handshake_may_have_any_case_and_more_connection_tokens(daemon, client, fields):
    with RawSocket(daemon, headers=fields) as ws:
        assert ws.message() == {"jsonrpc": "2.0", "method": "state", "params": client.state}


def test_connection_tokens_may_be_on_several_lines(daemon):
    handshake = request(daemon.port, "GET", WS, HANDSHAKE)
    with Connection(daemon.port) as connection:
        connection.send(handshake.replace(b"Connection: ", b"Connection: keep-alive\r\nConnection: "))
        assert connection.head().status == 101


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"Upgrade": None}, 426), ({"Upgrade": "h2c"}, 426), ({"Connection": "keep-alive"}, 426), ({"Connection": None}, 426),
        ({"Sec-WebSocket-Version": "8"}, 426), ({"Sec-WebSocket-Version": None}, 426),
        ({"Sec-WebSocket-Key": None}, 400), ({"Sec-WebSocket-Key": "dGhlIHNhbXBsZQ=="}, 400),
        ({"Sec-WebSocket-Key": KEY[:-1]}, 400), ({"Sec-WebSocket-Key": "!" * 22 + "=="}, 400),
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Host": "evil.example"}, 421),
    ],
)  # fmt: skip
def test_an_invalid_handshake_is_rejected(refuse, fields, status):
    refuse(status, "GET", WS, HANDSHAKE | fields)


def test_the_origin_is_checked_before_the_handshake(refuse):
    refuse(403, "GET", WS, {"Origin": "http://evil.example"})


@pytest.mark.parametrize(
    ("query", "status"),
    [("types=brightnes", 400), ("holder=", 400), ("holder=a%0ab", 400), ("display=none", 404)],
)
def test_an_invalid_query_is_rejected(refuse, query, status):
    refuse(status, "GET", f"{WS}?{query}", HANDSHAKE)


def test_other_methods_are_405(refuse, daemon, client):
    refuse(426, "HEAD", WS, HANDSHAKE)
    for method in ("POST", "PUT", "DELETE"):
        refuse(405, method, WS, HANDSHAKE)
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", WS, HANDSHAKE, version="1.0"))
        assert connection.response("GET", WS).status == 426
    assert client.get(WS).headers["sec-websocket-version"] == "13"
    assert client.get(WS, headers={"Accept": "text/html"}).status_code == 426


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1:3000"])
def test_pages_of_this_machine_may_connect(daemon, client, origin):
    with Remote(daemon, origin=origin) as remote:
        assert remote.event("state") == client.state


def test_no_extension_is_negotiated(daemon):
    offers = {"Sec-WebSocket-Extensions": "permessage-deflate", "Sec-WebSocket-Protocol": "jsonrpc"}
    with RawSocket(daemon, headers=offers):
        pass  # RawSocket knows which fields there may be.


def test_frames_may_follow_the_handshake_at_once(daemon, client):
    with RawSocket(daemon, early=text(GET) + text(call("get", id=2))[:5]) as ws:
        assert ws.message()["method"] == "state"
        assert ws.message() == {"jsonrpc": "2.0", "result": client.state, "id": 1}
    early = text(GET)
    with RawSocket(daemon, early=early[:7]) as ws:
        ws.send(early[7:])
        assert ws.answer()["id"] == 1


def test_frames_may_come_byte_by_byte(daemon):
    with RawSocket(daemon) as ws:
        for byte in text(GET) + frame(0x80 | PING, b"hi") + text(call("get", id="b")):
            ws.send(bytes([byte]))
        assert ws.answer()["id"] == 1
        assert ws.frame() == (PONG, b"hi")
        assert ws.answer()["id"] == "b"


def test_control_frames_may_come_between_fragments(daemon):
    body = json.dumps(call("get", id="é" * 10), ensure_ascii=False).encode()
    with RawSocket(daemon) as ws:
        ws.message()
        ws.send(frame(TEXT, body[:50]))
        ws.send(frame(0x80 | PING, b"x" * 125))
        assert ws.frame() == (PONG, b"x" * 125)
        for byte in body[50:-1]:
            ws.send(frame(0, bytes([byte])) + frame(0x80 | PONG))
        ws.send(frame(0x80, body[-1:]))
        assert ws.answer()["id"] == "é" * 10


def test_a_message_may_have_16_kibibytes(daemon):
    """A message of 16 KiB is read and is not JSON; one byte more is not read."""
    with RawSocket(daemon) as ws:
        ws.send(text(b"x" * 16_384))
        assert ws.answer()["error"]["code"] == -32700
        ws.send(frame(TEXT, b"x" * 16_000) + frame(0x80, b"x" * 385))
        assert ws.close_code() == 1009
    with RawSocket(daemon) as ws:
        ws.send(frame(0x80 | TEXT, b"x" * 16_385)[:20])
        assert ws.close_code() == 1009


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(frame(0x80 | TEXT, b"{}", masked=False), 1002, id="unmasked"),
        pytest.param(frame(0xC0 | TEXT, b"{}"), 1002, id="reserved bit"),
        pytest.param(frame(0x83, b"{}"), 1002, id="reserved opcode"),
        pytest.param(frame(0x80, b"{}"), 1002, id="continuation of nothing"),
        pytest.param(frame(TEXT, b"{}") + frame(0x80 | TEXT, b"{}"), 1002, id="message within a message"),
        pytest.param(frame(0x80 | PING, b"x" * 126), 1002, id="long ping"),
        pytest.param(frame(PING, b""), 1002, id="fragmented ping"),
        pytest.param(frame(0x80 | CLOSE, b"\x03"), 1002, id="one byte of a code"),
        pytest.param(frame(0x80 | CLOSE, b"\x03\xee"), 1002, id="code 1006"),
        pytest.param(frame(0x80 | BINARY, b"{}"), 1003, id="binary"),
        pytest.param(frame(0x80 | TEXT, b"\xc0\x80"), 1007, id="overlong UTF-8"),
        pytest.param(frame(0x80 | TEXT, b'"\xf0\x9f'), 1007, id="incomplete UTF-8"),
        pytest.param(frame(0x80 | CLOSE, b"\x03\xe8\xff"), 1007, id="reason not UTF-8"),
        pytest.param(frame(0x80 | CLOSE, b"\x03\xe8bye"), 1000, id="code and reason"),
        pytest.param(frame(0x80 | CLOSE, b"\x0f\xa0"), 4000, id="private code"),
        pytest.param(frame(0x80 | CLOSE, b""), None, id="no code"),
    ],
)
def test_the_close_code_names_the_violation(daemon, data, code):
    """Messages before the close are answered first; bytes after it are not read."""
    with RawSocket(daemon) as ws:
        ws.message()
        ws.send(text(GET) + data + text(call("set", id=2, percent=1)) * 20)
        assert ws.message()["id"] == 1
        assert ws.close_code() == code


def test_nothing_follows_the_close_frame(daemon, client):
    """Not even the first events of a subscription in the same packet are sent."""
    with RawSocket(daemon) as ws:
        ws.message()
        ws.send(text(call("subscribe", id=7)) + frame(0x80 | CLOSE, b"\x03\xe8"))
        client.set(0.9)
        assert ws.answer()["id"] == 7
        assert ws.close_code() == 1000


def test_calls_before_the_close_frame_are_carried_out(daemon, client):
    with RawSocket(daemon) as ws:
        ws.send(text({"jsonrpc": "2.0", "method": "set", "params": {"percent": 13}}))
        ws.socket.shutdown(socket.SHUT_WR)
        until(lambda: client.state["percent"] == 13, "the last word counts")


def test_calls_of_a_client_that_closes_with_unread_events_are_carried_out(start, connect):
    """The kernel resets such a connection, and the daemon notices the reset together with the calls."""
    daemon = start("--shards", "1")
    client = connect(daemon)
    with RawSocket(daemon) as ws:
        client.set(0.2)
        assert select.select([ws.socket], [], [], 30)[0], "an event is unread"
        with suspended(daemon, "shard-0"):
            ws.send(text(GET) + text(call("set", percent=77)))
            ws.socket.close()
    until(lambda: client.state["percent"] == 77, "the call is carried out")


def test_closed_websockets_leave_no_descriptor(start):
    """This holds also while a connection older than all WebSockets is idle in libmicrohttpd."""
    daemon = start("--shards", "1")
    with Connection(daemon.port) as idle:
        idle.request("GET", "/v1/brightness")
        before = daemon.sockets
        for number in range(10):
            sockets = [RawSocket(daemon, early=text(GET)) for _ in range(50)]
            for ws in sockets:
                assert ws.answer()["id"] == 1
            until(lambda: daemon.sockets == before + 50, "each has one socket")
            for ws in sockets:
                if number % 2:
                    ws.reset()
                else:
                    ws.send(frame(0x80 | CLOSE))
                    ws.close_code()
                    ws.socket.close()
            until(lambda: daemon.sockets == before, "all are closed")
        idle.request("GET", "/v1/brightness")


def test_clients_that_leave_during_the_handshake_leave_no_descriptor(start, connect):
    daemon = start("--shards", "1")
    connect(daemon).set(0.5)
    before = daemon.sockets
    for _ in range(200):
        connection = Connection(daemon.port)
        connection.send(request(daemon.port, "GET", WS, HANDSHAKE))
        connection.reset()
    until(lambda: daemon.sockets <= before, "all are closed")
