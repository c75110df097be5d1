# SPDX-License-Identifier: Apache-2.0
"""Rejected requests: the status, a problem document, an unchanged state, and a connection that works or is closed."""

import pytest

from support.wire import Connection, request

BRIGHTNESS = "/v1/brightness"
LEASE = "/v1/displays/simulated/leases/" + "0" * 32
JSON, TEXT = {"Content-Type": "application/json"}, {"Content-Type": "text/plain"}


@pytest.mark.parametrize(
    ("status", "method", "path", "headers", "body"),
    [
        (400, "PUT", BRIGHTNESS, {}, b'{"reason":"\xc3(","brightness":0.5}'), (400, "PUT", BRIGHTNESS, {}, b"\xff"),
        (400, "PATCH", LEASE, {}, b"{"), (400, "GET", "/v1/history?step=0", {}, None),
        (404, "HEAD", "/nothing", {}, None), (404, "DELETE", LEASE, {}, None), (404, "GET", "/v1/events?display=none", {}, None),
        (405, "PUT", "/livez", {}, b"{}"), (406, "GET", "/v1/events", {"Accept": "application/json"}, None),
        (411, "PUT", BRIGHTNESS, JSON, None), (414, "GET", f"/v1/brightness?x={'y' * 2_100}", {}, None),
        (415, "POST", "/v1/boost", TEXT, b"{}"), (422, "PUT", BRIGHTNESS, {}, b'{"brightness":2}'),
        (422, "PATCH", BRIGHTNESS, {}, b"{}"), (422, "POST", "/v1/boost", {}, b'{"ttl":0}'),
        (422, "POST", "/v1/restore", {}, b'{"all":1}'), (422, "PUT", "/v1/displays/all/auto", {}, b"{}"),
        (422, "PUT", "/v1/location", {}, b"{}"), (422, "PUT", "/v1/displays/simulated/settings", {}, b'{"curve":1}'),
        (431, "GET", BRIGHTNESS, {"Cookie": "x" * 9_000}, None),
    ],
)  # fmt: skip
def test_a_refusal_over_a_socket(refuse, status, method, path, headers, body):
    """One of each kind. Unit tests of WebAPI have every one of them."""
    refuse(status, method, path, headers, body)


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", BRIGHTNESS), ("POST", "/v1/boost"), ("POST", "/nothing"), ("DELETE", LEASE)]
)
def test_a_body_of_a_megabyte_is_413(daemon, client, method, path):
    """Rejected when the length is known, at the latest after 16 KiB. The response is not lost in a reset."""
    before = client.state
    for framing in ("length", "chunks"):
        with Connection(daemon.port) as connection:
            if framing == "length":
                connection.send_anyway(request(daemon.port, method, path, body=b" " * (1 << 20)))
            else:
                chunked = {"Transfer-Encoding": "chunked", "Content-Type": "application/json"}
                connection.send(request(daemon.port, method, path, chunked))
                connection.send_anyway(b"1000\r\n" + b" " * 0x1000 + b"\r\n")
                connection.send_anyway((b"1000\r\n" + b" " * 0x1000 + b"\r\n") * 255 + b"0\r\n\r\n")
            answer = connection.response()
            assert answer.status in ((404, 413) if path == "/nothing" else (413,))
            assert answer.json["status"] == answer.status
            if answer.closes:
                connection.assert_closed()
            else:
                assert connection.request("GET", BRIGHTNESS).json == before
    assert client.state == before


def test_expect_continue_is_refused_for_a_body_that_is_too_large(daemon):
    with Connection(daemon.port) as connection:
        announced = {"Content-Length": "1000000", "Expect": "100-continue", "Content-Type": "application/json"}
        connection.send(request(daemon.port, "PUT", BRIGHTNESS, announced))
        assert connection.response("PUT", BRIGHTNESS).status == 413


def test_expect_continue_is_answered_for_an_acceptable_body(daemon, client):
    with Connection(daemon.port) as connection:
        body = b'{"brightness":0.6}'
        head = {"Content-Length": str(len(body)), "Expect": "100-continue", "Content-Type": "application/json"}
        connection.send(request(daemon.port, "PUT", BRIGHTNESS, head))
        assert connection.response().status == 100
        connection.send(body)
        assert connection.response("PUT", BRIGHTNESS).json["brightness"] == 0.6


def test_an_endless_head_ends_the_connection(daemon, client):
    """The response is libmicrohttpd's own page."""
    with Connection(daemon.port) as connection:
        connection.send_anyway(request(daemon.port, "GET", "/v1/brightness", {"Cookie": "x" * 200_000}))
        answer = connection.response()
        assert answer.status == 431
    assert client.get("/livez").status_code == 200
