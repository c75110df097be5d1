# SPDX-License-Identifier: Apache-2.0
"""Requests as bytes, right and wrong, also such as two servers would read differently: what the corpus says becomes of each."""

import select

import pytest

from support.raw_requests import CASES, STATUS, probes, statuses
from support.wire import Connection

FRAGMENTS = [case for case in CASES if case.is_fragment]
TIMEOUT = 30


def read_probes(client):
    return probes(client.get("/v1/displays/simulated/boosts").json())


def read_to_the_end(connection):
    """All that comes until the connection ends."""
    try:
        while connection.fill():
            pass
    except ConnectionResetError:
        pass
    return connection.buffer


def test_the_corpus_is_whole():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert sum(case.of == "h1spec" for case in CASES) == 33
    assert {case.of for case in CASES} == {"h1spec", "smuggling", "ours"}


def test_what_is_not_over_is_waited_for(daemon):
    connections = [Connection(daemon.port, timeout=TIMEOUT) for _ in FRAGMENTS]
    for connection, case in zip(connections, FRAGMENTS):
        connection.send(case.data)
    # Whatever there was to say would be said by then; a slow machine only makes this less strict.
    readable, _, _ = select.select([connection.socket for connection in connections], [], [], 0.5)
    assert not readable
    for connection, case in zip(connections, FRAGMENTS):
        connection.send(case.rest)
        assert connection.response("GET", "/livez").status == 200, case
        connection.socket.close()


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_fragment], ids=lambda case: case.name)
def test_what_becomes_of_it(daemon, client, case):
    before = client.state
    with Connection(daemon.port, timeout=TIMEOUT) as connection:
        connection.send_anyway(case.data + case.probe)
        if case.answer in ("served", "kept"):
            answer = connection.response()
            if answer.status == 100:
                answer = connection.response()
            assert answer.status == case.status if case.status else 200 <= answer.status < 300, answer
            if case.probe:
                assert connection.response().status in (200, 201), "the request behind it is served"
        elif case.answer == "split":
            assert all(400 <= connection.response().status < 500 for _ in range(2))
        elif case.answer == "refused":
            answer = connection.response()
            assert (answer.status, answer.closes) == (case.status, True), answer
            assert answer.headers["content-type"] == "application/problem+json"
            connection.assert_closed()
        else:
            received = read_to_the_end(connection)
            assert all(status >= b"400" for status in STATUS.findall(received)), received
            assert not received or received.startswith(b"HTTP/1."), received
            # A page of libmicrohttpd's own is a whole answer, too.
            assert case.gap or len(statuses(received)) <= 1, received
    if case.answer in ("refused", "ended", "split"):
        assert client.state == before
    assert read_probes(client) == ({case.name} if case.answer in ("served", "kept") and case.probe else set())
