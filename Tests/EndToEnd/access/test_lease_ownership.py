# SPDX-License-Identifier: Apache-2.0
"""The principal of a lease (a token, a user of the Unix socket, the broker), and other principals' access to it."""

import json
import os
import subprocess

import pytest
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect as open_web_socket

from support.broker import TIMEOUT, MQTTClient
from support.events import Stream
from support.until import until
from support.wire import Connection, request

SECRETS = {name: f"{name}-0123456789abcdef" for name in ("wall", "maria", "otto", "boss")}
SCOPES = {"wall": "read", "maria": "write", "otto": "write", "boss": "admin"}


@pytest.fixture
def tokens(tmp_path):
    file = tmp_path / "tokens"
    file.write_text("\n".join(f"{name}:{SCOPES[name]}:{secret}" for name, secret in SECRETS.items()))
    file.chmod(0o600)
    return ("--token-file", file)


@pytest.fixture
def clients(start, connect, tokens):
    """One client per token of one daemon."""
    daemon = start(*tokens)
    return daemon, {name: connect(daemon, headers=bearer(name)) for name in SECRETS}


def bearer(name):
    return {"Authorization": f"Bearer {SECRETS[name]}"}


def boosts(client, display="simulated"):
    return client.get(f"/v1/displays/{display}/boost").json()["leases"]


def call(socket, method, **params):
    socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, "id": 1}))
    while "id" not in (answer := json.loads(socket.recv(TIMEOUT))):
        pass
    return answer.get("result") or answer["error"]["data"]


def test_websocket_calls_have_the_tokens_principal(clients):
    daemon, by = clients
    lease = by["maria"].boost(holder="page")
    with open_web_socket(f"ws://127.0.0.1:{daemon.port}/v1/ws", additional_headers=bearer("otto"), open_timeout=TIMEOUT) as socket:
        for method, params in (("release", {}), ("renew", {"ttl": 5})):
            assert call(socket, method, lease=lease["id"], **params)["type"] == "/problems/forbidden"
        own = call(socket, "boost", holder="page")
        assert (own["principal"], own["lifespan"]) == ("otto", "visible")
        assert call(socket, "boost")["holder"] == "otto"
        assert call(socket, "restore", holder="page")["boost"]["leases"] == 2
        assert call(socket, "boost", holder="idle")["type"] == "/problems/invalid-body"
    assert lease["id"] in [lease["id"] for lease in boosts(by["wall"])]


def test_one_principal_leaves_room_for_others_and_for_schedules(clients):
    _, by = clients
    for number in range(128):
        by["maria"].boost(holder=f"page-{number}", brightness=0.6, lifespan="lifetime")
    refused = by["maria"].post("/v1/boost", json={"holder": "one more"})
    assert (refused.status_code, refused.json()["type"]) == (429, "/problems/client-limit-reached")
    assert by["maria"].boost(holder="page-7", brightness=0.7)["brightness"] == 0.7
    for name in ("otto", "boss"):
        assert by[name].boost(holder="page")["principal"] == name
    # One of them is in force.
    for name, begin, end in [("am", "00:00", "12:01"), ("pm", "12:00", "00:01")]:
        assert by["boss"].put(f"/v1/schedules/{name}", json={"from": begin, "to": end, "dim": 0.1}).status_code == 201
    until(lambda: by["wall"].state["dim"], "the schedule has its lease")


@pytest.mark.parametrize("accept", ["*/*", "image/avif,image/webp,*/*;q=0.8"])
def test_a_url_that_any_page_can_request_keeps_no_lease(daemon, accept):
    """`<img>` and `<script>` send no Origin, and over plain HTTP no Sec-Fetch-Site."""
    for path, status in [("/v1/events?holder=page", 403), ("/v1/events", 200)]:
        with Connection(daemon.port) as connection:
            connection.send(request(daemon.port, "GET", path, {"Accept": accept}))
            assert connection.head().status == status, path


