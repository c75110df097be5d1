# SPDX-License-Identifier: Apache-2.0
"""HTTP on the wire: zero bytes, HTTP/1.0, content codings. Unit tests of WebAPI have the rules of the API."""

import gzip
import re

import pytest

from support.events import Stream
from support.wire import Connection, request


def test_a_zero_byte_does_not_end_a_path(daemon, client):
    for path in ("/v1/displays/simulated%00", "/v1/displays/simulated%00x", "/livez%00/v1"):
        with Connection(daemon.port) as connection:
            connection.send(request(daemon.port, "GET", path))
            assert connection.response().status == 400


@pytest.mark.parametrize("headers", [{}, {"Host": None}])
def test_an_http_1_0_response_ends_with_the_connection(daemon, client, headers):
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", "/v1/brightness", headers, version="1.0"))
        answer = connection.response("GET", "/v1/brightness")
        assert (answer.status, answer.json) == (200, client.state)
        assert "transfer-encoding" not in answer.headers
        connection.assert_closed()


def test_an_http_1_0_write_is_carried_out(daemon, client):
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "PUT", "/v1/brightness", body=b'{"brightness":0.6}', version="1.0"))
        assert connection.response("PUT", "/v1/brightness").status == 200
    assert client.state["brightness"] == 0.6


def test_http_1_0_keep_alive_keeps_the_connection(daemon):
    with Connection(daemon.port) as connection:
        for _ in range(3):
            kept = {"Connection": "keep-alive"}
            connection.send(request(daemon.port, "GET", "/v1/brightness", kept, version="1.0"))
            answer = connection.response("GET", "/v1/brightness")
            assert (answer.status, answer.headers["connection"].lower()) == (200, "keep-alive")


def test_an_http_1_0_stream_has_no_chunks(start, connect):
    daemon = start()
    client = connect(daemon)
    with Stream(daemon.port, "/v1/events?types=state", version="1.0") as stream:
        assert not stream.is_chunked
        assert "content-length" not in stream.head.headers
        assert stream.next("state").data == client.state
        changed = client.set(0.6)
        assert stream.next("state").data == changed
        daemon.terminate()
        assert [block.name for block in stream.rest() if block.name not in ("comment", "synced")] == ["retry"]
    daemon.ended()


SCRIPTS = ["{assets}/dashboard/dashboard.js", "{assets}/brightness/feed.js", "/brightness.js"]
FILES = ["/", *SCRIPTS, "{assets}/dashboard.css", "/openapi.yaml"]


def assets(client):
    """Returns the folder of the pages' files."""
    return "/" + re.search(r"assets/[0-9a-f]{1,8}(?=/)", client.get("/").text)[0]


@pytest.mark.parametrize("path", FILES)
def test_a_compressed_file_has_the_same_content(daemon, client, path):
    path = path.format(assets=assets(client))
    with Connection(daemon.port) as connection:
        plain = connection.request("GET", path)
        small = connection.request("GET", path, {"Accept-Encoding": "gzip, br"})
        head = connection.request("HEAD", path, {"Accept-Encoding": "gzip, br"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == head.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in plain.headers["vary"].lower() and plain.headers["vary"] == small.headers["vary"]
    assert gzip.decompress(small.body) == plain.body
    assert len(small.body) < len(plain.body) / 2
