# SPDX-License-Identifier: Apache-2.0
"""Raw requests, valid, invalid and ambiguous between two servers: sent directly, and through proxies."""

import re
import select
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.ports import free_port
from support.proxies import example, haproxy, nginx, replacing
from support.raw_requests import CASES, STATUS, probes, statuses
from support.until import TIMEOUT
from support.wire import Connection

FRAGMENTS = [case for case in CASES if case.is_fragment]


def read_probes(client):
    return probes(client.get("/v1/displays/simulated/leases").json())


def read_to_the_end(connection):
    """Receives until the connection ends."""
    try:
        while connection.fill():
            pass
    except ConnectionResetError:
        pass
    return connection.buffer


def test_the_corpus_is_complete():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert sum(case.of == "h1spec" for case in CASES) == 33
    assert {case.of for case in CASES} == {"h1spec", "smuggling", "ours"}


def test_an_incomplete_request_waits_for_its_rest(daemon):
    connections = [Connection(daemon.port) for _ in FRAGMENTS]
    for connection, case in zip(connections, FRAGMENTS):
        connection.send(case.data)
    # Whatever there was to say would be said by then; a slow machine only makes this less strict.
    readable, _, _ = select.select([connection.socket for connection in connections], [], [], 0.5)
    assert not readable
    for connection, case in zip(connections, FRAGMENTS):
        connection.send(case.rest)
        assert connection.response("GET", "/livez").status == 200, case
        connection.socket.close()


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_fragment], ids=lambda case: case.name)
def test_a_request_is_answered_as_the_corpus_states(daemon, client, case):
    before = client.state
    with Connection(daemon.port) as connection:
        connection.send_anyway(case.data + case.probe)
        if case.answer in ("served", "kept"):
            answer = connection.response()
            if answer.status == 100:
                answer = connection.response()
            assert answer.status == case.status if case.status else 200 <= answer.status < 300, answer
            if case.probe:
                assert connection.response().status in (200, 201, 202), "the request behind it is served"
        elif case.answer == "last":
            answer = connection.response()
            assert (200 <= answer.status < 300, answer.closes) == (True, True), answer
            connection.assert_closed()
        elif case.answer == "split":
            assert all(400 <= connection.response().status < 500 for _ in range(2))
        elif case.answer == "refused":
            answer = connection.response()
            assert (answer.status, answer.closes) == (case.status, True), answer
            assert answer.headers["content-type"] == "application/problem+json"
            connection.assert_closed()
        else:
            received = read_to_the_end(connection)
            assert all(status >= b"400" for status in STATUS.findall(received)), received
            assert not received or received.startswith(b"HTTP/1."), received
            # A page of libmicrohttpd's own is a whole answer, too.
            assert case.gap or len(statuses(received)) <= 1, received
    if case.answer in ("refused", "ended", "split"):
        assert client.state == before
    assert read_probes(client) == ({case.name} if case.answer in ("served", "kept") and case.probe else set())


SHORT = "8s"
"""The timeout of the proxies, in which a busy daemon answers; all cases wait at the same time."""


def nginx_in_front(folder, port, daemon):
    """nginx as in docs/how-to/tls-proxy.md, without TLS, with a log of the requests it has forwarded."""
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port}",
        "127.0.0.1:8787": f"127.0.0.1:{daemon.port}",
        "proxy_read_timeout 60s": f"proxy_read_timeout {SHORT}",
    }
    server = re.sub(r"\n *ssl_\w+ .*?;", "", replacing(example("nginx"), changes))
    usual = [
        "log_format sent '$upstream_addr $request_uri';",
        f"access_log {folder}/sent.log sent;",
        *(f"{name} {SHORT};" for name in ("client_header_timeout", "client_body_timeout", "keepalive_timeout")),
    ]
    return nginx(folder, port, server, "\n".join(usual)), folder / "sent.log"


def haproxy_in_front(folder, port, daemon):
    """HAProxy as in docs/how-to/tls-proxy.md, without TLS, with the same log."""
    changes = {
        "bind :443 ssl crt /etc/ssl/kiosk.example.pem": f"bind 127.0.0.1:{port}",
        "127.0.0.1:8787": f"127.0.0.1:{daemon.port}",
        "timeout http-request 10s": f"timeout http-request {SHORT}",
        "timeout client 60s": f"timeout client {SHORT}",
        "timeout server 60s": f"timeout server {SHORT}",
        "defaults\n": "global\n    log stdout format raw local0\n"
        "defaults\n    log global\n    log-format \"sent %s %HU\"\n"
        f"    timeout http-keep-alive {SHORT}\n",
    }
    return haproxy(folder, port, replacing(example("haproxy"), changes)), folder / "haproxy.out"


def sent(log):
    """The targets of all requests that the proxy has sent to the daemon."""
    lines = [line.removeprefix("sent ") for line in log.read_text(errors="replace").splitlines()]
    return [target for server, _, target in (line.partition(" ") for line in lines) if server not in ("-", "<NOSRV>")]


def exchange(port, case):
    """Returns the response to a case and its probe, up to the proxy's close."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection:
        try:
            connection.sendall(case.data + case.probe)
            while data := connection.recv(65_536):
                received += data
        except (BrokenPipeError, ConnectionResetError):
            pass
    return received


def answered(client):
    """Returns the number of requests that the daemon answered, without this one."""
    lines = client.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("brightnessd_http_responses_total{"))


@pytest.mark.parametrize("in_front", [nginx_in_front, haproxy_in_front])
def test_a_proxy_and_the_daemon_agree_where_a_request_ends(start, connect, tmp_path, in_front):
    daemon = start()
    client = connect(daemon)
    port = free_port()
    running, log = in_front(tmp_path, port, daemon)
    before = answered(client)
    # A connection that hangs is a time-out here, and a failure.
    with running, ThreadPoolExecutor(len(CASES)) as crowd:
        said = list(crowd.map(lambda case: exchange(port, case), CASES))
    daemons = answered(client) - before - 1
    targets = sent(log)
    assert daemons <= len(targets), "the daemon has read more requests than it was sent"
    for case, received in zip(CASES, said):
        if case.is_simple and not received.startswith(b"HTTP/"):
            continue
        asked = 2 if case.probe else 1
        assert len(statuses(received)) <= asked, (case.name, received)
        if case.answer in ("served", "last"):
            # A proxy may be stricter: nginx takes no tab before a host, and passes on the Host that a whole URL overrules.
            assert statuses(received)[0] < 300 or statuses(received)[0] in (400, 421), (case.name, received)
    read = probes(client.get("/v1/displays/simulated/leases").json())
    assert None not in read, "what was inside of a body was read as a request"
    for case in CASES:
        if case.name in read:
            assert case.target in targets, (case.name, "was read, but not sent as a request")
    print(f"{len(CASES)} cases: {len(targets)} requests sent on, {daemons:.0f} answered, {len(read)} probes read")
    assert {"a plain GET", "a POST with a body", "a POST in chunks", "chunks that are right"} <= read
