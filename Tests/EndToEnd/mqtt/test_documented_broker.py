# SPDX-License-Identifier: Apache-2.0
"""Mosquitto with the configuration and the access list of docs/how-to/many-machines.md."""

import re
import subprocess
import uuid
from pathlib import Path

import httpx
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from support.broker import TIMEOUT, Broker, MQTTClient, result, retained
from support.until import until

PAGE = Path(__file__).parents[3] / "docs/how-to/many-machines.md"
PREFIX = "brightness"
USERS = ["lobby", "Kiosk_3-b", "gateway", "maria", "homeassistant", "lux"]


def documented():
    """The broker's configuration and its access list."""
    section = PAGE.read_text().split("\n## Mosquitto\n")[1]
    return re.findall(r"```conf\n(.*?)```", section, re.DOTALL)


@pytest.fixture
def broker(tmp_path):
    """The documented broker, without TLS. A user's password is the user's name, twice."""
    configuration, access = documented()
    passwords = tmp_path / "passwords"
    passwords.touch()
    for user in USERS:
        subprocess.run(["mosquitto_passwd", "-b", passwords, user, 2 * user], check=True, capture_output=True)
    (tmp_path / "access").write_text(access)
    lines = configuration.replace("/etc/mosquitto/", f"{tmp_path}/").splitlines()
    other = ("listener", "certfile", "keyfile", "set_tcp_nodelay", "#")
    broker = Broker(tmp_path, *(line for line in lines if not line.startswith(other)))
    yield broker
    broker.stop()


@pytest.fixture
def node(start, broker, tmp_path):
    """Starts a daemon whose user has the name of its node."""

    def start_node(name, *options, user=None):
        user = user or name
        secret = tmp_path / f"secret-{user}"
        secret.write_text(2 * user)
        url = broker.url(name, user=user, prefix=PREFIX)
        daemon = start("--mqtt", url, "--mqtt-password-file", secret, *options)
        daemon.line("MQTT: connected")
        return daemon

    return start_node


def client(broker, user, *filters):
    return MQTTClient(broker, *filters, user=user, password=2 * user, name=user, prefix=PREFIX)


def asking_for_an_answer_at(topic):
    properties = Properties(PacketTypes.PUBLISH)
    properties.ResponseTopic = topic
    properties.CorrelationData = uuid.uuid4().bytes
    return properties


def mqtt(daemon):
    return httpx.get(f"{daemon.url}/readyz", verify=False, timeout=TIMEOUT).json()["mqtt"]


def kinds(client):
    return [lease["kind"] for lease in client.get("/v1/leases").json()["leases"]]


DEVICE = f"homeassistant/device/{PREFIX}_lobby/config"


@pytest.mark.parametrize("topic", ["x/y", DEVICE, "brightness/lobby/status", "brightness/hall/simulated/set"])
def test_no_user_can_choose_where_a_daemon_publishes(node, broker, topic):
    lobby = node("lobby")
    with client(broker, "maria", "brightness/#", "homeassistant/#") as maria, client(broker, "lux") as lux:
        maria.on(DEVICE, lambda message: message.text)
        properties = asking_for_an_answer_at(topic)
        for number in range(10):
            lux.publish("brightness/lobby/illuminance/window", f"{number}.5", properties=properties)
            maria.publish("brightness/lobby/simulated/set", {"percent": number}, properties=properties)
        # An answer comes after all earlier messages of the daemon.
        state = result(maria.ask("brightness/lobby/simulated/set", {"percent": 77}))
        assert state["percent"] == 77
        assert maria.latest["brightness/lobby/status"].text == "online"
        assert all(component["platform"] for component in maria.latest[DEVICE].json["components"].values())
        assert topic != "x/y" or topic not in maria.latest
    assert not any("no connection to the broker" in line for line in lobby.lines if line)
    assert mqtt(lobby) == {"state": "connected", "detail": None}


