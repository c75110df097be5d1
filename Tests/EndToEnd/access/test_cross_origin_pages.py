# SPDX-License-Identifier: Apache-2.0
"""Pages of another origin in a real browser: they can neither read, stream nor write, unless `--allow-origin` names them."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from support.until import until

OPEN = ("--listen", "0.0.0.0:0", "--anonymous", "write")
"""Listens on all addresses: on loopback alone, pages of local servers are trusted."""
FRAME = "<!doctype html><title>other</title><link rel=icon href=data:,><iframe name=frame></iframe>"
TRY = """async (daemon) => {
    const json = { "Content-Type": "application/json" };
    const plain = { "Content-Type": "text/plain" };
    const said = {};
    const ask = async (name, path, options = {}) => {
        try {
            const answer = await fetch(daemon + path, { cache: "no-store", ...options });
            said[name] = `${answer.type} ${answer.status} ${await answer.text()}`;
        } catch (error) { said[name] = String(error); }
    };
    await ask("read", "/v1/brightness");
    await ask("read all", "/v1/displays");
    await ask("read the history", "/v1/history");
    await ask("read without CORS", "/v1/brightness", { mode: "no-cors" });
    await ask("put", "/v1/brightness", { method: "PUT", headers: json, body: '{"brightness":1}' });
    await ask("patch", "/v1/brightness", { method: "PATCH", headers: json, body: '{"delta":0.1}' });
    await ask("post", "/v1/boost", { method: "POST", headers: json, body: "{}" });
    await ask("post nothing", "/v1/boost", { method: "POST" });
    await ask("post text", "/v1/boost", { method: "POST", headers: plain, body: "{}" });
    await ask("post without CORS", "/v1/boost", { method: "POST", mode: "no-cors", headers: plain, body: "{}" });
    await ask("post nothing without CORS", "/v1/boost", { method: "POST", mode: "no-cors" });
    await ask("stream without CORS", "/v1/events", { mode: "no-cors" });
    said["beacon"] = String(navigator.sendBeacon(daemon + "/v1/boost", "{}"));
    for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
        const form = Object.assign(document.createElement("form"), { method: "POST", enctype });
        Object.assign(form, { action: daemon + "/v1/boost", target: "frame" });
        form.append(Object.assign(document.createElement("input"), { name: '{"holder":"', value: '"}' }));
        document.body.append(form);
        const frame = document.querySelector("iframe");
        const loaded = new Promise((done) => { frame.onload = done; });
        form.submit();
        await loaded;
    }
    said["event source"] = await new Promise((done) => {
        const source = new EventSource(daemon + "/v1/events");
        source.addEventListener("state", (event) => { source.close(); done(event.data); });
        source.onerror = () => { source.close(); done("error"); };
    });
    said["web socket"] = await new Promise((done) => {
        const socket = new WebSocket(daemon.replace("http", "ws") + "/v1/ws");
        socket.onmessage = (event) => { socket.close(); done(event.data); };
        socket.onclose = () => done("closed");
    });
    said["script"] = await new Promise((done) => {
        const script = Object.assign(document.createElement("script"), { src: daemon + "/v1/brightness" });
        script.onerror = () => done("error");
        script.onload = () => done("loaded");
        document.body.append(script);
    });
    return said;
}"""


@pytest.fixture
def other_port():
    """A foreign web server on this machine with one page without a content security policy."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(FRAME)))
            self.end_headers()
            self.wfile.write(FRAME.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def refused(client):
    """Returns the number of requests that the daemon rejected."""
    lines = client.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if "responses_total{" in line and 'code="4' in line)


def answers(new_context, origin, daemon):
    # That it is refused Chromium says on the console.
    page = new_context(expects=".").new_page()
    page.goto(origin)
    return page.evaluate(TRY, daemon.url)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_page_of_another_origin_can_neither_read_nor_write(start, connect, new_context, other_port, host):
    """A page of another site, and a page of the same site on another port."""
    daemon = start(*OPEN)
    client = connect(daemon)
    before, count = client.set(0.4), refused(client)
    said = answers(new_context, f"http://{host}:{other_port}", daemon)
    for name, text in said.items():
        assert "simulated" not in text and "basic" not in text and "cors 2" not in text, (name, said)
    assert said["read without CORS"] == "opaque 0 ", said
    assert (said["event source"], said["web socket"]) == ("error", "closed"), said
    # Requests without CORS have reached the daemon, so the daemon rejected them, and not the browser.
    until(lambda: refused(client) >= count + 9, "posts, forms, streams and the beacon are refused")
    assert client.state == before
    assert client.get("/v1/displays/simulated/boost").json() == {"leases": []}


def test_a_page_of_an_allowed_origin_can_read_and_write(start, connect, new_context, other_port):
    origin = f"http://localhost:{other_port}"
    daemon = start(*OPEN, "--allow-origin", origin)
    client = connect(daemon)
    client.set(0.4)
    said = answers(new_context, origin, daemon)
    for name in ("read", "read all", "read the history", "put", "patch"):
        assert said[name].startswith("cors 200 ") and "simulated" in said[name], said
    assert said["post"].startswith("cors 201 ") and '"display":"simulated"' in said["post"], said
    for name in ("event source", "web socket"):
        assert "simulated" in said[name], said
