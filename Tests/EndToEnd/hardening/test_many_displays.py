# SPDX-License-Identifier: Apache-2.0
"""Commands for 10,000 displays delay no other client of the same shard."""

import json
import multiprocessing
import os
import time

import pytest

from support.daemon import BINARY
from support.latency import Probe
from support.wire import Connection, request

RELEASE = os.environ.get("BRIGHTNESSD_RELEASE") or BINARY
DISPLAYS = int(os.environ.get("BRIGHTNESSD_BUILDING", "10000"))
LONGEST_WAIT = 0.05
# For the answer: 16 KiB a display.
MOST_MEMORY = DISPLAYS << 14
COMMANDS = {
    "brightness": ("PUT", "/v1/displays/all/brightness", b'{"percent":60}'),
    "boost": ("POST", "/v1/displays/all/boost", b'{"ttl":1,"holder":"h"}'),
    "power": ("PUT", "/v1/displays/all/power", b'{"on":false}'),
    "restore": ("POST", "/v1/displays/all/restore", b"{}"),
}


@pytest.fixture
def many(start):
    names = [word for number in range(DISPLAYS) for word in ("--display", f"simulated:display-{number}")]
    return start("--shards", "1", "--state-directory", "none", *names, binary=RELEASE, timeout=300)


def ask_during(probe, act):
    """Asks `/livez` while another process acts: here its bytes would take time from the probe."""
    other = multiprocessing.get_context("fork").Process(target=act)
    other.start()
    end = time.monotonic() + 3
    while other.is_alive() or time.monotonic() < end:
        probe.ask()
        time.sleep(0.001)
    other.join()
    assert other.exitcode == 0


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "with a viewer"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_for_all_displays(many, name, watched):
    method, path, body = COMMANDS[name]
    viewer = Connection(many.port, receive_buffer=4_096)
    if watched:
        viewer.send(request(many.port, "GET", "/v1/events"))
        assert viewer.head().status == 200
        # Its first batch is everything.
        time.sleep(1)

    def command():
        with Connection(many.port) as client:
            for _ in range(3):
                answer = client.request(method, path, None, body)
                assert answer.status in (200, 207)
                assert len(json.loads(answer.body)["results"]) == DISPLAYS

    probe = Probe(many)
    ask_during(probe, command)
    probe.check(f"{name} of {DISPLAYS} displays{' with a viewer' if watched else ''}", LONGEST_WAIT, MOST_MEMORY)
    viewer.socket.close()
