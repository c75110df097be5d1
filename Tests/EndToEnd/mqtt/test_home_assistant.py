# SPDX-License-Identifier: Apache-2.0
"""Home Assistant: every key of the MQTT device discovery, and the commands of the JSON light."""

import json
import re

import pytest

from support.backlight import Backlight
from support.broker import MQTTClient, retained
from support.until import until

CONFIG = "homeassistant/device/b_lobby/config"
ROOT = {"device", "origin", "qos", "components"}
ANY = {"platform", "unique_id", "default_entity_id", "name"}
AVAILABLE = {"availability", "availability_mode"}
KEYS = {
    "simulated_light": ANY
    | AVAILABLE
    | {"schema", "brightness", "brightness_scale", "supported_color_modes", "state_topic", "command_topic"}
    | {"json_attributes_topic"},
    "simulated_awake": ANY | AVAILABLE | {"command_topic", "state_topic", "value_template", "icon"},
    "simulated_automatic": ANY
    | AVAILABLE
    | {"command_topic", "payload_on", "payload_off", "state_on", "state_off", "state_topic", "value_template", "icon"},
    "simulated_boost": ANY | AVAILABLE | {"command_topic", "payload_press", "icon"},
    "simulated_restore": ANY | AVAILABLE | {"command_topic", "payload_press", "icon"},
    "simulated_boosted": ANY | AVAILABLE | {"state_topic", "value_template", "json_attributes_topic"},
    "simulated_cause": ANY | AVAILABLE | {"entity_category", "state_topic", "value_template", "icon"},
    "illuminance": ANY
    | {"device_class", "unit_of_measurement", "state_class", "state_topic", "value_template", "availability"},
    "connection": ANY | {"device_class", "entity_category", "state_topic", "payload_on", "payload_off"},
}
PLATFORMS = {
    "simulated_light": "light",
    "simulated_awake": "switch",
    "simulated_automatic": "switch",
    "simulated_boost": "button",
    "simulated_restore": "button",
    "simulated_boosted": "binary_sensor",
    "simulated_cause": "sensor",
    "illuminance": "sensor",
    "connection": "binary_sensor",
}


@pytest.fixture
def home(shared_broker):
    """Home Assistant, as far as it goes."""
    with MQTTClient(shared_broker, "b/#", "homeassistant/#") as client:
        yield client


@pytest.fixture
def components(lobby, shared_broker):
    def is_whole(message):
        # Until the first reading it is one that an earlier daemon announced, with its platform only.
        return message.text and len(message.json["components"].get("illuminance", {})) > 1

    return retained(shared_broker, CONFIG, is_whole).json["components"]


def test_the_device_has_every_key(lobby, shared_broker, components):
    config = retained(shared_broker, CONFIG).json
    assert config.keys() == ROOT
    assert config["device"].keys() == {"identifiers", "name", "manufacturer", "model", "sw_version"}
    assert (config["device"]["identifiers"], config["device"]["name"]) == ("b_lobby", "lobby")
    assert config["origin"].keys() == {"name", "sw_version"}
    assert config["qos"] == 1
    assert components.keys() == KEYS.keys()


@pytest.mark.parametrize("key", KEYS)
def test_a_component_has_its_keys(components, key):
    component = components[key]
    assert component.keys() == KEYS[key]
    assert component["platform"] == PLATFORMS[key]
    assert re.fullmatch(r"[a-zA-Z0-9_-]+", key)
    assert component["unique_id"] == f"b/lobby/{key}"
    assert re.fullmatch(component["platform"] + r"\.[a-z0-9_]+", component["default_entity_id"])
    if AVAILABLE <= component.keys():
        node, display = component["availability"]
        assert node == {"topic": "b/lobby/status"}
        assert (display.keys(), display["topic"]) == ({"topic", "value_template"}, "b/lobby/simulated/state")
        assert component["availability_mode"] == "all"


