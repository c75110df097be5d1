# SPDX-License-Identifier: Apache-2.0
"""Current-value semantics: a client begins with the state at its connect or newer, and ends with the newest."""

import re
import selectors
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from support.client import Client
from support.events import Stream
from support.until import TIMEOUT
from support.wire import Connection, request

EVENT = re.compile(rb"\nid: [0-9a-f]{8}-(\d+)\n")
STREAMS = 1_000


class Watcher:
    """A stream of which only the revisions are read."""

    def __init__(self, port):
        self.connection = Connection(port)
        self.connection.send(request(port, "GET", "/v1/events?types=state"))
        self.connection.socket.setblocking(False)
        self.first = self.last = 0
        self.tail = b""

    def read(self):
        """Reads all available events."""
        data = self.connection.socket.recv(1 << 16)
        assert data, "a stream ended"
        text = self.tail + data
        end = 0
        for match in EVENT.finditer(text):
            revision, end = int(match[1]), match.end()
            assert revision > self.last, f"revision {revision} after {self.last}"
            self.first = self.first or revision
            self.last = revision
        self.tail = text[max(end, len(text) - 64) :]


def write(port, stop):
    """Changes the display as fast as possible."""
    with Connection(port) as connection:
        step = 0
        while not stop.is_set():
            step = step % 100 + 1
            connection.send(request(port, "PUT", "/v1/brightness", body=b'{"raw":%d}' % step))
            connection.response()


def test_clients_that_connect_during_changes_get_the_current_value(daemon, client):
    """Every stream begins at a revision no older than one that GET returned before the connect, and ends on the final one."""
    stop = threading.Event()
    writer = threading.Thread(target=write, args=(daemon.port, stop))
    writer.start()
    watchers = []
    with selectors.DefaultSelector() as selector, Connection(daemon.port) as reader:

        def read(within):
            for key, _ in selector.select(within):
                key.data.read()

        try:
            for _ in range(STREAMS):
                reader.send(request(daemon.port, "GET", "/v1/brightness"))
                known = reader.response().json["revision"]
                watcher = Watcher(daemon.port)
                watcher.known = known
                watchers.append(watcher)
                selector.register(watcher.connection.socket, selectors.EVENT_READ, watcher)
                if len(watchers) % 50 == 0:
                    read(0)
        finally:
            stop.set()
            writer.join()
        with Client(daemon) as last:
            final = last.set(0.123)["revision"]
        deadline = time.monotonic() + TIMEOUT
        while any(watcher.last != final for watcher in watchers):
            read(0.1)
            assert time.monotonic() < deadline, f"{sum(watcher.last != final for watcher in watchers)} are behind"
    stale = [(watcher.first, watcher.known) for watcher in watchers if watcher.first < watcher.known]
    for watcher in watchers:
        watcher.connection.socket.close()
    assert not stale
    assert final > STREAMS / 10, "hardly anything changed during the test"


def boosts(daemon):
    """The holders of the leases that a new stream begins with."""
    held = []
    with Stream(daemon.port, "/v1/events?types=state,boost") as stream:
        while (event := stream.next()).name == "boost":
            held.append(event.data["lease"]["holder"])
    return held


def test_leases_that_ended_without_a_stream_are_not_reported(daemon, client):
    client.boost(holder="before")
    assert boosts(daemon) == ["before"]
    client.post("/v1/restore", json={"holder": "before"})
    client.boost(holder="short")
    client.post("/v1/restore", json={"holder": "short"})
    client.boost(holder="after")
    assert boosts(daemon) == ["after"]


def test_a_long_poll_without_any_stream_is_notified(daemon, client):
    etag = client.etag
    with Stream(daemon.port) as stream:
        stream.next("state")
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(client.get, "/v1/displays/simulated?wait=20", headers={"If-None-Match": etag})
        while not answer.done():
            client.patch("/v1/brightness", json={"delta": 0.01})
        assert answer.result().status_code == 200
