# SPDX-License-Identifier: Apache-2.0
"""A building of simulated displays at one broker and its gateway: 200 in `make test`, 10,000 in `make fleet`."""

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest

from support.arrivals import Arrivals
from support.broker import TIMEOUT, Broker
from support.building import EACH, Building, await_all
from support.events import Stream
from support.until import until

DISPLAYS = int(os.environ.get("BRIGHTNESSD_BUILDING", "200"))
CHANGES = max(200, DISPLAYS // 2)
RATE = 1_000
"""Changes per second."""
PEER = os.environ.get("BRIGHTNESSD_PEER")
"""The program mqtt-minimal, whose cost is measured for comparison."""
TURNS = 3 if PEER else 1


@pytest.fixture
def broker(tmp_path):
    """A broker that drops no retained message, however many a newcomer gets."""
    broker = Broker(tmp_path, "allow_anonymous true", "max_queued_messages 1000000")
    yield broker
    broker.stop()


def times(process):
    """The processor time of a process in user space and in the kernel, in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:13]]


def spent(process):
    return sum(times(process))


def await_rest(process):
    """Waits until the process has read all retained messages, and works no more."""

    def rests():
        before = spent(process)
        time.sleep(0.3)
        return spent(process) - before < 0.02

    until(rests, f"process {process.pid} rests")


def publish_changes(building, process, port, first):
    """Publishes changes whose reasons are numbers from `first` on, until a client of the process has them all.

    Returns the processor time of the process for each in microseconds.
    """
    published = {}
    with Arrivals(port, first + CHANGES - 1) as arrivals:
        await_rest(process)
        before, begin = times(process), time.monotonic()
        for change in range(CHANGES):
            time.sleep(max(0, begin + change / RATE - time.monotonic()))
            published[first + change] = time.monotonic()
            building.change("building", change * 7 % DISPLAYS, change % 100 / 100, str(first + change))
        arrived = arrivals.result(TIMEOUT)
    # The client first got the state of every display, as earlier changes left it.
    delays = sorted(arrived[change] - published[change] for change in published)
    user, kernel = ((now - then) / CHANGES * 1e6 for now, then in zip(times(process), before))
    print(f"{CHANGES} changes: {user + kernel:.0f} us of CPU each ({kernel:.0f} in the kernel); from publishing to the "
          f"client: the middle one {delays[len(delays) // 2] * 1e3:.1f} ms, 99 % within "
          f"{delays[len(delays) * 99 // 100] * 1e3:.1f} ms")
    return user + kernel


@contextmanager
def peer(broker):
    """The program and its port."""
    with subprocess.Popen([PEER, str(broker.port), "building/#"], stdout=subprocess.PIPE) as process:
        yield process, int(process.stdout.readline())
        process.kill()


def mirror(start, broker, prefix, count):
    """A gateway that mirrors every node of the prefix, and the processor time until a client had all displays."""
    begin = time.monotonic()
    url = broker.url(f"gateway-of-{prefix}", prefix="gateways")
    gateway = start("--display", "none", "--state-directory", "none", "--mqtt", url, "--mirror", f"{prefix}/+")
    with Stream(gateway.port, "/v1/events?types=state", validates=False) as stream:
        await_all(stream, count)
    print(f"{count} displays: a client has them after {time.monotonic() - begin:.1f} s and {spent(gateway):.2f} s of CPU")
    return gateway, spent(gateway)


@pytest.mark.timeout(600)
def test_a_building_is_mirrored_and_its_changes_arrive(start, broker, connect):
    empty = start("--state-directory", "none")
    state = connect(empty).state
    with Building(broker, state) as building:
        building.move_in("quarter", DISPLAYS // 4)
        building.move_in("building", DISPLAYS)
        _, few = mirror(start, broker, "quarter", DISPLAYS // 4)
        gateway, many = mirror(start, broker, "building", DISPLAYS)
        client = connect(gateway)
        # Work that grew with the displays already there would make it 16 times as much.
        assert many < 8 * few + 0.2
        await_rest(gateway)
        print(f"{(gateway.resident - empty.resident) / DISPLAYS / 1_024:.1f} KiB of memory a display")

        costs = [publish_changes(building, gateway, gateway.port, CHANGES * turn) for turn in range(TURNS)]
        final = {change * 7 % DISPLAYS: change % 100 / 100 for change in range(CHANGES)}
        shown = {display["id"]: display["brightness"] for display in client.get("/v1/displays").json()["displays"]}
        for number, brightness in final.items():
            node, display = divmod(number, EACH)
            assert shown[f"{node}:panel{display}"] == pytest.approx(brightness, abs=0.02), number

        if PEER:
            gateway.stop()
            with peer(broker) as (process, port):
                least = [publish_changes(building, process, port, CHANGES * (TURNS + turn)) for turn in range(TURNS)]
            print(f"a change costs {median(costs) / median(least):.2f} times what it costs mqtt-minimal")