def test_the_light_uses_the_json_schema(components):
    light = components["simulated_light"]
    assert (light["schema"], light["brightness"], light["brightness_scale"]) == ("json", True, 100)
    assert light["supported_color_modes"] == ["brightness"]


def test_every_named_topic_is_retained(shared_broker, components):
    for component in components.values():
        for key in component.keys() & {"state_topic", "json_attributes_topic"}:
            assert retained(shared_broker, component[key]).text


def test_the_light_reports_and_sets_the_brightness(lobby, home, components, connect):
    client, light = connect(lobby), components["simulated_light"]
    client.set(0.42)
    shown = home.on(light["state_topic"], lambda message: message.json["brightness"] == 42)
    assert shown.json == {"state": "ON", "color_mode": "brightness", "brightness": 42}
    for command, brightness in [
        ({"state": "ON", "brightness": 70}, 0.7),
        ({"state": "ON"}, 0.7),
        ({"state": "ON", "brightness": 30, "transition": 0.1}, 0.3),
        ({"state": "ON", "flash": 2}, 0.3),
    ]:
        home.publish(light["command_topic"], command)
        until(lambda wanted=brightness: client.state["baseline"] == wanted, str(command))


def test_a_preset_is_a_button_while_it_is_stored(lobby, home, shared_broker, connect):
    client = connect(lobby)
    client.set(0.4)
    client.put("/v1/presets/Gute%20Nacht", json={"displays": {"all": {"brightness": 0.1}}})
    key = "preset-Gute-20Nacht"
    config = retained(shared_broker, CONFIG, lambda message: key in message.json["components"]).json
    button = config["components"][key]
    assert (button["platform"], button["name"]) == ("button", "Gute Nacht")
    home.publish(button["command_topic"], button["payload_press"])
    until(lambda: client.state["baseline"] == 0.1, "it is applied")
    cause = client.state["cause"]
    assert (cause["kind"], cause["by"], cause["reason"]) == ("mqtt", "home-assistant", "Gute Nacht")
    client.delete("/v1/presets/Gute%20Nacht")
    retained(shared_broker, CONFIG, lambda message: message.json["components"].get(key) == {"platform": "button"})


def test_the_light_switches_a_display_off_and_on(lobby, home, components, connect):
    client, light = connect(lobby), components["simulated_light"]
    client.set(0.4)
    home.publish(light["command_topic"], {"state": "OFF"})
    home.on(light["state_topic"], lambda message: message.json["state"] == "OFF")
    assert client.state["power"] == {"on": False, "baseline": False, "switchable": True}
    assert client.state["baseline"] == 0.4
    home.publish(light["command_topic"], {"state": "ON", "brightness": 60})
    until(lambda: client.state["baseline"] == 0.6, "it is set")
    assert client.state["power"]["on"] is True
    home.publish(light["command_topic"], {"state": "OFF"})
    home.publish(light["command_topic"], {"state": "ON"})
    until(lambda: client.state["power"]["on"], "it is on")
    assert client.state["baseline"] == 0.6


def test_the_light_of_a_display_that_cannot_be_switched_has_the_minimum(start, shared_broker, home, connect, tmp_path):
    backlight = Backlight(tmp_path / "sys")
    (backlight.folder / "bl_power").unlink()
    client = connect(start(*backlight.options, "--mqtt", shared_broker.url("attic")))
    topic = "b/attic/intel_backlight/light"
    home.on(f"{topic}/state", lambda message: message.json["state"] == "ON")
    for command, step in [("OFF", 1), ("ON", 480)]:
        home.publish(f"{topic}/set", {"state": command})
        until(lambda wanted=step: client.state["raw"]["value"] == wanted, command)
    config = retained(
        shared_broker,
        "homeassistant/device/b_attic/config",
        lambda message: message.text and "intel_backlight_light" in message.json["components"],
    )
    assert "intel_backlight_awake" not in config.json["components"]


