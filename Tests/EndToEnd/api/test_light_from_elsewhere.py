# SPDX-License-Identifier: Apache-2.0
"""Readings of remote light sensors, which clients report."""

import pytest

from support.events import Stream
from support.until import until


LIGHT = "/v1/events?types=ambient"
LIMIT = 16


@pytest.fixture
def dark(start, connect, backlight):
    """A client of a daemon without a light sensor."""
    daemon = start(*backlight.options)
    client = connect(daemon)
    client.port = daemon.port
    return client


def put(client, lux, name="window", ttl=60):
    answer = client.put(f"/v1/ambient/{name}", json={"illuminance": lux, "ttl": ttl})
    assert (answer.status_code, answer.content) == (204, b""), answer.text


def ambient(client):
    return client.get("/v1/ambient").json()


def await_light(stream, where):
    while not where((event := stream.next("ambient")).data):
        pass
    return event.data


def test_a_reading_counts_until_its_end_and_is_an_event(dark):
    with Stream(dark.port, LIGHT) as stream:
        assert stream.next("ambient").data["source"] == "brightness"
        put(dark, 3.2)
        light = await_light(stream, lambda light: light["illuminance"] == 3.2)
        assert (light["source"], light["appearance"]) == ("sensor", "night")
        assert light["sensors"] == [
            {"id": "remote:window", "kind": "illuminance", "illuminance": 3.2, "condition": "live"}
        ]
        assert ambient(dark) == light
        put(dark, 3.2, ttl=1)
        stand_in = await_light(stream, lambda light: light["source"] == "brightness")
        assert stand_in["sensors"] == []


def test_a_reading_ends_in_time_on_a_machine_without_a_display(start, connect):
    daemon = start("--display", "none")
    client = connect(daemon)
    assert client.get("/v1/ambient").status_code == 404
    put(client, 5, ttl=1)
    light = until(lambda: (light := ambient(client)).get("sensors") == [] and light, "it ended")
    assert (light["source"], light["illuminance"]) == ("sensor", None)


def test_the_history_ends_with_the_reading(dark):
    def newest():
        return dark.get("/v1/history?step=2").json()["points"][-1]["illuminance"]

    put(dark, 300)
    until(lambda: newest() == 300, "the history has the light")
    dark.delete("/v1/ambient/window")
    until(lambda: newest() is None, "the history has no light")


def test_a_removed_reading_does_not_count(dark):
    put(dark, 300)
    until(lambda: ambient(dark).get("illuminance") == 300, "the reading counts")
    assert dark.delete("/v1/ambient/window").status_code == 204
    until(lambda: ambient(dark).get("source") == "brightness", "it counts no longer")
    answer = dark.delete("/v1/ambient/window")
    assert (answer.status_code, answer.json()["type"]) == (404, "/problems/not-found")


def test_a_display_follows_a_sensor_elsewhere(dark):
    assert dark.put("/v1/auto", json={"enabled": True}).status_code == 409
    put(dark, 1000)
    until(lambda: ambient(dark).get("illuminance") == 1000, "the reading counts")
    assert dark.put("/v1/auto", json={"enabled": True}).status_code == 200
    bright = until(lambda: (state := dark.state)["cause"]["kind"] == "auto" and state, "it follows")
    put(dark, 1)
    until(lambda: dark.state["brightness"] < bright["brightness"] / 2, "it follows into the dark")


def test_a_trusted_sensor_that_is_darker_stays_in_force(daemon, client):
    with Stream(daemon.port, LIGHT) as stream:
        put(client, 5000)
        light = await_light(stream, lambda light: light["sensors"][-1]["id"] == "remote:window")
        assert light["illuminance"] == 320
        assert light["sensors"][-1]["illuminance"] == 5000
        client.delete("/v1/ambient/window")
        await_light(stream, lambda light: light["sensors"][-1]["id"] == "simulated:proximity")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"illuminance": -1}, "illuminance must be a number from 0 to 200000, not -1."),
        ({"illuminance": 1, "ttl": 0}, "ttl must be a number from 1 to 86400, not 0."),
        ({"lux": 3}, 'Unknown member "lux". Did you mean illuminance? The members are illuminance and ttl.'),
        ({}, "illuminance is required, in lux, such as 3.2."),
    ],
)
def test_an_invalid_reading_is_rejected_and_changes_nothing(client, body, detail):
    answer = client.put("/v1/ambient/window", json=body)
    assert (answer.status_code, answer.json()["errors"][0]["detail"]) == (422, detail)
    assert "remote:window" not in [sensor["id"] for sensor in ambient(client).get("sensors", ())]


@pytest.mark.parametrize("name", ["a%20b", "ä", "x" * 65])
def test_an_invalid_name_is_rejected(client, name):
    assert client.put(f"/v1/ambient/{name}", json={"illuminance": 1}).status_code == 422


def test_the_number_of_names_is_limited(dark):
    for number in range(LIMIT):
        put(dark, 100 + number, name=f"s{number}")
    answer = dark.put("/v1/ambient/more", json={"illuminance": 1})
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/server-limit-reached")
    assert int(answer.headers["retry-after"]) > 0
    put(dark, 7, name="s0")
    until(lambda: len(ambient(dark).get("sensors", ())) == LIMIT, "they count")


def test_a_reading_requires_the_scope_write(start, connect, backlight):
    client = connect(start(*backlight.options, "--anonymous", "read"))
    assert client.put("/v1/ambient/window", json={"illuminance": 1}).status_code in (401, 403)
