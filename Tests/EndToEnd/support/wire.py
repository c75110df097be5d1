# SPDX-License-Identifier: Apache-2.0
"""HTTP/1 on a bare socket: sends any bytes, and reads answers more strictly than any client would."""

import json
import re
import socket
import struct
from dataclasses import dataclass

from . import contract
from .until import TIMEOUT

STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d) [\x20-\x7e]*")
FIELD_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\x20-\x7e]*)")

RESULT = {"Prefer": "wait=20"}
"""Of a change: a busy machine needs longer for its result than the daemon waits by default."""


@dataclass
class Response:
    status: int
    headers: dict
    body: bytes = b""

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def closes(self):
        return self.headers.get("connection", "").lower() == "close"


def parse_head(head):
    """Status and fields of a response head without its last empty line. Names become lowercase."""
    lines = head.split(b"\r\n")
    status = STATUS_LINE.fullmatch(lines[0])
    assert status, lines[0]
    headers = {}
    for line in lines[1:]:
        field = FIELD_LINE.fullmatch(line)
        assert field, line
        name = field[1].decode().lower()
        assert name not in headers or name == "vary", f"{name} twice"
        headers[name] = ", ".join(filter(None, [headers.get(name), field[2].decode().strip()]))
    assert not ("content-length" in headers and "transfer-encoding" in headers), headers
    return Response(int(status[1]), headers)


class Connection:
    """One TCP connection, from the address `source`. Every read has a deadline of `timeout` seconds."""

    def __init__(self, port, receive_buffer=None, timeout=TIMEOUT, host="127.0.0.1", source=None):
        self.port = port
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect((host, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.at_end = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def send_anyway(self, data):
        """Sends as much as the peer takes: it may refuse before it has seen all."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def reset(self):
        """Ends the connection with RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def fill(self):
        """Reads more into the buffer; false at the end of the stream."""
        data = self.socket.recv(1 << 16)
        self.buffer += data
        self.at_end = not data
        return bool(data)

    def take(self, count):
        while len(self.buffer) < count:
            assert self.fill(), f"the connection ended early: {self.buffer!r}"
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def take_line(self, end=b"\r\n"):
        while end not in self.buffer:
            assert self.fill(), f"the connection ended early: {self.buffer!r}"
        line, self.buffer = self.buffer.split(end, 1)
        return line

    def chunks(self):
        """The chunks of a chunked body, up to the last one; asserts that the body ends properly."""
        while size := int(self.take_line(), 16):
            chunk = self.take(size)
            assert self.take(2) == b"\r\n"
            yield chunk
        assert self.take(2) == b"\r\n", "trailers"

    def head(self):
        """The head of the next response."""
        return parse_head(self.take_line(b"\r\n\r\n"))

    def response(self, method="GET", target=None):
        """The next response, whole. With a `target` it is held against the contract."""
        response = self.head()
        if method == "HEAD" or response.status in (204, 304) or response.status < 200:
            pass
        elif response.headers.get("transfer-encoding") == "chunked":
            response.body = b"".join(self.chunks())
        elif "content-length" in response.headers:
            response.body = self.take(int(response.headers["content-length"]))
        else:
            while self.fill():
                pass
            response.body, self.buffer = self.buffer, b""
        if target is not None:
            contract.check(method, target, response.status, response.headers, response.body)
        return response

    def request(self, method, target, headers=None, body=None):
        """Sends a request, reads its answer and holds it against the contract."""
        self.send(request(self.port, method, target, headers, body))
        return self.response(method, target)

    def assert_closed(self):
        """Nothing more comes, and the connection ends."""
        try:
            more = self.fill()
        except ConnectionResetError:
            more = False
        assert not more and not self.buffer, self.buffer


def request(port, method, target, headers=None, body=None, version="1.1"):
    """The bytes of a request. `headers` may replace `Host`; a value of `None` leaves the field out."""
    fields = {"Host": f"127.0.0.1:{port}"} | (RESULT if method in ("PUT", "PATCH", "POST", "DELETE") else {})
    if body is not None:
        fields |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    fields |= headers or {}
    lines = [f"{method} {target} HTTP/{version}"]
    lines += [f"{name}: {value}" for name, value in fields.items() if value is not None]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")
