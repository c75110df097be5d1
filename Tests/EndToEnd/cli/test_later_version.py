# SPDX-License-Identifier: Apache-2.0
"""The client at a daemon of a later version: it ignores the members, kinds of leases and events that it does not know."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import httpx
import pytest

HOP_BY_HOP = {"host", "connection", "accept-encoding", "content-length", "transfer-encoding", "date", "server"}


def later(value):
    """The document with an unknown member in each object, and unknown leases among its leases."""
    if isinstance(value, list):
        return [later(element) for element in value]
    if not isinstance(value, dict):
        return value
    value = {name: later(member) for name, member in value.items()} | {"aurora": {"since": [1.5, None]}, "glow": "on"}
    if isinstance(value.get("leases"), list):
        value["leases"] += [{"id": "l-9", "kind": "glow"}]
    return value


@pytest.fixture
def later_daemon(daemon):
    """Passes requests on to the file's daemon, and its answers as a later version would write them."""

    class Handler(BaseHTTPRequestHandler):
        def forward(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
            with httpx.stream(self.command, daemon.url + self.path, headers=headers, content=body, timeout=None, verify=False) as answer:
                self.send_response(answer.status_code)
                for name in answer.headers.keys() - HOP_BY_HOP - {"content-encoding"}:
                    self.send_header(name, answer.headers[name])
                self.end_headers()
                if not answer.headers.get("content-type", "").startswith("text/event-stream"):
                    self.wfile.write(json.dumps(later(json.loads(text))).encode() if (text := answer.read()) else b"")
                    return
                self.wfile.write(b"event: aurora\ndata: {}\n\n")
                for line in answer.iter_lines():
                    if line.startswith("data: "):
                        line = "data: " + json.dumps(later(json.loads(line[6:])))
                    self.wfile.write(line.encode() + b"\n")

        do_DELETE = do_GET = do_PATCH = do_POST = do_PUT = forward

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield SimpleNamespace(url=f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()


def test_it_prints_what_it_knows(run, client, later_daemon):
    client.boost(holder="kiosk-3", reason="qr")
    assert '"aurora"' in run("list", "--json", BRIGHTNESS_SERVER=later_daemon.url)[1]
    for words in (["presets", "save", "dusk"], ["set", "40%"], ["dim", "10%", "--for", "1h"], ["presets", "apply", "dusk"]):
        assert run(*words, BRIGHTNESS_SERVER=later_daemon.url)[::2] == (0, ""), words
    for words in ([], ["list"], ["presets"], ["schedules"], ["history", "--changes"], ["power"], ["light"], ["curve"], ["location"]):
        assert run(*words, BRIGHTNESS_SERVER=later_daemon.url) == run(*words), words
    for words in (["restore", "--all"], ["presets", "remove", "dusk"]):
        assert run(*words, BRIGHTNESS_SERVER=later_daemon.url)[::2] == (0, ""), words


def test_it_watches_what_it_knows(begin, client, later_daemon):
    process = begin(later_daemon, "watch")
    assert process.stdout.readline().split(maxsplit=1)[1].startswith("simulated  50 %  ")
    client.set(0.7, holder="kiosk-3")
    assert process.stdout.readline().split(maxsplit=1)[1].startswith("simulated  70 %  set by kiosk-3")
