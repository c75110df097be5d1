# SPDX-License-Identifier: Apache-2.0
"""Tokens: scopes, in headers and queries, over SSE and WebSocket, and revocation by SIGHUP."""

import hashlib
import json
import os
import signal
import time

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as open_web_socket

from support.daemon import run
from support.wire import Connection, request

READER, WRITER, ADMIN = "reader-0123456789", "writer-0123456789", "admin-0123456789a"
LINES = [
    "# who may",
    f"wall:read:{READER}",
    f"kiosk-3:write:{WRITER}",
    f"boss:read,write,admin:sha256:{hashlib.sha256(ADMIN.encode()).hexdigest()}",
]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def token_file(tmp_path):
    file = tmp_path / "tokens"
    file.write_text("\n".join(LINES))
    file.chmod(0o600)
    return file


@pytest.fixture
def guarded(start, token_file):
    return start("--token-file", token_file)


WHO = [None, READER, WRITER, ADMIN]
REQUESTS = [
    # The needed scope, as the first of WHO that may.
    ("GET", "/livez", None, None),
    ("GET", "/readyz", None, None),
    ("GET", "/", None, None),
    ("GET", "/brightness.js", None, None),
    ("GET", "/openapi.yaml", None, None),
    ("GET", "/problems/unauthorized", None, None),
    ("GET", "/v1/displays", None, READER),
    ("GET", "/v1/brightness", None, READER),
    ("GET", "/v1/displays/simulated/boost", None, READER),
    ("GET", "/v1/history", None, READER),
    ("PUT", "/v1/brightness", {"brightness": 0.6}, WRITER),
    ("PATCH", "/v1/brightness", {"delta": 0.1}, WRITER),
    ("POST", "/v1/boost", {"holder": "kiosk-3"}, WRITER),
    ("POST", "/v1/restore", {"holder": "kiosk-3"}, WRITER),
    ("POST", "/v1/restore", {"all": True}, ADMIN),
    ("PUT", "/v1/displays/simulated/settings", {"name": "Left"}, ADMIN),
    ("POST", "/v1/displays/all/restore", {"all": True}, ADMIN),
]


@pytest.mark.parametrize(("method", "path", "body", "needs"), REQUESTS)
def test_a_scope_allows_its_requests_only(guarded, connect, method, path, body, needs):
    client = connect(guarded)
    for token in WHO:
        answer = client.request(method, path, json=body, headers=bearer(token) if token else {})
        if WHO.index(token) >= WHO.index(needs):
            assert answer.status_code in (200, 201), answer.text
        elif token is None:
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"].startswith("Bearer ")
            assert answer.json()["type"] == "/problems/unauthorized"
        else:
            assert answer.status_code == 403
            assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]
            assert answer.json()["type"] == "/problems/forbidden"


@pytest.mark.parametrize(
    "field",
    ["Bearer nobody-0123456789", f"Bearer {READER}x", f"Bearer {READER[:-1]}", f"bearer  {READER}x", "Bearer wall"],
)
def test_an_unknown_token_is_401(guarded, field):
    with Connection(guarded.port) as connection:
        answer = connection.request("GET", "/v1/brightness", {"Authorization": field})
        assert answer.status == 401
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]
        # The words of a refusal do not depend on what is near.
        assert answer.json["type"] == "/problems/unauthorized"
    assert not any(READER in line for line in guarded.lines if line)


@pytest.mark.parametrize(("method", "path"), [request[:2] for request in REQUESTS if request[3] is None])
def test_an_unknown_token_reads_what_needs_none(guarded, connect, method, path):
    assert connect(guarded).request(method, path, headers=bearer("nobody-0123456789")).status_code == 200


@pytest.mark.parametrize("field", [f"Bearer {READER}", f"bearer {READER}", f"BEARER {READER}", f"Bearer   {READER}"])
def test_the_schemes_case_and_the_number_of_spaces_do_not_matter(guarded, field):
    with Connection(guarded.port) as connection:
        assert connection.request("GET", "/v1/brightness", {"Authorization": field}).status == 200


@pytest.mark.parametrize("field", ["Basic d2FsbDpyZWFkZXI=", "Bearer", READER])
def test_an_invalid_authorization_is_401(guarded, field):
    with Connection(guarded.port) as connection:
        answer = connection.request("GET", "/v1/brightness", {"Authorization": field})
        assert (answer.status, answer.json["type"]) == (401, "/problems/unauthorized")


def test_anonymous_clients_have_the_configured_scope(start, connect, token_file):
    client = connect(start("--token-file", token_file, "--anonymous", "read"))
    assert client.get("/v1/brightness").status_code == 200
    assert client.post("/v1/boost").status_code == 401
    client = connect(start("--token-file", token_file, "--anonymous", "write"))
    assert client.post("/v1/boost").status_code == 201
    assert client.post("/v1/restore", json={"all": True}).status_code == 401
    # A wrong token is not better than none.
    assert client.get("/v1/brightness", headers=bearer("nobody-0123456789")).status_code == 401


def test_a_token_file_permits_an_address_beyond_loopback(start, token_file):
    daemon = start("--listen", "0.0.0.0:0", "--token-file", token_file)
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/v1/brightness").status == 401
        assert connection.request("GET", "/v1/brightness", bearer(READER)).status == 200


