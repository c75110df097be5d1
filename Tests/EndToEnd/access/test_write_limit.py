# SPDX-License-Identifier: Apache-2.0
"""The write rate limit. Unit tests cover its timing; these exceed a minute's worth of writes."""

import re

from support.remote import Remote
from support.until import until
from support.wire import Connection

SLOW = ("--limit", "writes=1")
"""A burst of two, and one write per second."""
MANY = 200
"""More writes than the rate allows in the time that sending them takes."""
PUT = ("PUT", "/v1/brightness", None, b'{"percent":60}')


def writes(daemon, count, headers=None, **options):
    method, path, _, body = PUT
    with Connection(daemon.port, **options) as connection:
        return [connection.request(method, path, headers, body) for _ in range(count)]


def assert_refused(answers):
    """Some writes were carried out, others rejected as documented."""
    assert {answer.status for answer in answers} == {200, 429}
    assert answers[0].status == 200
    for answer in answers:
        assert answer.headers["ratelimit-policy"] == '"writes";q=2;w=2'
        left = int(re.fullmatch(r'"writes";r=(\d+);t=[12]', answer.headers["ratelimit"])[1])
        if answer.status == 429:
            assert left == 0 and int(answer.headers["retry-after"]) >= 1
            assert answer.json["type"] == "/problems/rate-limited"


def test_loopback_has_no_default_limit(daemon):
    answers = writes(daemon, MANY)
    assert {answer.status for answer in answers} == {200}
    assert not any("ratelimit" in answer.headers for answer in answers)


def test_writes_over_the_limit_are_429_and_accepted_soon_after(start):
    daemon = start(*SLOW)
    assert_refused(writes(daemon, MANY))
    with Connection(daemon.port) as connection:
        assert connection.request("GET", "/v1/brightness").status == 200
        until(lambda: connection.request(*PUT).status == 200, "it may write again")
    assert writes(daemon, 1, source="127.0.0.2")[0].status == 200, "another address is another client"


def test_calls_over_a_websocket_count_and_the_last_value_is_carried_out(start):
    daemon = start(*SLOW)
    with Remote(daemon, validates=False) as remote:
        for number in range(MANY):
            call = {"jsonrpc": "2.0", "method": "set", "id": number, "params": {"percent": 77 if number == MANY - 1 else 60}}
            remote.send(call)
        answers = {answer["id"]: answer for answer in (remote.answer() for _ in range(MANY))}
        refused = [answer["error"]["data"] for answer in answers.values() if "error" in answer]
        assert 0 < len(refused) < MANY
        assert {problem["type"] for problem in refused} == {"/problems/rate-limited"}
        assert answers[MANY - 1]["result"]["percent"] == 77
    assert_refused([*writes(daemon, MANY, source="127.0.0.2")])
