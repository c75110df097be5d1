# SPDX-License-Identifier: Apache-2.0
"""Bytes at the ESPHome server: frames as a client sends them, and sockets that send any others."""

import base64
import socket

from noise.connection import NoiseConnection

from .until import TIMEOUT

HELLO, PING, PONG = 1, 7, 8
NAME = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"


def plain(kind, body=b""):
    """A frame that is not encrypted, shorter than 128 bytes."""
    return bytes([0, len(body), kind]) + body


def sealed(data):
    """A frame with encrypted bytes."""
    return b"\1" + len(data).to_bytes(2, "big") + data


def connect(port, within=TIMEOUT):
    return socket.create_connection(("127.0.0.1", port), timeout=within)


def everything(connection):
    """The bytes until the server's end."""
    answer = b""
    try:
        while received := connection.recv(65_536):
            answer += received
    except ConnectionError:
        pass
    return answer


class EncryptedClient:
    """A client after its handshake, whose frames the test makes and sends itself."""

    def __init__(self, port, key):
        self.socket = connect(port)
        self._input = self.socket.makefile("rb")
        self.socket.sendall(sealed(b""))
        self._frame()
        self._noise = NoiseConnection.from_name(NAME)
        self._noise.set_as_initiator()
        self._noise.set_psks(base64.b64decode(key))
        self._noise.set_prologue(b"NoiseAPIInit\0\0")
        self._noise.start_handshake()
        self.socket.sendall(sealed(b"\0" + self._noise.write_message()))
        answer = self._frame()
        assert answer[:1] == b"\0", answer
        self._noise.read_message(answer[1:])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._input.close()
        self.socket.close()

    def _frame(self):
        head = self._input.read(3)
        return self._input.read(int.from_bytes(head[1:], "big"))

    def seal(self, kind, body=b""):
        """The next frame. The server accepts it once, and after the earlier ones only."""
        head = kind.to_bytes(2, "big") + len(body).to_bytes(2, "big")
        return sealed(self._noise.encrypt(head + body))

    def receive(self):
        """The type of the next message."""
        return int.from_bytes(self._noise.decrypt(self._frame())[:2], "big")

    def rest(self):
        """The bytes until the server's end."""
        return self._input.read()
