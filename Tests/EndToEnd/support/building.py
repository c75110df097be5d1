# SPDX-License-Identifier: Apache-2.0
"""Daemons with displays that exist only as retained messages at a broker. They answer no command."""

import json

import paho.mqtt.client as mqtt

from .broker import TIMEOUT, end

EACH = 10
"""The displays of a node."""
CAPABILITIES = {
    "version": "1",
    "epoch": "0123abcd",
    "leases": ["boost", "dim", "wake", "sleep"],
    "power": True,
    "displays": True,
    "principals": True,
}


class Building:
    """Publishes, retained, what daemons with displays like `state` publish."""

    def __init__(self, broker, state):
        self._state = state
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.max_inflight_messages_set(1_000)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self._client)

    def _publish(self, topic, document):
        payload = document if isinstance(document, str) else json.dumps(document, separators=(",", ":"))
        return self._client.publish(topic, payload, 1, retain=True)

    def move_in(self, prefix, count):
        for number in range(count):
            node, display = divmod(number, EACH)
            if display == 0:
                self._publish(f"{prefix}/{node}/capabilities", CAPABILITIES)
                self._publish(f"{prefix}/{node}/status", "online")
            own = {"display": f"panel{display}"}
            self._publish(f"{prefix}/{node}/panel{display}/leases", own | {"leases": []})
            last = self.change(prefix, number, 0.5, "moved in")
        last.wait_for_publish(TIMEOUT)

    def change(self, prefix, number, brightness, reason):
        node, display = divmod(number, EACH)
        cause = self._state["cause"] | {"reason": reason}
        state = {"id": f"panel{display}", "name": f"Panel {display}", "brightness": brightness, "cause": cause}
        return self._publish(f"{prefix}/{node}/panel{display}/state", self._state | state)


def await_all(stream, count):
    """Reads until every display was available once."""
    seen = set()
    while len(seen) < count:
        state = stream.next("state").data
        if state["available"]:
            seen.add(state["id"])
