# SPDX-License-Identifier: Apache-2.0
"""Clients that connect, get one event and leave cost nothing that lasts. `make soak` has 200,000 of them."""

import os

import pytest

from support.emulation import native
from support.until import until
from support.wire import Connection, request

COUNT = int(os.environ.get("BRIGHTNESSD_SOAK") or 5_000)
MEBIBYTE = 1 << 20

HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def visit(daemon, number):
    """Connects, receives the first event and goes: three in four from a stream, most with a reset."""
    connection = Connection(daemon.port, source=f"127.0.0.{1 + number % 8}")
    if number % 4:
        connection.send(request(daemon.port, "GET", "/v1/events"))
    else:
        connection.send(request(daemon.port, "GET", "/v1/ws", HANDSHAKE))
    while b'"revision":' not in connection.buffer:
        assert connection.fill(), connection.buffer
    if number % 16 == 5:
        connection.socket.close()
    else:
        connection.reset()


@native("the memory is mostly the emulator's")
@pytest.mark.timeout(120 + COUNT // 50)
def test_clients_that_left_cost_neither_descriptors_nor_memory(start):
    daemon = start("--shards", "2")
    before = len(os.listdir(f"/proc/{daemon.pid}/fd"))

    def visits(numbers):
        for number in numbers:
            visit(daemon, number)
        # libdispatch opens a timer and its own event queue when it first needs them, which may be after the start.
        until(lambda: len(os.listdir(f"/proc/{daemon.pid}/fd")) <= before + 4, "every descriptor is closed")
        return daemon.resident

    settled = visits(range(COUNT // 5))
    grown = visits(range(COUNT)) - settled
    # A hundred bytes lost with each of 5,000 would show; of many more, ten.
    assert grown < MEBIBYTE // 2 + 10 * COUNT, f"{grown} bytes more after {COUNT} clients"
