# SPDX-License-Identifier: Apache-2.0
"""A broker that knows MQTT 3.1.1 and nothing newer: enough of it to accept states."""

import queue
import socket
import threading

CONNECT, PUBLISH, SUBSCRIBE = 1, 3, 8


class OldBroker:
    """Listens on `port`. `levels` gets the protocol level of each client, `published` what is published.

    - retained: topics and payloads that a client gets as soon as it subscribes to something.
    """

    def __init__(self):
        self.levels, self.published, self.retained = queue.Queue(), queue.Queue(), []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def stop(self):
        self._listener.close()

    def _serve(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client, client.makefile("rb") as stream:
                try:
                    self._speak(client, stream)
                except (EOFError, OSError):
                    pass

    def _speak(self, client, stream):
        left = list(self.retained)
        while True:
            kind, body = self._packet(stream)
            if kind >> 4 == CONNECT:
                level = body[6]
                self.levels.put(level)
                # MQTT 3.1.1, section 3.1.2.2.
                client.sendall(bytes([0x20, 2, 0, 0 if level == 4 else 1]))
                if level != 4:
                    return
            elif kind >> 4 == SUBSCRIBE:
                client.sendall(bytes([0x90, 3]) + body[:2] + b"\x01")
                while left:
                    client.sendall(self._retained(*left.pop(0)))
            elif kind >> 4 == PUBLISH:
                size = int.from_bytes(body[:2], "big")
                self.published.put((body[2 : 2 + size].decode(), body[4 + size :].decode()))
                client.sendall(bytes([0x40, 2]) + body[2 + size : 4 + size])

    @staticmethod
    def _retained(topic, payload):
        """A PUBLISH of QoS 0, section 3.3."""
        body = len(topic).to_bytes(2, "big") + topic.encode() + payload
        length, left = bytearray(), len(body)
        while left >= 128:
            length.append(left % 128 | 128)
            left //= 128
        return bytes([0x31, *length, left]) + body

    @staticmethod
    def _packet(stream):
        def byte():
            read = stream.read(1)
            if not read:
                raise EOFError
            return read[0]

        kind, length, shift = byte(), 0, 0
        while True:
            digit = byte()
            length |= (digit & 127) << shift
            shift += 7
            if digit < 128:
                return kind, stream.read(length)