@pytest.mark.parametrize(("fields", "status"), [
    ({}, 200),
    ({"User-Agent": "Mozilla/5.0 (X11)"}, 403),
    ({"User-Agent": "Mozilla/5.0 (X11)", "Referer": "http://evil.example/"}, 403),
    ({"User-Agent": "Mozilla/5.0 (X11)", "Referer": "http://HOST/kiosk"}, 200),
    ({"User-Agent": "Mozilla/5.0 (X11)", "Sec-Fetch-Site": "same-origin"}, 200),
])  # fmt: skip
def test_a_fetch_of_a_foreign_page_keeps_no_lease(daemon, fields, status):
    """Over plain HTTP a fetch with mode no-cors sends no Origin, and Referer only if its page wants that."""
    host = f"127.0.0.1:{daemon.port}"
    fields = {name: value.replace("HOST", host) for name, value in fields.items()}
    with Connection(daemon.port) as connection:
        connection.send(request(daemon.port, "GET", "/v1/events?holder=page", {"Accept": "text/event-stream", **fields}))
        assert connection.head().status == status


def test_a_stream_with_a_holder_needs_the_scope_write(clients):
    daemon, _ = clients
    for path, name, status in [
        ("/v1/events?holder=page", "wall", 403), ("/v1/events?holder=page", "maria", 200), ("/v1/events", "wall", 200),
        ("/v1/events?holder=idle", "maria", 400),
    ]:  # fmt: skip
        with Connection(daemon.port) as connection:
            connection.send(request(daemon.port, "GET", path, bearer(name)))
            assert connection.head().status == status, (path, name)
    with pytest.raises(InvalidStatus) as refused:
        open_web_socket(f"ws://127.0.0.1:{daemon.port}/v1/ws?holder=page", additional_headers=bearer("wall"), open_timeout=TIMEOUT)
    assert refused.value.response.status_code == 403


def test_a_stream_keeps_only_its_own_principals_boost_alive(clients):
    daemon, by = clients
    with Stream(daemon.port, "/v1/events?holder=page", headers=bearer("otto")) as stream:
        stream.next("state")
        for name in ("maria", "otto"):
            by[name].boost(holder="page", lifespan="visible")
        ended = stream.next("boost", lambda event: event.data["change"] == "disconnected").data
        assert ended["lease"]["principal"] == "maria"
        assert [lease["principal"] for lease in boosts(by["wall"])] == ["otto"]


def test_a_lease_keeps_its_principal_after_a_crash(start, connect, tokens, tmp_path):
    options = [*tokens, "--state-directory", tmp_path / "state"]
    daemon = start(*options)
    lease = connect(daemon, headers=bearer("maria")).boost(holder="page", ttl=600)
    daemon.kill()
    daemon = start(*options)
    otto, maria = connect(daemon, headers=bearer("otto")), connect(daemon, headers=bearer("maria"))
    url = f"/v1/displays/simulated/leases/{lease['id']}"
    assert otto.delete(url).status_code == 403
    assert maria.post("/v1/restore", json={"holder": "page"}).json()["boost"] is None


def test_a_user_of_the_unix_socket_is_a_principal(start, connect, tmp_path):
    path = tmp_path / "socket"
    client = connect(start("--unix", path))

    def curl(target, *options):
        command = ["curl", "--silent", "--unix-socket", str(path), *options, f"http://localhost{target}"]
        return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=TIMEOUT).stdout)

    me = f"uid:{os.getuid()}"
    assert curl("/v1/whoami") == {"principal": me, "name": None, "scope": "admin", "limit": None}
    assert client.get("/v1/whoami").json() == {"principal": "anonymous", "name": None, "scope": "admin", "limit": None}
    lease = curl("/v1/boost", "--json", "{}")
    assert (lease["holder"], lease["by"], lease["principal"]) == (None, None, me)
    assert client.post("/v1/restore").json()["boost"]
    assert client.boost()["principal"] == "anonymous"
    assert curl("/v1/restore", "-X", "POST", "-H", "Prefer: wait=20")["boost"]["leases"] == 1


def test_the_broker_is_one_principal(start, connect, broker):
    daemon = start("--mqtt", broker.url("lobby"))
    daemon.line("MQTT: connected")
    client = connect(daemon)
    with MQTTClient(broker) as maria:
        lease = maria.ask("b/lobby/simulated/boost", {"holder": "page"}).json
        assert (lease["principal"], lease["by"]) == ("mqtt", "page")
        own = client.boost(holder="page")
        assert own["id"] != lease["id"]
        maria.ask("b/lobby/simulated/restore", {"holder": "page"})
        assert [lease["id"] for lease in boosts(client)] == [own["id"]]


