# SPDX-License-Identifier: Apache-2.0
"""The options for hosts and origins. Unit tests of WebAPI have the rules."""

import socket

import pytest

from support.daemon import run
from support.wire import Connection, request

NEAR = ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000", "https://localhost"]


def test_the_machines_own_name_is_served(daemon):
    name = socket.gethostname()
    for host in (name, f"{name.split('.')[0]}.local:{daemon.port}"):
        with Connection(daemon.port) as connection:
            assert connection.request("GET", "/v1/brightness", {"Host": host}).status == 200, host


def test_allow_host_accepts_another_host(start):
    daemon = start("--allow-host", "kiosk.example", "--allow-host", "second.example")
    for host, status in [("kiosk.example", 200), ("Second.Example:8787", 200), ("x.kiosk.example", 421)]:
        with Connection(daemon.port) as connection:
            assert connection.request("GET", "/v1/brightness", {"Host": host}).status == status


def test_a_refused_origin_is_logged_once(start, connect):
    daemon = start()
    client = connect(daemon)
    # Public documents are for everybody.
    client.get("/brightness.js", headers={"Origin": "http://unlogged.example"})
    for _ in range(3):
        for origin in ("http://evil.example", "http://evil.example\x7f", "null"):
            client.get("/v1/brightness", headers={"Origin": origin})
            client.post("/v1/boost", headers={"Origin": origin})
    for number in range(100):
        client.get("/v1/brightness", headers={"Origin": f"http://{number}.example"})
    client.set(0.3)
    daemon.line("30 %")
    lines = [line for line in daemon.lines if line and "may not use this daemon" in line]
    advice = "Start the daemon with --allow-origin http://evil.example to allow it."
    assert lines[0].endswith(f"notice: Pages of http://evil.example may not use this daemon. {advice}")
    assert len(lines) == len(set(lines)) == 32 and not [line for line in lines if "unlogged" in line]


@pytest.mark.parametrize("origin", NEAR)
def test_pages_of_this_machine_may_write(daemon, client, origin):
    answer = client.post("/v1/boost", headers={"Origin": origin})
    assert answer.status_code == 201
    assert answer.headers["access-control-allow-origin"] == origin
    assert "origin" in answer.headers["vary"].lower()
    exposed = answer.headers["access-control-expose-headers"].lower()
    assert "etag" in exposed and "location" in exposed
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", "/v1/events", {"Origin": origin}))
        head = connection.head()
        assert (head.status, head.headers["access-control-allow-origin"]) == (200, origin)


def test_the_daemons_own_page_may_write(daemon, client):
    for origin in (daemon.url, f"http://localhost:{daemon.port}"):
        assert client.post("/v1/restore", headers={"Origin": origin}).status_code == 200


def test_allow_origin_accepts_another_origin(start, connect):
    client = connect(start("--allow-origin", "https://kiosk.example"))
    for origin, status in [
        ("https://kiosk.example", 201),
        ("http://kiosk.example", 403),
        ("https://kiosk.example:444", 403),
        ("https://x.kiosk.example", 403),
    ]:
        assert client.post("/v1/boost", headers={"Origin": origin}).status_code == status


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0"])
def test_an_address_beyond_loopback_needs_a_token_or_anonymous(address):
    done = run("serve", "--listen", address, "--display", "simulated")
    assert done.returncode > 0
    assert "--anonymous" in done.stderr


def test_anonymous_read_opens_an_address_beyond_loopback(start):
    daemon = start("--listen", "0.0.0.0:0", "--anonymous", "read")
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/v1/brightness").status == 200
        page = {"Origin": "http://localhost:3000"}
        assert "access-control-allow-origin" not in connection.request("GET", "/v1/brightness", page).headers
