# SPDX-License-Identifier: Apache-2.0
"""The cost of hostile clients: 300 displays, and 200 clients that request the maximum and read nothing."""

import os
import time

import pytest

from support.daemon import BINARY
from support.events import Stream
from support.latency import Probe
from support.remote import RawSocket, frame
from support.wire import Connection, request

RELEASE = os.environ.get("BRIGHTNESSD_RELEASE") or BINARY
DISPLAYS = 300
CLIENTS = 200
SECONDS = 10
RECEIVE_BUFFER = 4_096
"""So that what clients do not take stays with the daemon, and not in the kernel."""
MESSAGE = 4_096


def call(method, params):
    return b'{"jsonrpc":"2.0","method":"%s","params":%s,"id":1}' % (method, params)


def singles(one):
    """4 KiB of messages with a call each."""
    return frame(0x81, one) * (MESSAGE // (len(one) + 8))


GET_ALL = call(b"get", b'{"display":"all"}')
SUBSCRIBE = call(b"subscribe", b"{}")
SET_ALL = call(b"set", b'{"display":"all","percent":50}')
ATTACKS = {
    "calls of get": singles(GET_ALL),
    "calls of subscribe": singles(SUBSCRIBE),
    "calls of set": singles(SET_ALL),
    "pings": frame(0x89, b"x" * 100) * (MESSAGE // 106),
}


@pytest.fixture
def many(start):
    """A daemon with many displays and one shard, and a connection that it answers without load."""
    names = [word for number in range(DISPLAYS) for word in ("--display", f"simulated:display-{number}")]
    return start("--shards", "1", *names, binary=RELEASE, timeout=60)


def attack(name, probe, act):
    """Has `act` called again and again while `/livez` is asked; what that cost must be within the bounds."""

    def acts(end):
        while time.monotonic() < end:
            yield act()

    measure(name, probe, acts(time.monotonic() + SECONDS))


def measure(name, probe, acts):
    """Asks `/livez` after each of `acts`; what they cost must be within the bounds."""
    for _ in acts:
        probe.ask()
        time.sleep(0.002)
    probe.check(name)


def press(connections, message):
    """Sends as much as the daemon reads. A client that it has disconnected does not reconnect."""

    def act():
        for connection in connections:
            try:
                connection.socket.send(message)
            except (BlockingIOError, ConnectionError):
                pass

    return act


@pytest.mark.parametrize("name", ATTACKS)
def test_web_sockets_that_take_nothing(many, name):
    probe = Probe(many)
    silent = [RawSocket(many, "/v1/ws", receive_buffer=RECEIVE_BUFFER) for _ in range(CLIENTS)]
    for one in silent:
        one.socket.setblocking(False)
    attack(name, probe, press(silent, ATTACKS[name]))
    for one in silent:
        one.socket.close()


def test_streams_that_take_nothing_while_everything_changes(many):
    probe = Probe(many)
    silent = [Connection(many.port, receive_buffer=RECEIVE_BUFFER) for _ in range(CLIENTS)]
    for number, one in enumerate(silent):
        one.send(request(many.port, "GET", f"/v1/events?holder=h{number}"))
    percent = iter(range(1_000_000))

    def change():
        body = b'{"percent":%d}' % (next(percent) % 101)
        assert probe.connection.request("PUT", "/v1/displays/all/brightness", None, body).status == 200

    attack("event streams", probe, change)
    for one in silent:
        one.socket.close()


def test_requests_for_everything_at_the_same_moment(many):
    """Each connection asks the dearest things there are, many at once, and takes little of the answers."""
    probe = Probe(many)
    body = b'{"percent":50}'
    dear = [
        request(many.port, "PUT", "/v1/displays/all/brightness", None, body),
        request(many.port, "POST", "/v1/displays/all/boost", None, b'{"ttl":5}'),
        request(many.port, "GET", "/v1/displays"),
        request(many.port, "GET", "/metrics"),
    ]
    clients = [Connection(many.port, receive_buffer=RECEIVE_BUFFER) for _ in range(CLIENTS)]
    for one in clients:
        one.socket.setblocking(False)
    attack("requests", probe, press(clients, b"".join(dear)))
    for one in clients:
        one.socket.close()


@pytest.mark.timeout(600)
def test_filters_of_streams_that_come_and_go(many):
    """20,000 different filters, and then an event."""
    probe = Probe(many)
    wave = 200

    def waves():
        for first in range(0, 20_000, wave):
            streams = [Connection(many.port) for _ in range(wave)]
            for number, one in enumerate(streams):
                one.send(request(many.port, "GET", f"/v1/events?types=state&display=x{first + number}*"))
            for one in streams:
                assert one.head().status == 200
                one.socket.close()
            yield

    measure("filters", probe, waves())
    with Stream(many.port, "/v1/events?types=state&display=display-7") as stream:
        stream.next("state")
        body = b'{"percent":77}'
        assert probe.connection.request("PUT", "/v1/displays/display-7/brightness", None, body).status == 200
        stream.next("state", lambda event: event.data["percent"] == 77)


def test_costly_reads_at_the_same_moment(many):
    """200 connections that ask for the leases and properties of all displays, and take little of the answers."""
    probe = Probe(many)
    for number in range(8):
        body = b'{"holder":"h%d","ttl":600}' % number
        assert probe.connection.request("POST", "/v1/displays/all/boost", None, body).status in (200, 207)
    probe.begin()
    paths = ["/v1/displays/all/leases", "/v1/displays/all/power", "/v1/displays/all/auto", "/v1/displays/display-1/leases"]
    costly = b"".join(request(many.port, "GET", path) for path in paths)
    clients = [Connection(many.port, receive_buffer=RECEIVE_BUFFER) for _ in range(CLIENTS)]
    for one in clients:
        one.socket.setblocking(False)
    attack("costly reads", probe, press(clients, costly))
    for one in clients:
        one.socket.close()


def test_scrapes_at_the_same_moment(many):
    probe = Probe(many)

    def scrapes():
        for _ in range(10):
            clients = [Connection(many.port) for _ in range(40)]
            for one in clients:
                one.send(request(many.port, "GET", "/metrics"))
            yield
            for one in clients:
                assert one.head().status == 200
                one.socket.close()

    measure("scrapes", probe, scrapes())
