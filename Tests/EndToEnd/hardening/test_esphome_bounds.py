# SPDX-License-Identifier: Apache-2.0
"""The cost of hostile ESPHome clients: they are closed with the right error, and memory and `/livez` stay bounded."""

import os
import time

import pytest

from support import esphome
from support.daemon import BINARY
from support.esphome import KEY, Home
from support.esphome_bytes import HELLO, PING, PONG, EncryptedClient, connect, everything, plain, sealed
from support.latency import Probe
from support.ports import free_port
from support.until import until

RELEASE = os.environ.get("BRIGHTNESSD_RELEASE") or BINARY
SECONDS = 5
LIMIT = 32
"""`ESPHomeServer.limit`."""
CROWD = 1_000
HUGE = b"\0\x80\x80\x80\x80\x08\x07"
"""A frame of 2³¹ bytes."""
ENDLESS = b"\0" + b"\xff" * 4_096
BAD_INDICATOR = sealed(b"\1Bad indicator byte")


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def plain_daemon(start, port):
    return start("--shards", "1", *esphome.options(port), binary=RELEASE)


@pytest.fixture
def encrypted_daemon(start, port, tmp_path):
    return start("--shards", "1", *esphome.options(port, tmp_path), binary=RELEASE)


def serves(port, key=None):
    async def talk():
        async with Home(port, key) as home:
            await home.light(True, None)

    esphome.run(talk())


def attack(name, daemon, port, data, expected):
    """Sends bytes again and again, each on a connection of its own; each is closed with the expected bytes."""
    probe = Probe(daemon)
    end = time.monotonic() + SECONDS
    count = 0
    while time.monotonic() < end:
        with connect(port) as connection:
            try:
                connection.sendall(data)
            except ConnectionError:
                pass
            answer = everything(connection)
            # A reset may take the answer with it where more bytes follow.
            assert answer == expected or (answer == b"" and len(data) > 1_000), answer
        probe.ask()
        count += 1
    probe.check(f"{name} ({count} connections)")


@pytest.mark.parametrize("data", [HUGE, ENDLESS, plain(HELLO) + HUGE], ids=["2^31 bytes", "a varint without an end", "after the hello"])
def test_lengths_cost_nothing_without_encryption(plain_daemon, port, data):
    with connect(port) as connection:
        connection.sendall(plain(HELLO))
        greeting = connection.recv(4_096)
    attack("lengths", plain_daemon, port, data, greeting if data.startswith(plain(HELLO)) else b"")
    serves(port)


@pytest.mark.parametrize("data", [HUGE, ENDLESS, plain(HELLO)], ids=["2^31 bytes", "a varint without an end", "a plain hello"])
def test_plain_bytes_at_an_encrypted_server_are_explained(encrypted_daemon, port, data):
    attack("plain bytes", encrypted_daemon, port, data, BAD_INDICATOR)
    serves(port, KEY)


def test_a_handshake_that_is_too_long_is_explained(encrypted_daemon, port):
    with connect(port) as connection:
        connection.sendall(sealed(b""))
        greeting = connection.recv(4_096)
    too_long = sealed(b"") + b"\1\xff\xff"
    attack("handshakes", encrypted_daemon, port, too_long, greeting + sealed(b"\1Packet too large"))
    serves(port, KEY)


@pytest.mark.parametrize("order", [[0, 0], [1, 0], [0, 2], [0, 1, 0]], ids=["repeated", "reordered", "left out", "repeated later"])
def test_ciphertext_is_accepted_once_and_in_order(encrypted_daemon, port, order):
    probe = Probe(encrypted_daemon)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with EncryptedClient(port, KEY) as client:
            client.socket.sendall(client.seal(HELLO))
            client.receive()
            frames = [client.seal(PING) for _ in range(3)]
            accepted = 0
            while accepted < len(order) and order[accepted] == accepted:
                client.socket.sendall(frames[order[accepted]])
                assert client.receive() == PONG
                accepted += 1
            client.socket.sendall(frames[order[accepted]])
            assert client.rest() == b"", "an established connection ends without an answer"
        probe.ask()
    probe.check("ciphertext")
    serves(port, KEY)


def test_ciphertext_of_another_connection_is_rejected(encrypted_daemon, port):
    with EncryptedClient(port, KEY) as first, EncryptedClient(port, KEY) as second:
        second.socket.sendall(first.seal(HELLO))
        assert second.rest() == b""
    serves(port, KEY)


@pytest.mark.parametrize("form", ["plain", "encrypted"])
def test_a_thousand_connections_with_slow_handshakes(start, port, tmp_path, form):
    """They send a byte a second. A client that says hello gets its place, and each of the others ends."""
    daemon = start("--shards", "1", *esphome.options(port, tmp_path if form == "encrypted" else None), binary=RELEASE)
    key = KEY if form == "encrypted" else None
    serves(port, key)
    probe = Probe(daemon)
    before = daemon.sockets
    slow = [connect(port) for _ in range(CROWD)]
    try:
        handshake = iter(sealed(b"") + sealed(b"\0" + bytes(48)) if key else plain(HELLO, bytes(100)))
        for _ in range(SECONDS):
            byte = bytes([next(handshake)])
            for connection in slow:
                try:
                    connection.send(byte)
                except ConnectionError:
                    pass
            probe.ask()
            assert daemon.sockets <= before + LIMIT + 2, "it keeps at most as many as it has room for"
            serves(port, key)
            time.sleep(1)
        probe.check(f"slow handshakes ({form})")
        until(lambda: daemon.sockets <= before, "each of them is closed after ten seconds", 30)
    finally:
        for connection in slow:
            connection.close()
    serves(port, key)
