# SPDX-License-Identifier: Apache-2.0
"""The corpus of raw requests: corpus/raw_requests.toml says what is in it."""

import ctypes
import re
import tomllib
import zlib
from dataclasses import dataclass
from pathlib import Path

from .emulation import EMULATED_ROOT

FILE = Path(__file__).resolve().parents[1] / "corpus" / "raw_requests.toml"
WHOLE = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
"""The request whose beginnings are the fragments."""
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)[ \r]")


@dataclass(frozen=True)
class Case:
    name: str
    of: str
    data: bytes
    answer: str
    status: int | None = None
    is_alone: bool = False
    gap: str | None = None

    @property
    def is_fragment(self):
        return self.answer == "waits"

    @property
    def is_simple(self):
        """Whether it is a request of HTTP/0.9, whose answer is a body alone."""
        return re.match(rb"GET [^ \r\n]+ ?\r\n", self.data) is not None

    @property
    def rest(self):
        """The bytes that complete a fragment."""
        assert WHOLE.startswith(self.data)
        return WHOLE[len(self.data) :]

    @property
    def mark(self):
        """Its name, as a holder may be called."""
        return self.name.encode().hex()

    @property
    def target(self):
        """A target of its own, for the boosts of the simulated display: which letters are encoded depends on its name."""
        bits = zlib.crc32(self.name.encode())
        path = ""
        for letter in "/v1/displays/simulated/boost":
            if letter != "/":
                path, bits = path + (f"%{ord(letter):02X}" if bits & 1 else letter), bits >> 1
            else:
                path += letter
        return path

    @property
    def probe(self):
        """A request to hide behind it. A server that reads it grants a lease to a holder of the case's name."""
        if self.is_alone or self.is_fragment:
            return b""
        body = b'{"holder":"%s","ttl":3600}' % self.mark.encode()
        head = b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n" % self.target.encode()
        return head + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def _is_later():
    """Whether the daemon's libmicrohttpd is 1.0 or newer, which parses more strictly."""
    if EMULATED_ROOT:
        # Another architecture's library cannot be loaded; the version is a text in it.
        (library,) = Path(EMULATED_ROOT).glob("usr/lib/*/libmicrohttpd.so.12")
        return re.search(rb"\0(\d)\.\d+\.\d+\0", library.read_bytes())[1] != b"0"
    library = ctypes.CDLL("libmicrohttpd.so.12")
    library.MHD_get_version.restype = ctypes.c_char_p
    return not library.MHD_get_version().startswith(b"0.")


IS_LATER = _is_later()


def _case(name, of, answer, lines=None, body="", bytes="", status=None, later=None, isAlone=False, gap=None):
    assert {answer, later} <= {None, "waits", "served", "last", "refused", "ended", "kept", "split"}, name
    if later and IS_LATER:
        answer, gap = later, None
    text = "".join(f"{line}\r\n" for line in [*lines, ""]) + body if lines else bytes
    if answer == "refused":
        status = status or 400
    return Case(name, of, text.encode("latin-1"), answer, status, isAlone, gap)


CASES = [_case(**case) for case in tomllib.loads(FILE.read_text())["case"]]


def probes(leases):
    """The names of the cases whose probe was read, by what `GET …/leases` reports; `None` is one that was inside of a body."""
    return {lease["holder"] and bytes.fromhex(lease["holder"]).decode() for lease in leases["leases"]}


def statuses(received):
    """Of all answers in these bytes but 1xx; what looks like one inside of a body is none."""
    found = []
    while answer := STATUS.match(received):
        head, _, received = received.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        if re.search(rb"(?i)\r\ntransfer-encoding: *chunked", head):
            received = received.partition(b"\r\n0\r\n\r\n")[2]
        elif answer[1][:1] != b"1" and answer[1] not in (b"204", b"304"):
            received = received[int(length[1]) :] if length else b""
        if answer[1][:1] != b"1":
            found.append(int(answer[1]))
    assert not received, (found, received)
    return found
