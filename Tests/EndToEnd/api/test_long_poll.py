# SPDX-License-Identifier: Apache-2.0
"""A request with `?wait=SECONDS` is answered when the state changes, else with 304 after that time."""

import time

import pytest

from support.until import until
from support.wire import Connection, request


def poll(daemon, etag, wait, path="/v1/brightness"):
    """Returns a connection with a pending long poll."""
    connection = Connection(daemon.port)
    connection.send(request(daemon.port, "GET", f"{path}?wait={wait}", {"If-None-Match": etag}))
    return connection


@pytest.mark.parametrize("path", ["/v1/brightness", "/v1/displays/simulated", "/v1/displays/simulated/brightness"])
def test_a_change_answers_a_long_poll(daemon, client, path):
    with poll(daemon, client.etag, 30, path) as connection:
        changed = client.set(0.6)
        answer = connection.response("GET", path)
        assert (answer.status, answer.json) == (200, changed)
        assert answer.headers["etag"] == client.etag
        assert connection.request("GET", "/livez").status == 200


def test_a_boost_answers_a_long_poll_with_the_whole_state(daemon, client):
    with poll(daemon, client.etag, 30) as connection:
        client.boost()
        assert connection.response().json["boost"]["leases"] == 1


def test_without_a_change_the_answer_is_304_after_the_wait(daemon, client):
    etag = client.etag
    begun = time.monotonic()
    with poll(daemon, etag, 1) as connection:
        answer = connection.response("GET", "/v1/brightness")
        assert time.monotonic() - begun >= 0.99
        assert (answer.status, answer.headers["etag"]) == (304, etag)
        assert connection.request("GET", "/livez").status == 200


@pytest.mark.parametrize(
    ("headers", "wait", "status"),
    [
        ({}, "60", 200),
        ({"If-None-Match": '"00000000-1"'}, "60", 200),
        ({"If-None-Match": "current"}, "0", 304),
        ({"If-None-Match": "current"}, "0.05", 304),
    ],
)
def test_without_the_current_etag_or_with_a_tiny_wait_the_answer_is_immediate(daemon, client, headers, wait, status):
    headers = {name: value.replace("current", client.etag) for name, value in headers.items()}
    with Connection(daemon.port, timeout=59) as connection:
        assert connection.request("GET", f"/v1/brightness?wait={wait}", headers).status == status


@pytest.mark.parametrize("wait", ["-1", "61", "x", "", "nan", "1e9", "1s"])
def test_an_invalid_wait_is_rejected(daemon, client, wait):
    with Connection(daemon.port) as connection:
        assert connection.request("GET", f"/v1/brightness?wait={wait}", {"If-None-Match": client.etag}).status == 400


def test_one_change_answers_every_long_poll(daemon, client):
    etag = client.etag
    connections = [poll(daemon, etag, 30) for _ in range(200)]
    changed = client.set(0.6)
    for connection in connections:
        with connection:
            assert connection.response().json == changed


def test_a_long_poll_delays_no_other_client(daemon, client):
    """The daemon serves with two threads: at least one of three connections shares the thread of the long poll."""
    with poll(daemon, client.etag, 30) as waiting:
        for _ in range(3):
            with Connection(daemon.port) as other:
                assert other.request("GET", "/v1/brightness").status == 200
        client.set(0.6)
        assert waiting.response().status == 200


def test_the_socket_of_a_client_that_left_a_long_poll_is_freed_after_its_wait(start, connect):
    daemon = start()
    etag = connect(daemon).etag
    before = daemon.sockets
    connections = [poll(daemon, etag, 1) for _ in range(20)]
    until(lambda: daemon.sockets == before + 20, "20 polls are open")
    for connection in connections[:10]:
        connection.socket.close()
    for connection in connections[10:]:
        connection.reset()
    until(lambda: daemon.sockets == before, "all of them are closed")
