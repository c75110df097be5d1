# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.0: answers end with the connection, streams have no chunks."""

import pytest

from support.events import Stream
from support.wire import Connection, request


@pytest.mark.parametrize("headers", [{}, {"Host": None}])
def test_an_answer(daemon, client, headers):
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", "/v1/brightness", headers, version="1.0"))
        answer = connection.response("GET", "/v1/brightness")
        assert (answer.status, answer.json) == (200, client.state)
        assert "transfer-encoding" not in answer.headers
        connection.assert_closed()


def test_a_write(daemon, client):
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "PUT", "/v1/brightness", body=b'{"brightness":0.6}', version="1.0"))
        assert connection.response("PUT", "/v1/brightness").status == 200
    assert client.state["brightness"] == 0.6


def test_a_connection_that_asks_to_be_kept(daemon):
    with Connection(daemon.port) as connection:
        for _ in range(3):
            kept = {"Connection": "keep-alive"}
            connection.send(request(daemon.port, "GET", "/v1/brightness", kept, version="1.0"))
            answer = connection.response("GET", "/v1/brightness")
            assert (answer.status, answer.headers["connection"].lower()) == (200, "keep-alive")


def test_a_stream(start, connect):
    daemon = start()
    client = connect(daemon)
    with Stream(daemon.port, version="1.0") as stream:
        assert not stream.is_chunked
        assert "content-length" not in stream.head.headers
        assert stream.next("brightness").data == client.state
        changed = client.set(0.6)
        assert stream.next("brightness").data == changed
        daemon.terminate()
        assert [block.name for block in stream.rest() if block.name != "room"] == ["retry"]
    daemon.ended()
