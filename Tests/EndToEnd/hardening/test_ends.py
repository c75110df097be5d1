# SPDX-License-Identifier: Apache-2.0
"""The end of a daemon, many times: asked to end under a thousand streams, and killed under five thousand clients."""

import json
import os
import re
import selectors
import socket
import time

import pytest

from support.daemon import Daemon
from support.wire import Connection, request

ROUNDS = int(os.environ.get("HARDENING_ROUNDS") or 200)
STREAMS = 1_000
CLIENTS = 5_000


@pytest.mark.timeout(3_600)
def test_a_clean_end_each_time(tmp_path):
    """No stream is cut off: each has its last chunk. (A round has its own daemon, on the same state.)"""
    for _ in range(ROUNDS):
        daemon = Daemon("--shards", "2", "--limit", "streams=none", "--state-directory", tmp_path)
        streams = [Connection(daemon.port) for _ in range(STREAMS)]
        for stream in streams:
            stream.send(request(daemon.port, "GET", "/v1/events?types=state"))
        for stream in streams:
            while b'"revision":' not in stream.buffer:
                assert stream.fill(), stream.buffer
        daemon.terminate()
        for stream in streams:
            while stream.fill():
                pass
            assert stream.buffer.endswith(b"0\r\n\r\n"), stream.buffer[-100:]
            stream.socket.close()
        daemon.ended(within=30)


class Viewer:
    """Behaves like an EventSource: a client that loses its stream waits for the time in `retry` and reconnects."""

    def __init__(self, selector, port, number):
        self.selector, self.port = selector, port
        # No address may have all the streams.
        self.source = f"127.0.0.{1 + number % 50}"
        self.retry = 2.0
        self.revisions = []
        self.due = 0.0
        self.socket = None

    def connect(self):
        self.buffer = b""
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.bind((self.source, 0))
        self.socket.connect_ex(("127.0.0.1", self.port))
        self.selector.register(self.socket, selectors.EVENT_WRITE, self)

    def lose(self, now):
        self.selector.unregister(self.socket)
        self.socket.close()
        self.socket = None
        self.due = now + self.retry

    def handle(self, mask, now):
        try:
            if mask & selectors.EVENT_WRITE:
                self.socket.sendall(request(self.port, "GET", "/v1/events?types=state"))
                self.selector.modify(self.socket, selectors.EVENT_READ, self)
                return
            data = self.socket.recv(65_536)
        except OSError:
            return self.lose(now)
        if not data:
            return self.lose(now)
        self.buffer += data
        if found := re.search(rb"retry: (\d+)", self.buffer):
            self.retry = int(found[1]) / 1_000
        if found := re.search(rb"data: (\{.*\})\n", self.buffer):
            self.revisions.append(json.loads(found[1])["revision"])
            self.buffer = b""


def test_everybody_is_back_after_a_kill(start, tmp_path):
    options = ("--shards", "2", "--limit", "streams=none", "--state-directory", tmp_path)
    daemon = start(*options)
    port = daemon.port
    selector = selectors.DefaultSelector()
    viewers = [Viewer(selector, port, number) for number in range(CLIENTS)]

    def until(all_have):
        """Returns when all viewers have received this many states."""
        begun = time.monotonic()
        while any(len(viewer.revisions) < all_have for viewer in viewers):
            now = time.monotonic()
            for viewer in viewers:
                if viewer.socket is None and viewer.due <= now:
                    viewer.connect()
            for key, mask in selector.select(0.05):
                key.data.handle(mask, now)
        return time.monotonic() - begun

    until(1)
    longest = max(viewer.retry for viewer in viewers)
    daemon.kill()
    daemon = start("--listen", f"127.0.0.1:{port}", *options)
    took = until(2)
    print(f"{CLIENTS} viewers are back {took:.1f} s after the start; the longest retry was {longest:.1f} s")
    # A client that reconnects too early is rejected at most once more.
    assert took < 2 * longest + 10
    for viewer in viewers:
        viewer.socket.close()
