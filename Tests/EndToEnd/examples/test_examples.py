# SPDX-License-Identifier: Apache-2.0
"""The programs of Examples/, run as their first lines describe."""

import json
import os
import signal
import subprocess
import sys

import pytest
import yaml
from playwright.sync_api import expect

from support.broker import TIMEOUT, MQTTClient, retained
from support.daemon import ROOT
from support.until import until

EXAMPLES = ROOT / "Examples"
AUTOMATIONS = yaml.safe_load((EXAMPLES / "home-assistant.yaml").read_text())
ACTIONS = [action for automation in AUTOMATIONS for action in automation["actions"]]
TRIGGERS = [trigger for automation in AUTOMATIONS for trigger in automation["triggers"]]
COMMANDS = [action["data"] for action in ACTIONS if action["action"] == "mqtt.publish"]


def leases(client):
    return client.get("/v1/displays/simulated/boost").json()["leases"]


def test_every_example_is_tested():
    assert {file.name for file in EXAMPLES.iterdir()} == {
        "README.md", "boost-while.sh", "brightness.sh", "follow.py", "home-assistant.yaml", "kiosk.html", "poll.py",
    }  # fmt: skip


@pytest.fixture
def boost_while(processes):
    """Starts the script with a shell command."""

    def boost_while(server, command):
        process = subprocess.Popen(
            [EXAMPLES / "boost-while.sh", "sh", "-c", command],
            env=os.environ | {"BRIGHTNESS_SERVER": server},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    return boost_while


def test_the_display_is_boosted_while_the_command_runs(boost_while, daemon, client):
    process = boost_while(daemon.url, "read -r line; echo $line; exit 3")
    until(lambda: client.state["boost"], "the display is boosted")
    assert [lease["holder"] for lease in leases(client)] == [f"boost-while-{process.pid}"]
    said, complaints = process.communicate("done\n", timeout=TIMEOUT)
    assert (process.returncode, said, complaints) == (3, "done\n", "")
    assert client.state["boost"] is None


def test_a_terminated_script_ends_the_boost(boost_while, daemon, client):
    process = boost_while(daemon.url, "kill -TERM $PPID; exit 1")
    process.communicate(timeout=TIMEOUT)
    assert process.returncode == 128 + signal.SIGTERM
    assert client.state["cause"]["kind"] == "restore"
    assert leases(client) == []


def test_without_a_daemon_the_command_runs_all_the_same(boost_while, start):
    gone = start()
    gone.stop()
    process = boost_while(gone.url, "echo done; exit 3")
    said, complaints = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, said) == (3, "done\n")
    assert "Failed to connect" in complaints


