# SPDX-License-Identifier: Apache-2.0
"""Readings of remote light sensors over a real MQTT broker."""

import pytest

from support.broker import problem
from support.until import until

TOPIC = "b/lobby/illuminance"
LIMIT = 16


@pytest.fixture
def light(start, shared_broker, connect, backlight):
    """The light of a daemon without a sensor, as the node `lobby`."""
    daemon = start("--mqtt", shared_broker.url(), *backlight.options)
    daemon.line("MQTT: connected")
    client = connect(daemon)
    until(lambda: client.get("/v1/ambient").status_code == 200, "there is light")
    return lambda: client.get("/v1/ambient").json()


def counts(light, lux):
    return until(lambda: (now := light())["illuminance"] == lux and now, f"{lux} lux count")


def test_a_reading_is_a_number_or_a_document_and_is_published(light, subscriber):
    assert light()["source"] == "brightness"
    answer = subscriber.ask(f"{TOPIC}/window", "3.2")
    assert (answer.text, answer.type) == ("", None)
    assert [sensor["id"] for sensor in counts(light, 3.2)["sensors"]] == ["remote:window"]
    assert subscriber.on("b/lobby/ambient", lambda message: message.json["illuminance"] == 3.2)
    subscriber.publish(f"{TOPIC}/desk", {"illuminance": 800, "ttl": 3600})
    counts(light, 800)
    subscriber.publish(f"{TOPIC}/desk", "")
    subscriber.publish(f"{TOPIC}/window", "")
    until(lambda: light()["source"] == "brightness", "no reading counts")


def test_a_sensor_may_have_the_name_of_a_command(light, subscriber):
    assert subscriber.ask(f"{TOPIC}/set", "5").text == ""
    assert [sensor["id"] for sensor in counts(light, 5)["sensors"]] == ["remote:set"]


@pytest.mark.parametrize(
    ("name", "payload", "expected"),
    [
        ("window", "dark", "invalid-json"),
        ("window", "-3", "invalid-body"),
        ("window", '{"lux":3}', "invalid-body"),
        ("a b", "3", "invalid-body"),
        ("window", "[" * 20_000, "body-too-large"),
    ],
)
def test_an_invalid_reading_is_answered_with_a_problem(light, subscriber, name, payload, expected):
    assert problem(subscriber.ask(f"{TOPIC}/{name}", payload)) == expected
    assert light()["source"] == "brightness"


def test_the_number_of_names_is_limited(light, subscriber):
    for number in range(LIMIT):
        assert subscriber.ask(f"{TOPIC}/s{number}", f"{100 + number}").text == ""
    assert problem(subscriber.ask(f"{TOPIC}/more", "3")) == "server-limit-reached"
