# SPDX-License-Identifier: Apache-2.0
"""Many daemons at one broker: 5 in `make test`, 200 in `make fleet`."""

import os
import time
from collections import Counter

import pytest

from support.broker import TIMEOUT, MQTTClient
from support.until import until

NODES = int(os.environ.get("BRIGHTNESSD_FLEET", "5"))


class Ear(MQTTClient):
    """Notes when each node was first heard to be online."""

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
def test_a_fleet(start, broker):
    options = ["--shards", "1", "--state-directory", "none"]
    for number in range(NODES):
        start("--mqtt", broker.url(f"n{number}"), *options)

    with Ear(broker) as ear:
        until(lambda: len(ear.came) == NODES, "all are online", within=4 * TIMEOUT)
        until(lambda: sum(topic.endswith("/state") for topic in list(ear.latest)) == NODES, "all tell", within=TIMEOUT)
        begin = time.monotonic()
        ear.publish("b/all/all/boost", {"holder": "fire-drill"})
        until(lambda: ear.boosted() == NODES, "all are boosted", within=TIMEOUT)
        print(f"{NODES} nodes: one message boosted them all, and they said so, within {time.monotonic() - begin:.2f} s")

    broker.kill()
    broker.start()
    begin = time.monotonic()
    with Ear(broker) as ear:
        until(lambda: len(ear.came) == NODES, "all are back", within=4 * TIMEOUT)
        until(lambda: ear.boosted() == NODES, "all tell what is so", within=4 * TIMEOUT)
        after = sorted(came - begin for came in ear.came.values())
    busiest = max(Counter(int(moment * 5) for moment in after).values())
    print(
        f"the broker was started again: back from {after[0]:.2f} to {after[-1]:.2f} s after it, "
        f"at most {busiest} within 0.2 s"
    )
    if NODES >= 50:
        assert busiest < NODES / 2, "they came all at once"
