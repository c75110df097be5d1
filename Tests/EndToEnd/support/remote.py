# SPDX-License-Identifier: Apache-2.0
"""WebSockets: an ordinary client, and one that sends any bytes. Both hold every message against asyncapi.yaml."""

import itertools
import json
import os
import struct

import websockets.sync.client

from . import contract, messages
from .until import TIMEOUT
from .wire import Connection, request

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
HANDSHAKE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": KEY}
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

TARGET = "/v1/ws?types=state,boost,display"
"""The default subscription of tests, without the light, which changes at any time."""


class Remote:
    """Calls over a WebSocket, by PyPI's `websockets`.

    - validates: whether what comes is held against the document, which takes time.
    """

    def __init__(self, daemon, target=TARGET, validates=True, **options):
        url = f"ws://127.0.0.1:{daemon.port}{target}"
        self._connection = websockets.sync.client.connect(url, compression=None, proxy=None, open_timeout=TIMEOUT, **options)
        self.socket = self._connection.__enter__()
        self.events = []
        self._validates = validates
        self._ids = itertools.count(1)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._connection.__exit__(*error)

    def send(self, value):
        """Sends anything as JSON."""
        self.socket.send(json.dumps(value))

    def receive(self, method=None, timeout=TIMEOUT):
        """The next message, which must be a documented event or a documented answer to `method`."""
        value = json.loads(self.socket.recv(timeout))
        if not self._validates:
            return value
        if isinstance(value, dict) and "method" in value:
            messages.validate_event(value)
        else:
            for answer in value if isinstance(value, list) else [value]:
                messages.validate_answer(answer, method)
        return value

    def answer(self, method=None):
        """The next answer. Events on the way are kept."""
        while "method" in (value := self.receive(method)):
            self.events.append(value)
        return value

    def ask(self, method, **params):
        """Calls, and returns the whole answer."""
        call = {"jsonrpc": "2.0", "method": method, "id": next(self._ids)} | ({"params": params} if params else {})
        self.send(call)
        answer = self.answer(method)
        assert answer["id"] == call["id"]
        if "result" in answer:
            messages.validate(method, call)
        return answer

    def call(self, method, **params):
        """Calls, and returns the result."""
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def refusal(self, method, **params):
        """Calls in vain: the code, and the problem document."""
        answer = self.ask(method, **params)
        assert "error" in answer, answer
        return answer["error"]["code"], answer["error"]["data"]

    def event(self, method=None, where=lambda params: True, timeout=TIMEOUT):
        """The params of the next event (of this method, for which `where` holds). Others are passed over, and without a
        method those of the light, health, room, local day and default display, which change when they like.
        """
        while True:
            value = self.events.pop(0) if self.events else self.receive(timeout=timeout)
            if "method" not in value or method not in (None, value["method"]):
                continue
            if (method or value["method"] not in ("ambient", "health", "simulator", "default", "day", "synced")) and where(value["params"]):
                return value["params"]


def frame(head, payload=b"", masked=True):
    """A frame as clients send it; `head` is its first byte."""
    length = len(payload)
    size = (
        bytes([length])
        if length < 126
        else b"\x7e" + struct.pack(">H", length)
        if length < 1 << 16
        else b"\x7f" + struct.pack(">Q", length)
    )
    if not masked:
        return bytes([head]) + size + payload
    mask = os.urandom(4)
    payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes([head, size[0] | 0x80]) + size[1:] + mask + payload


def text(value):
    """A call in one frame."""
    return frame(0x80 | TEXT, value if isinstance(value, bytes) else json.dumps(value).encode())


def call(method, id=1, **params):
    return {"jsonrpc": "2.0", "method": method, "params": params, "id": id}


SYNCED = b'{"jsonrpc":"2.0","method":"synced","params":{}}'


class RawSocket(Connection):
    """A WebSocket on a bare socket. Frames that are not exactly what a server may send fail."""

    def __init__(self, daemon, target=TARGET, early=b"", headers=None, **options):
        super().__init__(daemon.port, **options)
        self.send(request(daemon.port, "GET", target, HANDSHAKE | (headers or {})) + early)
        head = self.head()
        contract.check("GET", target, head.status, head.headers)
        assert head.status == 101, head
        assert head.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        assert head.headers.keys() == {"connection", "upgrade", "sec-websocket-accept", "date"}, head.headers

    def frame(self):
        """The next frame: opcode and payload. The end of a beginning is passed over."""
        got = self._frame()
        return self._frame() if got == (TEXT, SYNCED) else got

    def _frame(self):
        first, second = self.take(2)
        assert first & 0xF0 == 0x80, "fragmented, or a reserved bit"
        assert second < 128, "masked"
        length = second
        if second == 126:
            [length] = struct.unpack(">H", self.take(2))
        if second == 127:
            [length] = struct.unpack(">Q", self.take(8))
        opcode, payload = first & 0x0F, self.take(length)
        assert opcode in (TEXT, CLOSE, PING, PONG), opcode
        return opcode, payload

    def message(self):
        """The next text message; a ping on the way is answered."""
        while (got := self.frame())[0] == PING:
            self.send(frame(0x80 | PONG, got[1]))
        opcode, payload = got
        assert opcode == TEXT, got
        value = json.loads(payload)
        if "method" in value:
            messages.validate_event(value)
        return value

    def answer(self):
        """The next message that is not an event."""
        while "method" in (value := self.message()):
            pass
        return value

    def close_code(self):
        """Passes over messages up to the close frame, after which nothing comes but the end; its code."""
        while (got := self.frame())[0] != CLOSE:
            pass
        self.assert_closed()
        return struct.unpack(">H", got[1])[0] if got[1] else None
