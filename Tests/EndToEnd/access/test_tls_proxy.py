# SPDX-License-Identifier: Apache-2.0
"""Behind nginx, Caddy and HAProxy with TLS, with the configurations of docs/how-to/tls-proxy.md and compose.yaml."""

import json
import os
import socket
import ssl
import subprocess

import httpx
import pytest
from httpx_sse import connect_sse
from websockets.sync.client import connect as open_web_socket

from support.daemon import ROOT
from support.ports import free_port
from support.proxies import caddy, example, haproxy, nginx, replacing
from support.until import TIMEOUT
from support.wire import RESULT

TOKEN = "kiosk-0123456789"
NAME = "kiosk.example"
HEADERS = RESULT | {"Host": NAME, "Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    pem, key = folder / "kiosk.pem", folder / "kiosk.key"
    what = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run(["openssl", "req", *what, *names, "-out", pem, "-keyout", key], check=True, capture_output=True)
    return pem, key


SOURCES = [
    "nginx in docs/how-to/tls-proxy.md",
    "packaging/compose/nginx.conf",
    "HAProxy in docs/how-to/tls-proxy.md",
    pytest.param(
        "Caddy in docs/how-to/tls-proxy.md",
        marks=pytest.mark.skipif(not os.path.exists("/usr/bin/caddy"), reason="no Caddy, which scripts/setup test installs"),
    ),
]


def in_front(source, folder, port, daemon, certificate):
    """The proxy of this configuration, with these ports and files."""
    if source.startswith("HAProxy"):
        # It wants both in one file.
        both = folder / "both.pem"
        both.write_text("".join(file.read_text() for file in certificate))
        changes = {
            "bind :443": f"bind 127.0.0.1:{port}",
            "127.0.0.1:8787": f"127.0.0.1:{daemon.port}",
            "/etc/ssl/kiosk.example.pem": str(both),
        }
        return haproxy(folder, port, replacing(example("haproxy"), changes))
    if source.startswith("Caddy"):
        # Not a certificate from the internet, and not every address.
        site = f"{NAME}:{port} {{\n    bind 127.0.0.1\n    tls {certificate[0]} {certificate[1]}\n"
        changes = {f"{NAME} {{\n": site, "127.0.0.1:8787": f"127.0.0.1:{daemon.port}"}
        return caddy(folder, port, replacing(example("caddyfile"), changes))
    return nginx(folder, port, nginx_configuration(source, port, daemon, certificate))


def nginx_configuration(source, port, daemon, certificate):
    """Returns the server block of the configuration."""
    if source.endswith(".md"):
        text, upstream, folder = example("nginx"), "127.0.0.1:8787", "/etc/ssl/kiosk.example"
    else:
        text, upstream, folder = (ROOT / source).read_text(), "brightnessd:8787", "/etc/nginx/tls/brightnessd"
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        upstream: f"127.0.0.1:{daemon.port}",
        f"{folder}.pem": str(certificate[0]),
        f"{folder}.key": str(certificate[1]),
    }
    return replacing(text, changes)


@pytest.fixture(params=SOURCES)
def proxy(request, start, certificate, tmp_path):
    """The port of a proxy in front of a daemon with a token."""
    tokens = tmp_path / "tokens"
    tokens.write_text(f"kiosk:write:{TOKEN}\n")
    tokens.chmod(0o600)
    daemon = start("--token-file", tokens, "--allow-host", NAME)
    port = free_port()
    with in_front(request.param, tmp_path, port, daemon, certificate):
        yield port
    # nginx logs a stream when it has ended.
    for log in ("access.log", "caddy.out"):
        if (tmp_path / log).exists():
            assert TOKEN not in (tmp_path / log).read_text()


@pytest.fixture
def trust(certificate):
    return ssl.create_default_context(cafile=str(certificate[0]))


@pytest.fixture
def through(proxy, trust):
    extensions = {"sni_hostname": NAME}
    with httpx.Client(base_url=f"https://127.0.0.1:{proxy}", verify=trust, headers=HEADERS, timeout=TIMEOUT) as client:
        client.event_hooks["request"] = [lambda request: request.extensions.update(extensions)]
        yield client


def test_a_proxy_passes_requests(through):
    assert through.put("/v1/brightness", json={"brightness": 0.6}).json()["brightness"] == 0.6
    assert through.post("/v1/boost", json={"holder": "kiosk-3"}).status_code == 201
    answer = through.get("/v1/brightness")
    assert through.get("/v1/brightness", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_a_client_without_a_token_is_rejected(through):
    del through.headers["Authorization"]
    assert through.get("/v1/brightness").status_code == 401
    assert through.post("/v1/boost").status_code == 401


def test_the_page_behind_the_proxy_has_the_daemons_own_origin(through):
    answer = through.post("/v1/boost", headers={"Origin": f"https://{NAME}"})
    assert answer.status_code == 201
    assert through.post("/v1/boost", headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_proxy_passes_events_at_once(through):
    with connect_sse(through, "GET", f"/v1/events?types=state&access_token={TOKEN}") as source:
        events = (event for event in source.iter_sse() if event.event == "state")
        first = json.loads(next(events).data)
        through.put("/v1/brightness", json={"brightness": 0.3})
        second = json.loads(next(events).data)
    assert (second["brightness"], second["revision"]) == (0.3, first["revision"] + 1)


def test_a_proxy_passes_the_event_stream_of_light_sensors(through):
    with connect_sse(through, "GET", f"/events?access_token={TOKEN}") as source:
        assert next(event.event for event in source.iter_sse() if event.data) == "state"


def test_a_proxy_passes_a_websocket(proxy, trust):
    # The client reads in one thread and writes in another: with the tickets that TLS 1.3 sends after the handshake, both
    # may hang.
    trust.maximum_version = ssl.TLSVersion.TLSv1_2
    connection = socket.create_connection(("127.0.0.1", proxy))
    address = f"wss://{NAME}/v1/ws?access_token={TOKEN}"
    with open_web_socket(address, sock=connection, ssl=trust, open_timeout=TIMEOUT) as web_socket:
        assert json.loads(web_socket.recv(TIMEOUT))["method"] == "state"
        web_socket.send('{"jsonrpc":"2.0","method":"set","params":{"percent":20},"id":1}')
        while "result" not in (answer := json.loads(web_socket.recv(TIMEOUT))):
            pass
        assert answer["result"]["percent"] == 20
