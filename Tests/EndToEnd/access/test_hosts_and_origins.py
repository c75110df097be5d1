# SPDX-License-Identifier: Apache-2.0
"""Access by Host and Origin, from loopback, and for anonymous readers."""

import socket

import pytest

from support.daemon import run
from support.wire import Connection, request

BOOST = ("POST", "/v1/boost")
FOREIGN = [
    "http://evil.example",
    "https://localhost.evil.example",
    "http://evil.example:8787",
    "null",
    "http://127.0.0.1.evil.example",
    "chrome-extension://localhost",
    "ftp://localhost",
]
NEAR = ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000", "https://localhost"]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:1", "localhost", "localhost:8787", "LOCALHOST", "[::1]", "[::1]:8787", "192.168.1.7"],
)
def test_requests_to_names_of_loopback_are_accepted(daemon, host):
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/v1/brightness", {"Host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8787", "localhost.evil.example", "127.0.0.1.evil.example", "evillocalhost",
        "127.0.0.1.nip.io", "1.2.3", "256.1.1.1", "unknown",
    ],
)  # fmt: skip
@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/brightness"), BOOST, ("GET", "/v1/events"), ("GET", "/")])
def test_requests_to_another_host_are_421(daemon, client, host, method, path):
    before = client.state
    with Connection(daemon.port) as connection:
        assert connection.request(method, path, {"Host": host}).status == 421
    assert client.state == before


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


WRITES = [
    BOOST,
    ("POST", "/v1/restore"),
    ("PUT", "/v1/brightness"),
    ("PATCH", "/v1/brightness"),
    ("DELETE", "/v1/displays/simulated/leases/" + "0" * 32),
]
BODIES = {"PUT": b'{"brightness":0.6}', "PATCH": b'{"delta":0.1}'}


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize(("method", "path"), [*WRITES, ("GET", "/v1/events")])
def test_foreign_pages_may_not_write_or_stream(daemon, client, origin, method, path):
    before = client.state
    with Connection(daemon.port) as connection:
        answer = connection.request(method, path, {"Origin": origin}, BODIES.get(method))
        assert answer.status == 403
        assert "access-control-allow-origin" not in answer.headers
    assert client.state == before


@pytest.mark.parametrize("origin", FOREIGN)
def test_responses_to_foreign_pages_lack_cors_fields(client, origin):
    answer = client.get("/v1/brightness", headers={"Origin": origin})
    assert "access-control-allow-origin" not in answer.headers
    assert "origin" in answer.headers["vary"].lower()


@pytest.mark.parametrize("path", ["/brightness.js", "/brightness/server.js"])
@pytest.mark.parametrize("origin", [*FOREIGN, NEAR[0], None])
def test_pages_of_every_origin_may_load_the_module(client, path, origin):
    headers = {"Origin": origin} if origin else {}
    answer = client.get(path, headers=headers)
    again = client.get(path, headers=headers | {"If-None-Match": answer.headers["etag"]})
    assert (answer.status_code, again.status_code) == (200, 304)
    for fields in (answer.headers, again.headers):
        assert fields.get_list("access-control-allow-origin") == ["*"]


@pytest.mark.parametrize("path", ["/", "/openapi.json", "/livez", "/v1"])
def test_pages_of_foreign_origins_may_read_nothing_else(client, path):
    answer = client.get(path, headers={"Origin": FOREIGN[0]})
    assert (answer.status_code, answer.headers.get("access-control-allow-origin")) == (200, None)


def test_the_problem_names_the_origin(client):
    def detail(origin):
        return client.post("/v1/boost", headers=origin).json()["detail"]

    assert detail({"Origin": "http://evil.example"}) == (
        "Pages of http://evil.example may not change displays. "
        "Start the daemon with --allow-origin http://evil.example to allow it."
    )
    assert detail({"Origin": "null"}).startswith("Pages without an origin, such as files, may not change displays. Serve")
    assert detail({"Sec-Fetch-Site": "cross-site"}).startswith("Pages of other sites may not change displays. Start")


def test_a_refused_origin_is_logged_once(start, connect):
    daemon = start()
    client = connect(daemon)
    # Public documents are for everybody.
    client.get("/livez", headers={"Origin": "http://unlogged.example"})
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


@pytest.mark.parametrize(("method", "path"), [("PUT", "/v1/brightness"), BOOST, ("GET", "/v1/events")])
def test_a_preflight_lists_methods_and_fields(client, method, path):
    question = {
        "Origin": "http://localhost:3000",
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "content-type,if-match",
    }
    answer = client.options(path, headers=question)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "http://localhost:3000"
    assert method in answer.headers["access-control-allow-methods"].replace(" ", "").split(",")
    allowed = answer.headers["access-control-allow-headers"].lower()
    assert "content-type" in allowed and "if-match" in allowed

    foreign = client.options(path, headers=question | {"Origin": "http://evil.example"})
    assert not [name for name in foreign.headers if name.startswith("access-control-allow")]


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_anonymous_readers_may_not_write(start, connect, method, path):
    client = connect(start("--anonymous", "read"))
    assert client.get("/v1/brightness").status_code == 200
    before = client.state
    headers = {"Content-Type": "application/json"} if method in BODIES else {}
    assert client.request(method, path, content=BODIES.get(method), headers=headers).status_code == 403
    assert client.state == before


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
