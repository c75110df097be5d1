# SPDX-License-Identifier: Apache-2.0
"""HTTP on the wire: methods, request targets, versions, content codings."""

import gzip
import re

import pytest

from support import contract
from support.events import Stream
from support.wire import Connection, request

METHODS = ["GET", "PUT", "POST", "PATCH", "DELETE", "TRACE", "BREW"]
NAMES = {
    "id": "simulated", "lease": "0" * 32, "name": "invalid-json", "part": "feed", "sensor": "ambient_light",
    "group": "everything",
}  # fmt: skip
STREAMS = ("/v1/events", "/events")
LIVE = ("/metrics", "/v1/ambient", "/v1/history", "/v1/simulator", "/sensor/ambient_light")
"""Paths whose documents change from one moment to the next."""
PATHS = [template.format(**NAMES) for template in contract.DOCUMENT["paths"] if "{version}" not in template]


def allowed(path):
    return contract.methods_of(contract.template_of(path))


@pytest.mark.parametrize("path", PATHS)
def test_options_lists_the_methods_of_every_path(client, path):
    answer = client.options(path)
    assert answer.status_code == 204
    assert {method.strip() for method in answer.headers["allow"].split(",")} == allowed(path)


@pytest.mark.parametrize(
    ("path", "method"), [(path, method) for path in PATHS for method in METHODS if method not in allowed(path)]
)
def test_an_unsupported_method_is_405(daemon, client, path, method):
    before = client.state
    with Connection(daemon.port) as connection:
        answer = connection.request(method, path)
        assert answer.status == 405
        assert {name.strip() for name in answer.headers["allow"].split(",")} == allowed(path)
    assert client.state == before


@pytest.mark.parametrize("path", [path for path in PATHS if "GET" in allowed(path) and path not in STREAMS])
def test_head_has_the_fields_of_get(daemon, client, path):
    with Connection(daemon.port) as connection:
        head = connection.request("HEAD", path)
        get = connection.request("GET", path)
        assert head.status == get.status
        changing = {"date": ""} | ({"content-length": ""} if path in LIVE else {})
        assert head.headers | changing == get.headers | changing


def test_an_absolute_request_target_is_accepted(daemon, client):
    """RFC 9112, 3.2.2: a server must accept it."""
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", f"{daemon.url}/v1/brightness"))
        answer = connection.response("GET", "/v1/brightness")
        assert (answer.status, answer.json) == (200, client.state)


def test_an_escaped_path_is_the_same_path(client):
    assert client.get("/v1/displays/simul%61ted").json() == client.state


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
    with Stream(daemon.port, version="1.0") as stream:
        assert not stream.is_chunked
        assert "content-length" not in stream.head.headers
        assert stream.next("brightness").data == client.state
        changed = client.set(0.6)
        assert stream.next("brightness").data == changed
        daemon.terminate()
        assert [block.name for block in stream.rest() if block.name not in ("room", "default", "day", "synced")] == ["retry"]
    daemon.ended()


SCRIPTS = ["{assets}/dashboard.js", "{assets}/brightness/feed.js", "/brightness.js"]
FILES = ["/", *SCRIPTS, "{assets}/dashboard.css", "/openapi.yaml"]


def assets(client):
    """Returns the folder of the pages' files."""
    return "/" + re.search(r"assets/[0-9a-f]{1,8}(?=/)", client.get("/").text)[0]


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_sent_once(client, path):
    path = path.format(assets=assets(client))
    first = client.get(path)
    assert first.headers["cache-control"] == ("public, max-age=31536000, immutable" if "assets" in path else "no-cache")
    for tag in (first.headers["etag"], first.headers["etag"].removeprefix("W/"), f'"x", {first.headers["etag"]}', "*"):
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert client.get(path, headers={"If-None-Match": '"x"'}).content == first.content


def test_a_file_of_another_version_is_not_found(client):
    assert client.get(f"{assets(client)[:-1]}x/dashboard.js").status_code == 404


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


@pytest.mark.parametrize("coding", ["br", "identity", "gzip;q=0", ""])
def test_a_client_without_gzip_gets_uncompressed_files(daemon, coding):
    with Connection(daemon.port) as connection:
        assert "content-encoding" not in connection.request("GET", "/", {"Accept-Encoding": coding}).headers


def test_documents_that_change_are_not_compressed(daemon):
    with Connection(daemon.port) as connection:
        assert "content-encoding" not in connection.request("GET", "/v1/displays", {"Accept-Encoding": "gzip"}).headers
