# SPDX-License-Identifier: Apache-2.0
"""Many daemons at one broker: 5 in `make test`, 200 in `make fleet`."""

import os
import time
from collections import Counter

import pytest

from support.broker import TIMEOUT, MQTTClient
from support.until import until

NODES = int(os.environ.get("BRIGHTNESSD_FLEET", "5"))


class FleetObserver(MQTTClient):
    """Records when each node was first online."""

    def __init__(self, broker):
        self.came = {}
        super().__init__(broker, "b/+/status", "b/+/simulated/state")

    def _take(self, client, user, message):
        if message.topic.endswith("/status") and message.payload == b"online":
            self.came.setdefault(message.topic, time.monotonic())
        super()._take(client, user, message)

    def boosted(self):
        states = [topic for topic in list(self.latest) if topic.endswith("/state")]
        return sum(bool(self.says(topic, "boost")) for topic in states)


@pytest.mark.timeout(900)
def test_one_message_boosts_a_fleet_and_all_reconnect(start, broker):
    options = ["--shards", "1", "--state-directory", "none"]
    for number in range(NODES):
        start("--mqtt", broker.url(f"n{number}"), *options)

    with FleetObserver(broker) as observer:
        until(lambda: len(observer.came) == NODES, "all are online", within=4 * TIMEOUT)
        states = lambda: sum(topic.endswith("/state") for topic in list(observer.latest))  # noqa: E731
        until(lambda: states() == NODES, "all report a state")
        begin = time.monotonic()
        observer.publish("b/all/all/boost", {"holder": "fire-drill"})
        until(lambda: observer.boosted() == NODES, "all are boosted")
        print(f"{NODES} nodes: one message boosted them all, and they said so, within {time.monotonic() - begin:.2f} s")

    broker.kill()
    broker.start()
    begin = time.monotonic()
    with FleetObserver(broker) as observer:
        until(lambda: len(observer.came) == NODES, "all are back", within=4 * TIMEOUT)
        until(lambda: observer.boosted() == NODES, "all report the boost", within=4 * TIMEOUT)
        after = sorted(came - begin for came in observer.came.values())
    busiest = max(Counter(int(moment * 5) for moment in after).values())
    print(
        f"the broker was started again: back from {after[0]:.2f} to {after[-1]:.2f} s after it, "
        f"at most {busiest} within 0.2 s"
    )
    if NODES >= 50:
        assert busiest < NODES / 2, "they came all at once"