def test_a_user_who_may_not_send_a_command_sends_none(node, broker, connect):
    lobby = connect(node("lobby"))
    before = lobby.state
    with client(broker, "maria", "brightness/#") as maria, client(broker, "lux") as lux:
        lux.publish("brightness/lobby/simulated/set", {"percent": 3})
        maria.publish("brightness/lobby/simulated/power", {"on": False})
        assert result(maria.ask("brightness/lobby/simulated/set", {"percent": 60}))["percent"] == 60
    assert lobby.state["power"] == before["power"]


def test_a_gateway_and_nodes_have_all_the_rights_that_they_need(node, broker, connect):
    daemons = [node("lobby"), node("Kiosk_3-b"), node("gateway", "--display", "none", "--mirror", "brightness/+")]
    gateway = connect(daemons[-1])

    def available():
        states = gateway.get("/v1/displays").json()["displays"]
        return {state["id"] for state in states if state["available"]} == {"lobby:simulated", "Kiosk_3-b:simulated"}

    until(available, "both nodes are shown")

    def boosted():
        answer = gateway.post("/v1/displays/all/boost", json={"holder": "drill"})
        return all(entry["status"] in (200, 201) for entry in answer.json()["results"])

    until(boosted, "both nodes answer")
    off = lambda: gateway.put("/v1/displays/lobby:simulated/power", json={"on": False})  # noqa: E731
    until(lambda: (answer := off()).status_code == 200 and answer.json()["power"]["on"] is False, "it is off")
    with client(broker, "maria", "homeassistant/#") as maria:
        for name in ("lobby", "Kiosk_3-b"):
            maria.on(f"homeassistant/device/{PREFIX}_{name}/config", lambda message: message.text)
    for daemon in daemons:
        assert mqtt(daemon) == {"state": "connected", "detail": None}


def test_home_assistant_may_send_the_commands_of_its_entities(node, broker, connect):
    lobby = connect(node("lobby"))
    with client(broker, "homeassistant", "brightness/#", "homeassistant/#") as home:
        config = home.on(DEVICE, lambda message: message.text).json
        commands = {component.get("command_topic", "").split("/")[-1] for component in config["components"].values()}
        assert commands <= {"", "set", "power", "auto", "boost", "restore", "preset"}
        home.publish("brightness/lobby/simulated/light/set", {"state": "ON", "brightness": 33})
        until(lambda: lobby.state["percent"] == 33, "the light is set")
        home.publish("brightness/lobby/simulated/awake/set", "ON")
        until(lambda: "wake" in kinds(lobby), "it is kept awake")
        for command, body in {"power": {"on": True}, "auto": {"enabled": False}}.items():
            assert result(home.ask(f"brightness/lobby/simulated/{command}", body))["id"] == "simulated"
        home.publish("brightness/lobby/simulated/boost", {"holder": "home-assistant", "ttl": 300})
        until(lambda: "boost" in kinds(lobby), "it is boosted")
        home.publish("brightness/lobby/simulated/restore", {"holder": "home-assistant", "kind": "boost"})
        until(lambda: "boost" not in kinds(lobby), "it is not boosted")
        home.publish("brightness/lobby/all/preset", {"brightness": 0.5})
        until(lambda: lobby.state["baseline"] == 0.5, "a preset is applied")
        home.publish("homeassistant/status", "online")


def test_a_daemon_that_publishes_where_it_may_not_stays_connected(node, broker):
    """Here by the wrong name: Mosquitto 2.0 closes such a connection if it queues any number of messages."""
    hall = node("hall", user="lobby")
    until(lambda: mqtt(hall)["detail"], "the broker denies")
    with client(broker, "gateway") as gateway:
        results = gateway.ask("brightness/all/all/set", {"percent": 5}).json["results"]
    assert [entry["status"] for entry in results] == [200]
    assert not any("no connection to the broker" in line for line in hall.lines if line)
    assert mqtt(hall)["state"] == "connected" and "denies publishing" in mqtt(hall)["detail"]
