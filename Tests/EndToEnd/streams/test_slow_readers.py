# SPDX-License-Identifier: Apache-2.0
"""A client that stops reading gets the newest state, costs no memory, and delays no other client."""

import json

import pytest

from support.events import Stream
from support.remote import CLOSE, PING, PONG, RawSocket, Remote, call, frame, text
from support.wire import Connection, request

CHANGES, STALLED = 10_000, 4_000
MEBIBYTE = 1 << 20
REASON = b"x" * 256
GET = call("get")


def change(connection, count, first=0, reason=b""):
    """Makes this many changes one after the other, in pipelined requests. Returns the last revision."""
    for begin in range(first, first + count, 100):
        bodies = [
            b'{"raw":%d%s}' % (1 + number % 100, reason and b',"reason":"%s"' % reason)
            for number in range(begin, min(begin + 100, first + count))
        ]
        connection.send(b"".join(request(connection.port, "PUT", "/v1/brightness", body=body) for body in bodies))
        answers = [connection.response() for _ in bodies]
        assert {answer.status for answer in answers} == {200}
    return answers[-1].json["revision"]


class Reader(Stream):
    """A stream of states that checks the number of skipped events against the revisions."""

    def __init__(self, daemon, **options):
        super().__init__(daemon.port, "/v1/events?types=state", validates=False, **options)
        self.last = self.next("state")
        self.count = 1
        self.skipped = 0

    def read_to(self, revision):
        """Reads up to this revision."""
        while self.last.revision < revision:
            event = self.next("state")
            skipped = event.data.get("skipped", 0)
            assert skipped <= event.revision - self.last.revision - 1, (self.last, event)
            self.skipped += skipped
            self.last = event
            self.count += 1
        assert self.last.revision == revision


def test_an_event_stream_that_stops_reading_gets_the_newest_state(start):
    daemon = start("--shards", "1")
    with Connection(daemon.port) as writer, Reader(daemon) as healthy:
        # The history and the journal reach their size within some thousand changes.
        for _ in range(CHANGES // 100):
            healthy.read_to(change(writer, 100, reason=REASON))
        stalled = Reader(daemon, receive_buffer=4096)
        # Few enough for the time after which a busy machine's daemon closes a stream that is not read.
        for _ in range(STALLED // 100):
            newest = change(writer, 100, reason=REASON)
            healthy.read_to(newest)

        stalled.read_to(newest)
        # The kernel's buffers have taken some megabytes.
        assert stalled.skipped

        stalled.read_to(change(writer, 100))
        stalled.connection.socket.close()


def test_a_stalled_client_gets_every_lease_in_force(start, connect):
    """Leases are not conflated with each other: a slow client receives every active lease."""
    daemon = start()
    client = connect(daemon)
    with Connection(daemon.port) as writer, Stream(daemon.port, receive_buffer=4096) as stalled:
        stalled.next("state")
        change(writer, 1_500)
        leases = {client.boost(holder=f"kiosk-{number}")["id"] for number in range(20)}
        newest = change(writer, 1_500)
        granted = set()
        while True:
            event = stalled.next()
            if event.name == "boost":
                granted.add(event.data["lease"]["id"])
            elif event.revision >= newest:
                break
        while granted < leases:
            granted.add(stalled.next("boost").data["lease"]["id"])
        assert granted == leases


def test_a_websocket_that_stops_reading_gets_the_newest_state(start):
    """It includes the number of skipped events. Frames stay whole, and control frames come between them."""
    daemon = start("--shards", "1")
    with (
        Connection(daemon.port) as writer,
        RawSocket(daemon, receive_buffer=4096) as ws,
        Remote(daemon, validates=False) as healthy,
    ):
        first = ws.message()["params"]["revision"]
        # Few enough for the time after which a busy machine's daemon closes a WebSocket that is not read.
        for number in range(1_200):
            newest = change(writer, 1, reason=REASON, first=number)
            healthy.event(where=lambda params: params["revision"] == newest)
        ws.send(frame(0x80 | PING, b"still here") + text(call("get", id="late")))
        seen, skipped, answers = [first], 0, []
        while seen[-1] < newest or len(answers) < 2:
            opcode, payload = ws.frame()
            if opcode == PONG:
                assert payload == b"still here"
                answers.append(PONG)
                continue
            if opcode == PING:
                ws.send(frame(0x80 | PONG, payload))
                continue
            value = json.loads(payload)
            if "result" in value:
                answers.append(value["id"])
                continue
            seen.append(value["params"]["revision"])
            skipped += value["params"].get("skipped", 0)
        assert answers == [PONG, "late"]
        assert seen == sorted(set(seen))
        assert len(seen) < 1_000 and skipped + len(seen) - 1 == newest - first
        ws.send(frame(0x80 | CLOSE))
        assert ws.close_code() is None


def test_the_daemon_stops_reading_from_a_client_that_reads_no_answers(start):
    """Otherwise a client could make the daemon store answers without limit."""
    daemon = start("--shards", "1")
    with RawSocket(daemon, receive_buffer=4096) as ws:
        ws.message()
        ws.socket.settimeout(1)
        before = daemon.resident
        sent = 0
        with pytest.raises(TimeoutError):
            while sent < 100 << 20:
                ws.send(text(GET) * 500)
                sent += 1
        assert daemon.resident - before < 4 << 20
