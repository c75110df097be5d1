# SPDX-License-Identifier: Apache-2.0
"""The event stream, parsed strictly: a block of another form than the documented one fails the test."""

import json
import re
from dataclasses import dataclass

from . import contract
from .wire import Connection, request

BLOCK = re.compile(
    r"retry: (?P<retry>[1-9]\d*)"
    r"|: (?P<comment>[^\n]*)"
    r"|event: (?P<name>[a-z]+)(?:\nid: (?P<id>[0-9a-f]{8}-\d+))?\ndata: (?P<data>\{[^\n]*\})"
)
DEFAULT_NAMES = ("state", "boost", "dim", "wake", "sleep", "display", "reset")
"""The events that tests wait for by default. The others may come at any time."""


@dataclass
class Event:
    """A parsed block: an event, a `retry` (its data is the number) or a `comment` (its data is the text)."""

    name: str
    id: str | None
    data: object

    @property
    def revision(self):
        return self.data["revision"]


def parse(block, validates=True):
    """Parses a block without its empty line. Raises `AssertionError` for an invalid block."""
    match = BLOCK.fullmatch(block.decode("utf-8"))
    assert match, block
    if match["retry"]:
        return Event("retry", None, int(match["retry"]))
    if match["comment"] is not None:
        return Event("comment", None, match["comment"])
    event = Event(match["name"], match["id"], json.loads(match["data"]))
    if validates:
        contract.validate(contract.EVENTS[event.name], event.data)
    if event.name == "state":
        assert event.id and event.id.endswith(f"-{event.revision}"), event
    else:
        assert event.id is None, event
    return event


class Stream:
    """An open event stream.

    - validates: whether the data is held against the contract, which takes time.
    - options: of `Connection`.
    """

    def __init__(self, port, target="/v1/events", headers=None, version="1.1", validates=True, **options):
        self.connection = Connection(port, **options)
        self.connection.send(request(port, "GET", target, headers, version=version))
        self.head = self.connection.head()
        assert self.head.status == 200, self.head
        contract.check("GET", target, self.head.status, self.head.headers)
        # It receives changes from its first bytes on, which come after its head.
        while not self.connection.buffer:
            assert self.connection.fill(), "the stream ended before its beginning"
        self.is_chunked = "transfer-encoding" in self.head.headers
        self._validates = validates
        self._events = self._read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.socket.close()

    def _blocks(self):
        if self.is_chunked:
            for chunk in self.connection.chunks():
                assert chunk.endswith(b"\n\n"), f"a chunk is not a whole block: {chunk}"
                yield from chunk[:-2].split(b"\n\n")
            return
        while self.connection.buffer or self.connection.fill():
            yield self.connection.take_line(b"\n\n")

    def _read(self):
        revision = 0
        for block in self._blocks():
            event = parse(block, self._validates)
            if event.name == "reset":
                revision = 0
            if event.name == "state":
                assert event.revision > revision, f"revision {event.revision} after {revision}"
                revision = event.revision
            yield event

    def next(self, name=None, where=lambda event: True):
        """The next event with this name for which `where` holds; without a name, one of DEFAULT_NAMES. Skips others."""
        for event in self._events:
            is_meant = event.name == name if name else event.name in DEFAULT_NAMES
            if is_meant and where(event):
                return event
        raise AssertionError(f"the stream ended before {name or 'an event'}")

    def block(self):
        """The next block, whatever it is."""
        return next(self._events)

    def rest(self):
        """All blocks up to the proper end of the body."""
        return list(self._events)