def test_a_gateway_keeps_the_principals_of_its_clients_apart(start, connect, broker, tokens):
    node = start("--display", "simulated:panel", "--mqtt", broker.url("hall"))
    options = ["--display", "none", "--mqtt", broker.url("edge"), "--mirror", "b/+", *tokens]
    edge = start(*options)
    hall = connect(node)

    def gateway(edge):
        by = {name: connect(edge, headers=bearer(name)) for name in SECRETS}
        until(
            lambda: (answer := by["wall"].get("/v1/displays/hall:panel")).status_code == 200 and answer.json()["available"],
            "the panel is mirrored",
        )
        return by

    by = gateway(edge)
    path = "/v1/displays/hall:panel/leases"
    leases = {name: by[name].post(path, json={"kind": "boost", "holder": "page", "ttl": 600}).json() for name in ("maria", "otto")}
    local = hall.boost(holder="page", ttl=600)
    assert [(lease["holder"], lease["principal"]) for lease in boosts(hall, "panel")] == [
        ("page", "b/edge/maria"), ("page", "b/edge/otto"), ("page", "anonymous"),
    ]  # fmt: skip
    for name, lease in leases.items():
        assert (lease["holder"], lease["principal"]) == ("page", name)
    until(lambda: len(boosts(by["wall"], "hall:panel")) == 3, "all are mirrored")
    assert {lease["principal"] for lease in boosts(by["wall"], "hall:panel")} == {"maria", "otto", "b/hall/anonymous"}
    for foreign in (leases["maria"], local):
        for method, body in (("GET", None), ("PATCH", {"ttl": 1}), ("DELETE", None)):
            assert by["otto"].request(method, f"{path}/{foreign['id']}", json=body).status_code == 403
    # Also when it was started again.
    edge.stop()
    by = gateway(start(*options))
    until(lambda: len(boosts(by["wall"], "hall:panel")) == 3, "all are mirrored")
    assert by["otto"].delete(f"{path}/{leases['maria']['id']}").status_code == 403
    # A busy node may confirm late.
    done = (200, 202)
    assert by["maria"].patch(f"{path}/{leases['maria']['id']}", json={"ttl": 300}).status_code in done
    assert by["maria"].post("/v1/displays/hall:panel/restore", json={"holder": "page"}).status_code in done
    until(
        lambda: {lease["principal"] for lease in boosts(hall, "panel")} == {"b/edge/otto", "anonymous"},
        "only her lease ends",
    )
    until(lambda: len(boosts(by["wall"], "hall:panel")) == 2, "the end is mirrored")
    assert by["boss"].delete(f"{path}/{local['id']}").status_code in done
    assert by["otto"].delete(f"{path}/{leases['otto']['id']}").status_code in done
    until(lambda: boosts(hall, "panel") == [], "both end")


def test_the_dashboard_offers_only_what_the_token_allows(clients, new_context):
    daemon, by = clients
    page = new_context(expects="401|403").new_page()
    page.goto(daemon.url)

    def enter(name):
        page.get_by_role("textbox", name="Token").fill(SECRETS[name])
        page.get_by_role("textbox", name="Token").press("Enter")
        expect(page.get_by_test_id("status")).to_have_text("Live")

    enter("otto")
    by["maria"].boost(holder="page")
    by["otto"].boost(holder="door")
    leases = page.get_by_test_id("leases")
    expect(leases).to_contain_text("page")
    expect(leases.get_by_role("button", name="End the boost of door")).to_be_visible()
    expect(leases.get_by_role("button", name="End the boost of page")).to_be_hidden()
    expect(page.get_by_role("button", name="Restore: Simulated display")).to_be_disabled()
    leases.get_by_role("button", name="End the boost of door").click()
    expect(leases).not_to_contain_text("door")
    page.evaluate("sessionStorage.clear()")
    page.reload()
    enter("boss")
    expect(leases.get_by_role("button", name="End the boost of page")).to_be_visible()
    leases.get_by_role("button", name="End the boost of page").click()
    expect(leases).not_to_contain_text("page")
