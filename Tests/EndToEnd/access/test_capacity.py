# SPDX-License-Identifier: Apache-2.0
"""Clients over the daemon's capacity get 503, the others are served, and no loop spins."""

import os
import signal
import socket
import time
from pathlib import Path

from support.threads import suspend
from support.until import TIMEOUT, until
from support.wire import Connection, parse_head, request

TICKS = os.sysconf("SC_CLK_TCK")


def processor_time(daemon):
    """CPU time of all threads of the process, in seconds."""
    fields = Path(f"/proc/{daemon.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def sleeps(daemon):
    """The number of voluntary context switches of its threads."""
    tasks = Path(f"/proc/{daemon.pid}/task").iterdir()
    lines = [line for task in tasks for line in (task / "status").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def assert_rests(daemon, seconds=2.0):
    """The daemon is idle: far fewer turns than the hundred thousand of a spinning loop."""
    before = processor_time(daemon), sleeps(daemon)
    time.sleep(seconds)
    assert processor_time(daemon) - before[0] < seconds / 4
    assert sleeps(daemon) - before[1] < 500 * seconds


def connect(daemon, data):
    """Returns a connection on which these bytes were sent at once. It may still wait to be accepted."""
    client = socket.create_connection(("127.0.0.1", daemon.port), timeout=TIMEOUT)
    client.sendall(data)
    return client


def read_answer(client):
    """Returns status and fields of the response; None if the connection ends without one."""
    received = b""
    while b"\r\n\r\n" not in received:
        try:
            data = client.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data:
            return None
        received += data
    return parse_head(received.split(b"\r\n\r\n")[0])


def test_a_flood_of_connections_does_not_delay_an_old_one(start):
    """An old connection's request is served before a thousand connections that wait to be accepted with theirs."""
    daemon = start("--shards", "1")
    with Connection(daemon.port) as old:
        old.request("PUT", "/v1/brightness", body=b'{"percent":20}')
        suspend(daemon.process)
        get = request(daemon.port, "GET", "/v1/brightness", {"Connection": "close"})
        crowd = [connect(daemon, get) for _ in range(1_000)]
        old.send(request(daemon.port, "PUT", "/v1/brightness", body=b'{"percent":70}'))
        daemon.process.send_signal(signal.SIGCONT)
        answers = []
        for client in crowd:
            with client, client.makefile("rb") as file:
                answers.append(file.read())
        assert old.response().json["percent"] == 70
    assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
    earlier = sum(b'"percent":20' in answer for answer in answers)
    assert earlier < 500, f"{earlier} of {len(answers)} newcomers were served before"


def test_without_descriptors_streams_are_503_and_accepted_later(start):
    """With a small capacity, further streams get 503 and are accepted when others have ended."""
    daemon = start("--shards", "1", prefix=("prlimit", "--nofile=128:128"))
    streams = []
    while True:
        client = connect(daemon, request(daemon.port, "GET", "/v1/events"))
        head = read_answer(client)
        streams.append(client)
        assert len(streams) < 128
        if head.status != 200:
            break
    assert (head.status, int(head.headers["retry-after"]) > 0) == (503, True)
    assert_rests(daemon)
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/v1/brightness").status == 200
    for client in streams:
        client.close()

    def is_let_in():
        with connect(daemon, request(daemon.port, "GET", "/v1/events")) as client:
            return read_answer(client).status == 200

    until(is_let_in, "the end of streams makes room")


def test_without_descriptors_connections_are_503_after_a_moment(start):
    """Idle connections use every descriptor: a new client gets 503 after a moment, and no loop spins."""
    daemon = start("--shards", "1", prefix=("prlimit", "--nofile=128:128"))
    idle = [connect(daemon, b"") for _ in range(20)]
    head = read_answer(connect(daemon, request(daemon.port, "GET", "/v1/brightness")))
    assert (head.status, int(head.headers["retry-after"]) > 0) == (503, True)
    assert head.headers["content-type"] == "application/problem+json"
    assert_rests(daemon)
    for client in idle:
        client.close()
    until(lambda: is_served(daemon), "the end of idle connections makes room")


def is_served(daemon):
    with connect(daemon, request(daemon.port, "GET", "/v1/brightness")) as client:
        head = read_answer(client)
        return head is not None and head.status == 200
