# SPDX-License-Identifier: Apache-2.0
"""Tokens: scopes, in headers and queries, over SSE and WebSocket, and revocation by SIGHUP."""

import hashlib
import json
import os
import signal

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as open_web_socket

from support.daemon import run
from support.until import TIMEOUT, until
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


def test_a_token_file_permits_an_address_beyond_loopback(start, token_file):
    daemon = start("--listen", "0.0.0.0:0", "--token-file", token_file)
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/v1/brightness").status == 401
        assert connection.request("GET", "/v1/brightness", bearer(READER)).status == 200


@pytest.mark.parametrize("path", ["/v1/events", "/v1/events?types=state"])
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
    while "id" not in (answer := json.loads(socket.recv(TIMEOUT))):
        pass
    return answer.get("error", {}).get("data", {}).get("status", 200)


@pytest.mark.parametrize(
    ("token", "statuses"), [(READER, [200, 403, 403]), (WRITER, [200, 200, 403]), (ADMIN, [200, 200, 200])]
)
def test_a_websocket_has_the_scope_of_its_token(guarded, token, statuses):
    with open_web_socket(f"ws://127.0.0.1:{guarded.port}/v1/ws?access_token={token}", open_timeout=TIMEOUT) as socket:
        assert [call(socket, "get"), call(socket, "boost"), call(socket, "restore", all=True)] == statuses


def test_sighup_ends_the_streams_of_revoked_tokens_only(guarded, token_file):
    with (
        Connection(guarded.port) as gone,
        Connection(guarded.port) as stays,
        open_web_socket(f"ws://127.0.0.1:{guarded.port}/v1/ws", additional_headers=bearer(READER), open_timeout=TIMEOUT) as socket,
    ):
        for connection, token in ((gone, READER), (stays, ADMIN)):
            connection.send(request(guarded.port, "GET", "/v1/events", bearer(token)))
            assert connection.head().status == 200
        token_file.write_text("\n".join([*LINES[:1], *LINES[2:], "wall:read:another-0123456789"]))
        guarded.terminate(signal.SIGHUP)
        guarded.line("tokens reloaded: 1 new, 1 revoked")
        # Up to the end of the body, which is a clean one.
        assert list(gone.chunks())[-1].startswith(b"retry:")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(TIMEOUT)
        assert closed.value.rcvd.code == 1008
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

        def is_reloaded():
            return b"\nbrightnessd_last_reload_successful 1\n" in connection.request("GET", "/metrics", bearer(READER)).body

        until(lambda: not is_reloaded(), "the fault is counted")
        token_file.write_text("\n".join(LINES))
        daemon.terminate(signal.SIGHUP)
        until(is_reloaded, "the file is valid again")


def test_the_signals_of_log_rotation_end_nothing(start, connect):
    daemon = start()
    daemon.terminate(signal.SIGUSR1)
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
