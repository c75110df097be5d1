# SPDX-License-Identifier: Apache-2.0
"""DNS rebinding, in a real browser: a page whose name suddenly means this machine can neither read nor change anything."""

import socket
from threading import Thread

import pytest
from playwright.sync_api import sync_playwright

from support.browser import WHOLE, launch

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!doctype html><title>evil</title>"
TRY = """async () => {
    const said = {};
    const ask = async (name, ...request) => {
        try {
            const answer = await fetch(...request);
            said[name] = [answer.status, await answer.text()];
        } catch (error) { said[name] = [0, String(error)]; }
    };
    await ask("read", "/v1/brightness", { cache: "no-store" });
    await ask("write", "/v1/brightness", { method: "PUT", body: '{"brightness":1}', headers: { "Content-Type": "application/json" } });
    await ask("boost", "/v1/boost", { method: "POST" });
    said.stream = await new Promise((done) => {
        const source = new EventSource("/v1/events");
        source.addEventListener("state", (event) => done(event.data));
        source.onerror = () => { source.close(); done("error"); };
    });
    said.webSocket = await new Promise((done) => {
        const socket = new WebSocket(`ws://${location.host}/v1/ws`);
        socket.onmessage = (event) => done(event.data);
        socket.onclose = () => done("closed");
    });
    return said;
}"""


class Name:
    """The address of a name: the attacker's server with its page, until the name is bound again."""

    def __init__(self):
        self.port_of_daemon = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.port_of_daemon is None:
                client.recv(65_536)
                client.sendall(PAGE)
                client.close()
            else:
                daemon = socket.create_connection(("127.0.0.1", self.port_of_daemon))
                for pair in ((client, daemon), (daemon, client)):
                    Thread(target=_copy, args=pair, daemon=True).start()

    def close(self):
        self._listener.close()


def _copy(source, target):
    try:
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


@pytest.fixture
def name():
    name = Name()
    yield name
    name.close()


def test_a_name_that_is_bound_anew(daemon, client, name):
    before = client.state
    with sync_playwright() as playwright:
        rule = f"--host-resolver-rules=MAP evil.example:80 127.0.0.1:{name.port}"
        browser = launch(playwright, rule, program=WHOLE)
        page = browser.new_page()
        page.goto("http://evil.example/")
        assert page.title() == "evil"
        name.port_of_daemon = daemon.port
        said = page.evaluate(TRY)
        browser.close()
    for what in ("read", "write", "boost"):
        status, text = said[what]
        assert status == 421 and "simulated" not in text, (what, said)
    assert (said["stream"], said["webSocket"]) == ("error", "closed"), said
    assert client.state == before
