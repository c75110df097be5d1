# SPDX-License-Identifier: Apache-2.0
"""Pages and documents for those who take gzip; everything else as it is."""

import gzip

import pytest

from support.wire import Connection

FILES = ["/", "/dashboard.js", "/dashboard.css", "/brightness.js", "/openapi.yaml"]


@pytest.mark.parametrize("path", FILES)
def test_files_are_the_same_either_way(daemon, path):
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
def test_who_does_not_take_gzip_gets_none(daemon, coding):
    with Connection(daemon.port) as connection:
        assert "content-encoding" not in connection.request("GET", "/", {"Accept-Encoding": coding}).headers


def test_what_changes_is_sent_as_it_is(daemon):
    with Connection(daemon.port) as connection:
        assert "content-encoding" not in connection.request("GET", "/v1/displays", {"Accept-Encoding": "gzip"}).headers
