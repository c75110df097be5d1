# SPDX-License-Identifier: Apache-2.0
"""The cost of commands to daemons that do not answer: 10,000 displays behind a gateway, and 60 commands for all."""

import os
import time
from collections import Counter

import pytest

from support.broker import TIMEOUT, Broker
from support.building import Building, await_all
from support.daemon import BINARY
from support.events import Stream
from support.latency import Probe
from support.wire import Connection, request

RELEASE = os.environ.get("BRIGHTNESSD_RELEASE") or BINARY
DISPLAYS = int(os.environ.get("BRIGHTNESSD_BUILDING", "10000"))
COMMANDS = 60
SECONDS = 10


@pytest.fixture
def broker(tmp_path):
    broker = Broker(tmp_path, "allow_anonymous true", "max_queued_messages 1000000")
    yield broker
    broker.stop()


@pytest.fixture
def gateway(start, broker, connect):
    """A gateway of silent nodes, whose displays are all available."""
    state = connect(start("--state-directory", "none")).state
    with Building(broker, state) as building:
        building.move_in("building", DISPLAYS)
        url = broker.url("gateway", prefix="gateways")
        options = ["--shards", "1", "--display", "none", "--state-directory", "none", "--mirror", "building/+"]
        gateway = start("--mqtt", url, *options, binary=RELEASE, timeout=TIMEOUT)
        with Stream(gateway.port, "/v1/events?types=state", validates=False) as stream:
            await_all(stream, DISPLAYS)
        yield gateway


def test_commands_for_all_to_nodes_that_do_not_answer(gateway):
    probe = Probe(gateway)
    clients = [Connection(gateway.port) for _ in range(COMMANDS)]
    for number, client in enumerate(clients):
        body = b'{"percent":%d}' % number
        client.send(request(gateway.port, "PUT", "/v1/displays/all/brightness", None, body))
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        probe.ask()
        time.sleep(0.002)
    answers = [client.response("PUT", "/v1/displays/all/brightness") for client in clients]
    print(dict(Counter(answer.status for answer in answers)))
    assert {answer.status for answer in answers} == {207, 503}
    assert all("too many commands" in answer.json["detail"].lower() for answer in answers if answer.status == 503)
    probe.check(f"{COMMANDS} commands for {DISPLAYS} displays")
