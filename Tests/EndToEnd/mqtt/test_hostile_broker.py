# SPDX-License-Identifier: Apache-2.0
"""Hostile or limited brokers: huge retained messages, and messages that the broker rejects."""

import json

import httpx

from support.broker import TIMEOUT, Broker, MQTTClient, result, retained
from support.events import Stream
from support.old_broker import OldBroker
from support.relay import Relay
from support.until import until

MEBIBYTE = 1 << 20
STATE = {
    "id": "z",
    "name": "Panel",
    "kind": "backlight",
    "brightness": 0.5,
    "baseline": 0.5,
    "raw": {"value": 50, "maximum": 100},
    "percent": 50,
    "power": {"on": None, "baseline": True, "switchable": False},
    "boost": None,
    "dim": None,
    "wake": None,
    "sleep": None,
    "limitedBy": [],
    "auto": {"enabled": False, "heldUntil": None, "waiting": None},
    "available": True,
    "unavailable": None,
    "tags": [],
    "cause": {"kind": "api", "by": None, "principal": None, "reason": None, "at": "2026-11-21T06:00:00.000Z"},
    "revision": 1,
}


def readiness(daemon):
    return httpx.get(f"{daemon.url}/readyz", verify=False, timeout=TIMEOUT).json()["mqtt"]


def displays(daemon):
    """The displays that a daemon lists, by id."""
    answer = httpx.get(f"{daemon.url}/v1/displays", verify=False, timeout=TIMEOUT).json()
    return {state["id"]: state for state in answer["displays"]}


def test_retained_messages_of_20_megabytes_cost_no_memory(start, broker):
    with MQTTClient(broker) as somebody:
        somebody.publish("b/x/y/state", "[" + "0," * 10_000_000 + "0]", retain=True)
        somebody.publish("b/x/z/state", STATE, retain=True)
        components = {f"k{number}": {"platform": "light", "q": number} for number in range(200_000)}
        somebody.publish("homeassistant/device/b_edge/config", {"components": components}, retain=True)
        daemon = start("--mqtt", broker.url("edge"), "--mirror", "b/+")
        until(lambda: "x:z" in displays(daemon), "the other display is shown")
        result(somebody.ask("b/edge/simulated/boost", {}), "Lease")
        assert daemon.resident < 80 * MEBIBYTE
        assert "x:y" not in displays(daemon)
        config = retained(broker, "homeassistant/device/b_edge/config", lambda message: "k1" not in message.json["components"])
        assert len(config.text) < 16_384


def test_a_message_over_the_maximum_packet_size_is_ignored(start):
    broker = OldBroker()
    broker.retained = [("b/x/y/state", b"[" + b"0," * MEBIBYTE + b"0]"), ("b/x/z/state", json.dumps(STATE).encode())]
    daemon = start("--mqtt", f"mqtt://127.0.0.1:{broker.port}/b?node=edge", "--mirror", "b/+")
    daemon.line(r"MQTT: ignoring a message of 2097155 bytes at b/x/y/state")
    until(lambda: "x:z" in displays(daemon), "the other display is shown")
    assert daemon.resident < 80 * MEBIBYTE
    broker.stop()


def test_a_message_that_the_broker_rejects_ends_no_connection(start, tmp_path):
    """The configuration for Home Assistant is some 10 KB here."""
    broker = Broker(tmp_path, "allow_anonymous true", "max_packet_size 8000")
    panels = [f"simulated:panel{number}" for number in range(5)]
    daemon = start("--mqtt", broker.url(), *(word for panel in panels for word in ("--display", panel)))
    with MQTTClient(broker, "b/#") as subscriber:
        daemon.line("MQTT: connected")
        state = result(subscriber.ask("b/lobby/panel3/set", {"percent": 70}))
        assert subscriber.on("b/lobby/panel3/state", lambda message: message.json["percent"] == 70).json == state
        for number in range(5):
            retained(broker, f"b/lobby/panel{number}/state")
        health = readiness(daemon)
        assert health["state"] == "connected"
        assert "homeassistant/device/b_lobby/config failed: the broker accepts no message of" in health["detail"]
        assert not any("the connection was lost" in line for line in daemon.lines if line)
    broker.stop()


def test_a_display_that_was_removed_during_an_outage_is_withdrawn(start, broker):
    relay = Relay(broker.port)
    url = f"mqtt://127.0.0.1:{relay.port}/b?node=edge"
    with MQTTClient(broker) as hall:
        hall.publish("b/hall/status", "online", retain=True)
        for name in ("x", "y"):
            hall.publish(f"b/hall/{name}/state", STATE, retain=True)
        hall.publish("b/gone/z/state", STATE, retain=True)
        edge = start("--mqtt", url, "--mirror", "b/+", "--display", "none")
        until(lambda: displays(edge).keys() == {"hall:x", "hall:y", "gone:z"}, "they are shown")
        relay.cut()
        until(lambda: not any(state["available"] for state in displays(edge).values()), "it is noticed")
        hall.publish("b/hall/x/state", "", retain=True)
        with Stream(edge.port, "/v1/events?types=display") as stream:
            relay.heal()
            event = stream.next("display", lambda event: event.data["change"] == "removed")
            assert event.data["id"] == "hall:x"
        assert displays(edge).keys() == {"hall:y", "gone:z"}
        assert displays(edge)["hall:y"]["available"]
        assert httpx.get(f"{edge.url}/v1/displays/hall:x", verify=False, timeout=TIMEOUT).status_code == 404
    relay.stop()
