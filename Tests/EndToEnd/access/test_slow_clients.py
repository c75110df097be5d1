# SPDX-License-Identifier: Apache-2.0
"""Slow clients: heads, bodies and reads each have a deadline, also if bytes arrive steadily."""

import threading
import time

from support.events import Stream
from support.until import TIMEOUT, until
from support.wire import Connection, parse_head, request



class Trickle(threading.Thread):
    """Sends a byte per second until the daemon closes the connection; `answer` is its response."""

    def __init__(self, connection, begin):
        super().__init__(daemon=True)
        self.connection = connection
        self.answer = None
        connection.socket.settimeout(1)
        connection.send(begin)
        self.start()

    def run(self):
        deadline = time.monotonic() + 2 * TIMEOUT
        while time.monotonic() < deadline:
            self.connection.send_anyway(b"x")
            try:
                if not self.connection.fill():
                    break
            except TimeoutError:
                continue
            except ConnectionResetError:
                break
        if self.connection.at_end or self.connection.buffer:
            self.answer = self.connection.buffer


def body(port):
    return request(port, "PUT", "/v1/brightness", {"Content-Length": "1000", "Content-Type": "application/json"})


def test_slow_clients_are_closed_at_their_deadline(start, connect):
    """All at the same time as an idle keep-alive client, a stream, and a client that sends normal requests."""
    daemon = start("--shards", "1")
    client = connect(daemon)
    client.set(0.5)
    silent = Connection(daemon.port)
    assert silent.request("GET", "/livez").status == 200
    again = Connection(daemon.port)
    assert again.request("GET", "/livez").status == 200
    stream = Stream(daemon.port)
    before = daemon.sockets

    # Does not read its answers, of which there are more than the kernel has room for.
    greedy = Connection(daemon.port, receive_buffer=2048)
    greedy.send(request(daemon.port, "GET", "/openapi.yaml") * 100)
    field = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
    slow = {
        "field": Trickle(Connection(daemon.port), field),
        "line": Trickle(Connection(daemon.port), b"GET /livez"),
        "again": Trickle(again, field),
        "body": Trickle(Connection(daemon.port), body(daemon.port)),
    }
    with Connection(daemon.port) as nothing:
        nothing.assert_closed()
    assert silent.request("GET", "/livez").status == 200
    while any(trickle.is_alive() for trickle in slow.values()):
        assert client.get("/livez").status_code == 200
        time.sleep(0.2)
    for name, trickle in slow.items():
        head, _, text = (trickle.answer or b"").partition(b"\r\n\r\n")
        answer = parse_head(head)
        assert (name, answer.status, answer.closes) == (name, 408, True)
        assert b"/problems/request-timeout" in text
    until(lambda: daemon.sockets < before, "all of them are gone, the greedy one too")

    # By now more than half a minute is over for it.
    stream.next("state")
    client.set(0.7)
    stream.next("state", lambda event: event.data["brightness"] == 0.7)
    for connection in [silent, greedy, stream.connection, *[trickle.connection for trickle in slow.values()]]:
        connection.socket.close()