@pytest.mark.parametrize("path", ["/v1/events", "/v1/events?types=brightness"])
def test_a_stream_accepts_a_token_in_its_query(guarded, path):
    separator = "&" if "?" in path else "?"
    for token, status in [(READER, 200), ("nobody-0123456789", 401), (None, 401)]:
        with Connection(guarded.port) as connection:
            query = f"{separator}access_token={token}" if token else ""
            connection.send(request(guarded.port, "GET", path + query))
            assert connection.head().status == status
    # Nothing else takes one there: addresses end up in logs.
    with Connection(guarded.port) as connection:
        assert connection.request("GET", f"/v1/brightness?access_token={READER}").status == 401
    assert not any(READER in line for line in guarded.lines if line)


def call(socket, method, **params):
    socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, "id": 1}))
    while "id" not in (answer := json.loads(socket.recv(timeout=30))):
        pass
    return answer.get("error", {}).get("data", {}).get("status", 200)


@pytest.mark.parametrize(
    ("token", "statuses"), [(READER, [200, 403, 403]), (WRITER, [200, 200, 403]), (ADMIN, [200, 200, 200])]
)
def test_a_websocket_has_the_scope_of_its_token(guarded, token, statuses):
    with open_web_socket(f"ws://127.0.0.1:{guarded.port}/v1/ws?access_token={token}") as socket:
        assert [call(socket, "get"), call(socket, "boost"), call(socket, "restore", all=True)] == statuses


def test_sighup_ends_the_streams_of_revoked_tokens_only(guarded, token_file):
    with (
        Connection(guarded.port) as gone,
        Connection(guarded.port) as stays,
        open_web_socket(f"ws://127.0.0.1:{guarded.port}/v1/ws", additional_headers=bearer(READER)) as socket,
    ):
        for connection, token in ((gone, READER), (stays, ADMIN)):
            connection.send(request(guarded.port, "GET", "/v1/events", bearer(token)))
            assert connection.head().status == 200
        token_file.write_text("\n".join([*LINES[:1], *LINES[2:], "wall:read:another-0123456789"]))
        began = time.monotonic()
        guarded.terminate(signal.SIGHUP)
        guarded.line("tokens reloaded: 1 new, 1 revoked")
        # Up to the end of the body, which is a clean one.
        assert list(gone.chunks())[-1].startswith(b"retry:")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(timeout=30)
        assert closed.value.rcvd.code == 1008
        assert time.monotonic() - began < 5, "it took too long"
        with Connection(guarded.port) as connection:
            assert connection.request("GET", "/v1/brightness", bearer(READER)).status == 401
            assert connection.request("GET", "/v1/brightness", bearer("another-0123456789")).status == 200
            assert connection.request("POST", "/v1/boost", bearer(WRITER)).status == 201
        assert any(b"event: boost" in chunk for chunk in stays.chunks())


def test_an_invalid_file_keeps_the_previous_tokens(start, token_file):
    daemon = start("--token-file", token_file, expects="cannot reload the token file")
    token_file.write_text("nonsense")
    daemon.terminate(signal.SIGHUP)
    assert "line 1" in daemon.line("cannot reload the token file .*").group(0)
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/v1/brightness", bearer(READER)).status == 200


def test_sighup_without_a_file_ends_nothing(start, connect):
    daemon = start()
    daemon.terminate(signal.SIGHUP)
    daemon.line("no token file")
    assert connect(daemon).get("/v1/brightness").status_code == 200


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "cannot be read"),
        ("", "has no token"),
        ("wall:read:short", "line 1: secret too short; use at least 16"),
        (f"wall:read:{READER}\nwall:write:{WRITER}", "line 2: duplicate name"),
        (f"wall:root:{READER}", "line 1: invalid scope"),
    ],
)
def test_an_unusable_file_is_reported_at_the_start(tmp_path, text, says):
    file = tmp_path / "tokens"
    if text is not None:
        file.write_text(text)
    done = run("serve", "--listen", "127.0.0.1:0", "--display", "simulated", "--token-file", str(file))
    assert done.returncode == 1
    assert says in done.stderr
    assert READER not in done.stderr


def test_a_file_that_all_users_can_read_is_a_warning(start, token_file):
    os.chmod(token_file, 0o644)
    start("--token-file", token_file).line("every user of this machine can read the token file")


def test_the_dashboard_asks_for_a_token(new_context, guarded):
    page = new_context(expects="401|403").new_page()
    page.goto(guarded.url)
    page.get_by_role("textbox", name="Token").fill(WRITER)
    page.get_by_role("textbox", name="Token").press("Enter")
    expect(page.get_by_test_id("status")).to_have_text("Live")
    page.get_by_test_id("boost").click()
    expect(page.get_by_role("meter").first).to_have_attribute("aria-valuenow", "100")
    page.reload()
    expect(page.get_by_test_id("status")).to_have_text("Live")


def test_health_names_details_to_readers_only(connect, guarded):
    client = connect(guarded)
    for fields in ({}, bearer("nobody-0123456789")):
        without = client.get("/readyz", headers=fields).json()
        assert "unavailable" not in without and "waiting" not in without
        assert {without[part]["detail"] for part in ("journal", "mqtt", "homeAssistant", "schedules")} == {None}
    reader = client.get("/readyz", headers=bearer(READER)).json()
    assert (reader["unavailable"], reader["waiting"]) == ([], [])


def test_a_path_is_not_guessed_without_a_token(connect, guarded):
    client = connect(guarded)
    assert "/v1/brightness" in client.get("/v1/brightnes", headers=bearer(READER)).json()["detail"]
    assert "/v1/brightness" not in client.get("/v1/brightnes").json()["detail"]
