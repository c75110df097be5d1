# SPDX-License-Identifier: Apache-2.0
"""Rejected requests: the status, a problem document, an unchanged state, and a connection that works or is closed."""

import pytest

from support.wire import Connection, request

BRIGHTNESS = "/v1/brightness"
BOOST = "/v1/boost"
RESTORE = "/v1/restore"
AUTO = "/v1/displays/simulated/auto"
LEASE = "/v1/displays/simulated/leases/" + "0" * 32
TEXT = {"Content-Type": "text/plain"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nothing"), ("GET", "/v1/"), ("GET", "/v1/displays/"), ("GET", "/v1/displays/none"),
        ("PUT", "/v1/displays/none/brightness"), ("PATCH", "/v1/displays/none/brightness"),
        ("POST", "/v1/displays/none/boost"), ("GET", "/v1/displays/none/boost"), ("POST", "/v1/displays/none/restore"),
        ("GET", LEASE), ("DELETE", LEASE), ("GET", "/v1/displays/..%2f..%2fetc%2fpasswd"), ("GET", "//v1/brightness"),
        ("GET", "/v1/brightness/"), ("GET", "/V1/brightness"), ("GET", "/problems/none"), ("HEAD", "/nothing"),
        ("GET", "/v1/displays/%ff"), ("GET", "/v1/displays/simulated/x"),
        ("PUT", "/v1/displays/none/auto"), ("GET", "/v1/displays/all"),
        ("GET", "/v1/events?display=none"), ("GET", "/v1/events?display=simulated&display=none"),
    ],
)  # fmt: skip
def test_an_unknown_path_is_404(refuse, method, path):
    bodies = {"PUT": b'{"brightness":0.6}', "PATCH": b'{"delta":0.1}'}
    body = b'{"enabled":false}' if path.endswith("/auto") else bodies.get(method)
    refuse(404, method, path, body=body)


@pytest.mark.parametrize("path", ["/v1/events?types=brightnes", "/v1/events?types=boost,everything"])
def test_an_invalid_query_is_rejected(refuse, path):
    refuse(400, "GET", path)


@pytest.mark.parametrize(
    ("method", "path", "accept"),
    [
        ("GET", BRIGHTNESS, "text/html"),
        ("GET", BRIGHTNESS, "application/json;q=0"),
        ("GET", "/v1/displays", "image/*"),
        ("GET", "/v1/events", "application/json"),
        ("GET", "/", "application/json"),
        ("GET", "/livez", "application/json"),
        ("GET", "/openapi.yaml", "text/html"),
        ("POST", BOOST, "text/event-stream"),
    ],
)
def test_an_unsupported_accept_is_406(refuse, method, path, accept):
    refuse(406, method, path, {"Accept": accept})


@pytest.mark.parametrize(
    "accept",
    [
        "*/*", "application/json", "application/*", "text/html, application/json;q=0.1", "APPLICATION/JSON",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json; charset=utf-8",
    ],
)  # fmt: skip
def test_a_supported_accept_is_200(client, accept):
    assert client.get(BRIGHTNESS, headers={"Accept": accept}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", BRIGHTNESS), ("PATCH", BRIGHTNESS), ("PATCH", LEASE), ("PUT", AUTO)]
)
def test_a_body_without_a_length_is_411(refuse, method, path):
    refuse(411, method, path, {"Content-Type": "application/json"})


@pytest.mark.parametrize("headers", [TEXT, {"Content-Type": "application/x-www-form-urlencoded"}])
@pytest.mark.parametrize(
    ("method", "path"), [("PUT", BRIGHTNESS), ("PATCH", BRIGHTNESS), ("POST", BOOST), ("POST", RESTORE)]
)
def test_another_content_type_is_415(refuse, method, path, headers):
    refuse(415, method, path, headers, b'{"brightness":0.6}')


def test_a_body_without_a_content_type_is_415(daemon, client):
    with Connection(daemon.port) as connection:
        answer = connection.request("PUT", BRIGHTNESS, {"Content-Type": None}, b'{"brightness":0.6}')
        assert answer.status == 200


@pytest.mark.parametrize(
    "media", ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"]
)
def test_json_content_types_are_accepted(client, media):
    answer = client.put(BRIGHTNESS, content=b'{"brightness":0.6}', headers={"Content-Type": media})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", BRIGHTNESS), ("POST", BOOST), ("POST", "/nothing"), ("DELETE", LEASE)]
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


def test_a_body_of_sixteen_kibibytes_is_accepted(client):
    body = b'{"brightness":0.6}'
    assert (
        client.put(BRIGHTNESS, content=body.ljust(16_384), headers={"Content-Type": "application/json"}).status_code
        == 200
    )
    assert (
        client.put(BRIGHTNESS, content=body.ljust(16_385), headers={"Content-Type": "application/json"}).status_code
        == 413
    )


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


def test_a_url_that_is_too_long_is_414(refuse, client):
    assert client.get(f"/v1/brightness?x={'y' * 1_900}").status_code == 200
    refuse(414, "GET", f"/v1/brightness?x={'y' * 2_100}")
    refuse(414, "GET", f"/{'y' * 2_100}")


def test_header_fields_that_are_too_large_are_431(refuse, client):
    """A browser on localhost sends the cookies of every port, often 4 KiB."""
    assert client.get("/v1/brightness", headers={"Cookie": "x" * 6_000}).status_code == 200
    refuse(431, "GET", "/v1/brightness", {"Cookie": "x" * 9_000})


def test_an_endless_head_ends_the_connection(daemon, client):
    """The response is libmicrohttpd's own page."""
    with Connection(daemon.port) as connection:
        connection.send_anyway(request(daemon.port, "GET", "/v1/brightness", {"Cookie": "x" * 200_000}))
        answer = connection.response()
        assert answer.status == 431
    assert client.get("/livez").status_code == 200