def test_the_switch_holds_a_wake_and_releases_only_its_own(lobby, home, components, connect):
    client, switch = connect(lobby), components["simulated_awake"]
    client.post("/v1/wake", json={"holder": "door"})
    home.publish(switch["command_topic"], "ON")
    home.on(switch["state_topic"], lambda message: len(message.json["leases"]) == 2)
    home.publish(components["simulated_restore"]["command_topic"], components["simulated_restore"]["payload_press"])
    assert client.state["wake"]["leases"] == 2
    home.publish(switch["command_topic"], "OFF")
    until(lambda: client.state["wake"]["leases"] == 1, "only the other wake is left")


def test_the_buttons_boost_and_restore(lobby, home, components, connect):
    client = connect(lobby)
    boost, restore = components["simulated_boost"], components["simulated_restore"]
    for _ in range(2):
        home.publish(boost["command_topic"], boost["payload_press"])
    until(lambda: client.state["boost"], "it is boosted")
    assert [lease["holder"] for lease in client.get("/v1/displays/simulated/boost").json()["leases"]] == [
        "home-assistant"
    ]
    home.publish(restore["command_topic"], restore["payload_press"])
    until(lambda: not client.state["boost"], "it is restored")


def test_everything_is_published_again_when_home_assistant_starts(lobby, home):
    home.on("b/lobby/simulated/state")
    # Messages from here on are new.
    home.ask("b/lobby/simulated/set", {"percent": 40})
    home.publish("homeassistant/status", "online")
    assert home.on("homeassistant/status").text == "online"
    for topic in ("b/lobby/status", CONFIG, "b/lobby/simulated/state"):
        assert not home.on(topic).retained


def test_a_display_has_its_new_name(lobby, home):
    light = "simulated_light"
    home.on(CONFIG, lambda message: message.json["components"].get(light, {}).get("name") == "Simulated display")
    answer = home.ask("b/lobby/simulated/settings", {"name": "Left"})
    assert json.loads(answer.text)["name"] == "Left"
    home.on(CONFIG, lambda message: message.json["components"][light]["name"] == "Left")
    home.ask("b/lobby/simulated/settings", {"name": None})
    home.on(CONFIG, lambda message: message.json["components"][light]["name"] == "Simulated display")


def test_removed_displays_are_taken_out_of_the_device(start, shared_broker, home):
    two = start("--display", "simulated:a", "--display", "simulated:b", "--mqtt", shared_broker.url("hall"))
    topic = "homeassistant/device/b_hall/config"
    home.on(topic, lambda message: {"a_light", "b_light"} <= message.json["components"].keys())
    two.stop()
    one = start("--display", "simulated:a", "--mqtt", shared_broker.url("hall"))
    gone = {"platform": "light"}
    home.on(topic, lambda message: message.json["components"].get("b_light") == gone)
    one.stop()
    start("--display", "simulated:a", "--mqtt", shared_broker.url("hall"))
    home.on(topic, lambda message: "b_light" not in message.json["components"])


def test_discovery_can_be_switched_off(start, shared_broker, home):
    daemon = start("--mqtt", shared_broker.url("den"), "--mqtt-discovery", "none")
    daemon.line("MQTT: connected")
    home.on("b/den/simulated/state")
    answer = home.ask("b/den/simulated/set", {"percent": 1})
    assert json.loads(answer.text)["percent"] == 1
    published = [topic for topic in home.latest if "den" in topic and ("light" in topic or "homeassistant" in topic)]
    assert published == []


def test_the_switch_hands_the_display_to_automatic_brightness(lobby, home, components, connect):
    client, switch = connect(lobby), components["simulated_automatic"]
    for word, isEnabled in [("on", True), ("off", False)]:
        home.publish(switch["command_topic"], json.loads(switch[f"payload_{word}"]))
        until(lambda wanted=isEnabled: client.state["auto"]["enabled"] is wanted, word)
