# SPDX-License-Identifier: Apache-2.0
"""Conditional requests: ETag, If-None-Match, If-Match."""

import pytest

from support.wire import Connection

PATHS = ["/v1/brightness", "/v1/displays/simulated", "/v1/displays/simulated/brightness", "/v1/displays"]


@pytest.mark.parametrize("path", PATHS)
def test_the_etag_names_epoch_and_revision(client, path):
    displays = client.get("/v1/displays").json()
    assert client.get(path).headers["etag"] == f'"{displays["epoch"]}-{displays["revision"]}"'


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("shape", ["{}", "W/{}", '"other", {}', '"other",W/{}', "*"])
def test_a_known_etag_is_304(client, path, shape):
    etag = client.etag
    answer = client.get(path, headers={"If-None-Match": shape.format(etag)})
    assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", etag)


@pytest.mark.parametrize("path", PATHS)
def test_an_outdated_etag_is_200(client, path):
    old = client.etag
    client.set(0.6)
    answer = client.get(path, headers={"If-None-Match": old})
    assert answer.status_code == 200
    assert answer.headers["etag"] != old


@pytest.mark.parametrize("old", ['"00000000-1"', '""', 'W/"x"', "nonsense"])
def test_an_unknown_etag_is_200(client, old):
    assert client.get("/v1/brightness", headers={"If-None-Match": old}).status_code == 200


def lease(client):
    return f"/v1/displays/simulated/leases/{client.boost(holder='kiosk-3')['id']}"


WRITES = [
    ("PUT", "/v1/brightness", {"brightness": 0.7}),
    ("PATCH", "/v1/brightness", {"delta": 0.2}),
    ("POST", "/v1/boost", {"holder": "new"}),
    ("POST", "/v1/restore", {"holder": "kiosk-3"}),
    ("PATCH", lease, {"ttl": 60}),
    ("DELETE", lease, None),
    ("PUT", "/v1/displays/simulated/auto", {"enabled": False}),
]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
@pytest.mark.parametrize("shape", ['"00000000-1"', "W/{}", '"a", "b"'])
def test_a_write_on_another_state_is_412_and_changes_nothing(client, method, path, body, shape):
    path = path(client) if callable(path) else path
    before, etag = client.state, client.etag
    answer = client.request(method, path, json=body, headers={"If-Match": shape.format(etag)})
    assert answer.status_code == 412
    assert client.state == before


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
@pytest.mark.parametrize("shape", ["{}", '"other", {}', "*"])
def test_a_write_on_the_current_state_is_carried_out(client, method, path, body, shape):
    path = path(client) if callable(path) else path
    answer = client.request(method, path, json=body, headers={"If-Match": shape.format(client.etag)})
    assert answer.status_code in (200, 201)


def test_only_the_first_of_two_writes_on_one_state_succeeds(client):
    etag = client.etag
    first = client.put("/v1/brightness", json={"brightness": 0.6}, headers={"If-Match": etag})
    second = client.put("/v1/brightness", json={"brightness": 0.7}, headers={"If-Match": etag})
    assert (first.status_code, second.status_code) == (200, 412)
    assert client.state["brightness"] == 0.6


def test_the_answer_to_a_write_has_the_new_etag(client):
    answer = client.put("/v1/brightness", json={"brightness": 0.6})
    assert answer.headers["etag"] == client.etag


@pytest.mark.parametrize(("field", "status"), [("If-None-Match", 304), ("If-Match", 200)])
def test_repeated_fields_are_one_list(daemon, client, field, status):
    method, path, body = ("GET", "/v1/brightness", b"") if status == 304 else ("PUT", "/v1/brightness", b'{"percent":50}')
    etag = client.etag
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f'{field}: "other",\t"more"', f"{field}: {etag}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    with Connection(daemon.port) as connection:
        connection.send("\r\n".join([*lines, "", ""]).encode() + body)
        assert connection.response(method, path).status in {status, 202 if body else status}


def test_repeated_accept_fields_are_one_list(daemon):
    lines = ["GET /v1/brightness HTTP/1.1", "Host: localhost", "Accept: text/html", "Accept: application/json", "", ""]
    with Connection(daemon.port) as connection:
        connection.send("\r\n".join(lines).encode())
        assert connection.response("GET", "/v1/brightness").status == 200
