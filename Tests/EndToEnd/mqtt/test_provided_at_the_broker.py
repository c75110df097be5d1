# SPDX-License-Identifier: Apache-2.0
"""A display that a client provides, at the broker: its state, Home Assistant, a gateway, metrics."""

import json

import pytest

from support.broker import MQTTClient, retained
from support.provider import Provider
from support.until import until

PAGE = {"id": "page", "name": "Lobby page", "maximum": 100, "switchable": True, "brightness": 0.8, "on": True}
CONFIG = "homeassistant/device/b_lobby/config"


@pytest.fixture
def node(start, broker):
    daemon = start("--display", "none", "--mqtt", broker.url("lobby"), expects="not connected")
    daemon.line("MQTT: connected")
    return daemon


def test_home_assistant_has_it_until_it_is_withdrawn(node, broker, connect):
    client = connect(node)
    with Provider(node, PAGE) as provider, MQTTClient(broker, "b/#", "homeassistant/#") as home:
        config = retained(broker, CONFIG, lambda message: message.text and "page_light" in message.json["components"])
        light = config.json["components"]["page_light"]
        assert light["brightness"] is True and "page_awake" in config.json["components"]
        home.publish(light["command_topic"], json.dumps({"state": "ON", "brightness": 40}))
        provider.shows(raw=40)
        home.publish(light["command_topic"], json.dumps({"state": "OFF"}))
        provider.shows(on=False)
        until(lambda: client.get("/v1/displays/page").json()["power"]["baseline"] is False, "people want it off")
        state = retained(broker, "b/lobby/page/state", lambda message: message.json["power"]["on"] is False)
        assert (state.json["kind"], state.json["name"]) == ("provided", "Lobby page")
        provider.call("withdraw", display="page")
        home.on("b/lobby/page/state", lambda message: message.text == "")
        # Home Assistant removes a component of which only the platform is left.
        retained(broker, CONFIG, lambda message: message.json["components"]["page_awake"] == {"platform": "switch"})


def test_a_relay_is_a_switch(node, broker):
    with Provider(node, {"id": "relay", "maximum": None, "switchable": True, "on": True}) as provider:
        config = retained(broker, CONFIG, lambda message: message.text and "relay_power" in message.json["components"])
        switch = config.json["components"]["relay_power"]
        assert "relay_light" not in config.json["components"] and "relay_boost" not in config.json["components"]
        with MQTTClient(broker) as home:
            home.publish(switch["command_topic"], switch["payload_off"])
            provider.shows(on=False)


def test_a_gateway_mirrors_it(node, broker, start, connect):
    gateway = start("--display", "none", "--mqtt", broker.url("edge"), "--mirror", "b/+")
    client = connect(gateway)

    def shown():
        return next((one for one in client.get("/v1/displays").json()["displays"] if one["id"] == "lobby:page"), None)

    with Provider(node, PAGE) as provider:
        state = until(lambda: (state := shown()) and state["available"] and state, "it is mirrored")
        assert (state["kind"], state["name"], state["brightness"]) == ("remote", "lobby: Lobby page", 0.8)
        assert client.put("/v1/displays/lobby:page/brightness", json={"brightness": 0.3}).json()["brightness"] == 0.3
        assert provider.applied[-1]["raw"] == 30
    until(lambda: not shown()["available"], "its client is gone")
    problem = client.put("/v1/displays/lobby:page/brightness", json={"brightness": 0.5})
    assert (problem.status_code, problem.json()["type"]) == (503, "/problems/display-unavailable")
    with Provider(node) as provider:
        provider.call("withdraw", display="page")
    until(lambda: shown() is None, "it is withdrawn")


def test_metrics_name_its_kind(node, connect):
    with Provider(node, PAGE):
        line = 'brightnessd_display_info{display="page",kind="provided",name="Lobby page"} 1'
        assert line in connect(node).get("/metrics").text
