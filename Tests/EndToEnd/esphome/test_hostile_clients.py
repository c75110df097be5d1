# SPDX-License-Identifier: Apache-2.0
"""Bytes that no ESPHome client sends."""

import os
import socket
import time

import pytest

from support import esphome
from support.esphome import KEY, Home
from support.ports import free_port
from support.until import TIMEOUT, until

HELLO = b"\0\0\1"
LIMIT = 32
"""`ClientLimits.limit`."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("key")


@pytest.fixture
def ports():
    return {"plain": free_port(), "encrypted": free_port()}


@pytest.fixture
def daemons(start, ports, folder):
    return {
        "plain": start(*esphome.options(ports["plain"])),
        "encrypted": start(*esphome.options(ports["encrypted"], folder)),
    }


def exchange(port, *parts, within=TIMEOUT):
    """Sends bytes and returns everything until the server's end."""
    with socket.create_connection(("127.0.0.1", port), timeout=within) as connection:
        answer = b""
        try:
            for part in parts:
                connection.sendall(part)
            while received := connection.recv(65_536):
                answer += received
        except ConnectionError:
            pass
        return answer


def serves(port, key):
    async def talk():
        async with Home(port, key) as home:
            await home.light(True, None)

    esphome.run(talk())


@pytest.mark.parametrize(
    "junk",
    [
        b"\0\x80\x80\x80\x80\x08\x07",
        b"\0" + b"\xff" * 1_000,
        b"\0\0\xff\xff\xff\xff",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        HELLO + b"\0\x02\x20\x08\x80",
        b"\0\0\x0b",
        b"\x01\xff\xff",
        os.urandom(4_096),
    ],
)
def test_junk_ends_the_connection_at_once(daemons, ports, junk):
    for form, port in ports.items():
        exchange(port, junk + b"\0" * 100)
        serves(port, KEY if form == "encrypted" else None)
        assert daemons[form].process.poll() is None


def test_a_plain_client_at_an_encrypted_server_learns_it(daemons, ports):
    assert exchange(ports["encrypted"], HELLO) == b"\x01\x00\x13\x01Bad indicator byte"


def test_a_wrong_key_is_answered_after_the_hello(daemons, ports):
    answer = exchange(ports["encrypted"], b"\x01\0\0", b"\x01\0\x31\0" + os.urandom(48))
    assert answer.endswith(b"\x01\0\x16\x01Handshake MAC failure")


def test_slow_handshakes_do_not_keep_others_out(daemons, ports):
    """More connections than there is room, none of which says hello."""
    for form, port in ports.items():
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(2 * LIMIT)]
        try:
            for connection in slow[::2]:
                connection.send(b"\x01" if form == "encrypted" else b"\0")
            serves(port, KEY if form == "encrypted" else None)
        finally:
            for connection in slow:
                connection.close()


def test_a_connection_without_a_hello_ends(daemons, ports):
    start = time.monotonic()
    assert exchange(ports["plain"], b"\0") == b""
    assert time.monotonic() - start > 5


def test_many_requests_that_are_not_read_cost_no_memory(daemons, ports):
    daemon, port = daemons["plain"], ports["plain"]
    serves(port, None)
    before = daemon.resident
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(HELLO)
        connection.settimeout(1)
        request = b"\0\0\x09\0\0\x0b" * 1_000
        sent = 0
        try:
            while sent < 50_000_000:
                sent += connection.send(request)
        except TimeoutError:
            pass
        assert sent < 50_000_000, "the server reads on although nobody reads its answers"
        serves(port, None)
        assert daemon.resident - before < 16_000_000
    until(lambda: daemon.process.poll() is None, "it runs")


def test_connections_that_come_and_go_leave_nothing(daemons, ports):
    daemon, port = daemons["encrypted"], ports["encrypted"]
    serves(port, KEY)
    before = daemon.sockets
    for _ in range(500):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.send(b"\x01\0\0\x01")
    serves(port, KEY)
    until(lambda: daemon.sockets <= before, "its sockets are closed")