def test_follow_prints_each_change_also_after_a_restart(start, connect):
    daemon = start("--display", "simulated:left")
    command = [sys.executable, EXAMPLES / "follow.py", daemon.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as follower:
        try:
            assert follower.stdout.readline().startswith("left ")
            client = connect(daemon)
            client.set(0.25, holder="maria")
            assert follower.stdout.readline() == "left 25 %, api by maria\n"
            client.boost(holder="kiosk-3")
            assert follower.stdout.readline() == "left 100 % boosted, boost by kiosk-3\n"
            daemon.stop()
            assert follower.stderr.readline()
            daemon = start("--display", "simulated:left", "--listen", f"127.0.0.1:{daemon.port}")
            client = connect(daemon)
            client.set(0.75, holder="jo")
            while (line := follower.stdout.readline()) != "left 75 %, api by jo\n":
                assert line.startswith("left "), line
        finally:
            follower.terminate()
            follower.communicate(timeout=TIMEOUT)


@pytest.fixture
def example(processes):
    """Starts a program of Examples/; its standard output is read line by line."""

    def example(*command, **variables):
        process = subprocess.Popen(
            command, env=os.environ | variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        processes.append(process)
        return process

    return example


def test_poll_boosts_and_prints_each_change_also_after_a_restart(example, start, connect):
    daemon = start("--display", "simulated:left")
    poller = example(sys.executable, EXAMPLES / "poll.py", daemon.url, "60")
    assert poller.stdout.readline().startswith("boosted until 2")
    assert poller.stdout.readline() == "100 % (boost)\n"
    client = connect(daemon)
    assert [(lease["holder"], lease["reason"]) for lease in client.get("/v1/boost").json()["leases"]] == [("poll.py", "example")]
    client.post("/v1/restore", json={"holder": "poll.py"})
    client.set(0.25)
    lines = []
    while not lines or lines[-1] != "25 % (api)\n":
        lines.append(poller.stdout.readline())
        assert lines[-1]
    daemon.stop()
    assert poller.stderr.readline()
    daemon = start("--display", "simulated:left", "--listen", f"127.0.0.1:{daemon.port}")
    connect(daemon).set(0.75)
    while (line := poller.stdout.readline()) != "75 % (api)\n":
        assert line.endswith(")\n"), line


def test_the_shell_functions_boost_poll_and_follow(example, daemon, client):
    server = {"BRIGHTNESS_SERVER": daemon.url}
    poller = example(EXAMPLES / "brightness.sh", "poll", **server)
    follower = example(EXAMPLES / "brightness.sh", "events", **server)
    assert poller.stdout.readline() == "50\n"
    assert json.loads(follower.stdout.readline())["percent"] == 50
    boosted = example(EXAMPLES / "brightness.sh", "boost", "60", "a \"quoted\" reason", **server)
    said, complaints = boosted.communicate(timeout=TIMEOUT)
    assert (boosted.returncode, complaints) == (0, "")
    lease = json.loads(said)
    assert (lease["holder"], lease["reason"]) == ("brightness.sh", 'a "quoted" reason')
    assert poller.stdout.readline() == "100\n"
    assert json.loads(follower.stdout.readline())["boost"]["leases"] == 1


def test_the_shell_functions_connect_again(example, start, connect):
    daemon = start()
    server = {"BRIGHTNESS_SERVER": daemon.url}
    poller = example(EXAMPLES / "brightness.sh", "poll", **server)
    follower = example(EXAMPLES / "brightness.sh", "events", **server)
    assert poller.stdout.readline() and follower.stdout.readline()
    daemon.stop()
    again = start("--listen", f"127.0.0.1:{daemon.port}")
    connect(again).set(0.75)
    while (line := poller.stdout.readline()) != "75\n":
        assert line
    while json.loads(follower.stdout.readline())["percent"] != 75:
        pass


def test_a_refused_boost_of_the_shell_function_fails(example, daemon):
    refused = example(EXAMPLES / "brightness.sh", "boost", "0", BRIGHTNESS_SERVER=daemon.url)
    said, _ = refused.communicate(timeout=TIMEOUT)
    assert refused.returncode == 22 and json.loads(said)["type"] == "/problems/invalid-body"


def test_the_kiosk_page_boosts_while_its_code_is_visible(new_context, pages, daemon, client):
    pages.daemons.add(daemon.url)
    text = (EXAMPLES / "kiosk.html").read_text()
    assert "http://127.0.0.1:8787" in text
    pages["/kiosk.html"] = text.replace("http://127.0.0.1:8787", daemon.url)
    page = new_context().new_page()
    page.goto(f"{pages.url}/kiosk.html")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "50")
    assert leases(client) == []
    page.get_by_text("Show the code").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    until(lambda: [(lease["holder"], lease["reason"]) for lease in leases(client)] == [("kiosk-3", "qr")], "it is boosted")
    page.get_by_text("Show the code").click()
    until(lambda: leases(client) == [], "it is restored")


@pytest.fixture
def lobby(start, broker):
    """The machine that the automations name."""
    daemon = start("--display", "simulated:intel_backlight", "--mqtt", broker.url("lobby", prefix="brightness"))
    daemon.line("MQTT: connected")
    return daemon


def test_home_assistants_commands_are_accepted(lobby, broker, connect):
    client = connect(lobby)
    client.await_light()
    with MQTTClient(broker, prefix="brightness") as home:
        for command in COMMANDS:
            assert command.keys() == {"topic", "qos", "payload"}
            answer = home.ask(command["topic"], command["payload"])
            assert answer.type == "application/json", (command, answer)
            until(lambda body=json.loads(command["payload"]): takes_effect(client.state, body), str(command))


def takes_effect(state, body):
    """Whether the state shows what a command's body asks for."""
    if "ttl" in body:
        return state["boost"] and state["cause"]["by"] == body["holder"]
    if "percent" in body:
        return state["cause"]["reason"] == body["reason"]
    return state["auto"]["enabled"] if "enabled" in body else state["boost"] is None


def test_home_assistants_topics_and_entities_are_published(lobby, broker):
    topics = [trigger["topic"] for trigger in TRIGGERS if trigger["trigger"] == "mqtt"]
    assert topics and all(retained(broker, topic).text for topic in topics)
    config = "homeassistant/device/brightness_lobby/config"
    components = retained(broker, config, lambda message: "connection" in message.json["components"]).json["components"]
    entities = {component["default_entity_id"] for component in components.values()}
    named = [action["target"]["entity_id"] for action in ACTIONS if "target" in action]
    assert named and entities.issuperset(named)
    lobby.kill()
    [offline] = [trigger["payload"] for trigger in TRIGGERS if trigger["trigger"] == "mqtt"]
    assert retained(broker, topics[0], lambda message: message.text == offline)
