# SPDX-License-Identifier: Apache-2.0
"""Ambient light: from simulated sensors, from those of the kernel, and estimated without a sensor."""

import pytest

from support.events import Stream
from support.sensors import Sensor
from support.until import until


LIGHT = "/v1/events?types=ambient"


@pytest.fixture
def room(daemon, client):
    """Changes the simulated room of the file's daemon, which is lit at first."""
    lit = {"script": None, "front": 320, "back": 180, "frontCovered": False, "backCovered": False, "near": False}

    def change(**what):
        answer = client.patch("/v1/simulator", json=what)
        assert answer.status_code == 200, answer.text
        return answer.json()

    # The sensors are read often while a client watches.
    with Stream(daemon.port, LIGHT):
        change(**lit)
        until(lambda: ambient(client).get("illuminance") == 320, "the room is lit")
    return change


def ambient(client):
    return client.get("/v1/ambient").json()


def await_light(stream, where):
    """The first event of the light for which `where` holds, and how many came before it."""
    count = 0
    while not where((event := stream.next("ambient")).data):
        count += 1
    return event.data, count


def test_a_stream_begins_with_the_light_and_follows_it(daemon, client, room):
    with Stream(daemon.port, LIGHT) as stream:
        assert stream.next("ambient").data == ambient(client)
        room(front=2, back=1)
        dark, steps = await_light(stream, lambda light: light["illuminance"] == 2)
        # The two sensors have settled one after the other at most.
        assert (dark["appearance"], dark["source"], steps <= 1) == ("night", "sensor", True)
        until(lambda: ambient(client)["sensors"][1]["illuminance"] == 1, "the back one has settled")


def test_the_room_is_dark_only_when_every_sensor_is_covered(daemon, client, room):
    with Stream(daemon.port, LIGHT) as stream:
        room(back=300, frontCovered=True)
        covered, _ = await_light(stream, lambda light: light["sensors"][0]["illuminance"] == 0.32)
        assert (covered["illuminance"], covered["appearance"]) == (300, "day")
        room(backCovered=True)
        dark, _ = await_light(stream, lambda light: light["illuminance"] == 0.32)
        assert dark["appearance"] == "night"


def test_the_estimate_holds_while_a_hand_is_near(daemon, client, room):
    with Stream(daemon.port, LIGHT) as stream:
        room(near=True, back=3)
        near, _ = await_light(stream, lambda light: light["sensors"][2]["near"])
        assert near["illuminance"] == 320
        room(near=False, back=180)
        gone, _ = await_light(stream, lambda light: not light["sensors"][2]["near"])
        assert gone["illuminance"] == 320


def test_the_history_has_the_light(client, room):
    points = client.get("/v1/history?step=1200").json()["points"]
    assert [points[0]["illuminance"], points[-1]["illuminance"]] == [None, 320]


def test_a_script_changes_the_light_over_time(daemon, client, room):
    room(script="sunset", seconds=2)
    until(lambda: client.get("/v1/simulator").json()["script"] is None, "the sun has set")
    assert [client.get("/v1/simulator").json()[side] for side in ("front", "back")] == [0.5, 0.5]
    # The sensors are read more often for a stream.
    with Stream(daemon.port, LIGHT):
        until(lambda: ambient(client)["appearance"] == "night", "it is night")


@pytest.mark.parametrize(
    ("files", "lux"),
    [
        ({"in_illuminance_input": 120}, 120),
        ({"in_illuminance0_input": 12.5}, 12.5),
        ({"in_illuminance_raw": 400, "in_illuminance_scale": 0.1, "in_illuminance_offset": 100}, 50),
        ({"in_intensity_both_raw": 33, "in_intensity_scale": 2}, 66),
    ],
)
def test_a_kernel_sensor_is_read_in_every_format(start, connect, tmp_path, backlight, files, lux):
    Sensor(backlight.root, **files)
    client = connect(start(*backlight.options))
    light = until(lambda: client.get("/v1/ambient").status_code == 200 and ambient(client), "there is light")
    assert (light["source"], light["illuminance"]) == ("sensor", lux)
    assert [sensor["id"] for sensor in light["sensors"]] == ["iio:device0"]


def test_a_sensor_that_comes_later_is_used(start, connect, backlight):
    client = connect(start(*backlight.options))
    assert ambient(client).get("source") != "sensor"
    for number, lux in ((0, 120), (1, 500)):
        Sensor(backlight.root, number=number, in_illuminance_input=lux)
        # The brightest of them.
        until(lambda lux=lux: ambient(client).get("illuminance") == lux, f"there are {lux} lux")
    assert ambient(client)["source"] == "sensor"


def test_stale_impossible_and_removed_sensors_are_discarded(start, connect, backlight):
    bright = Sensor(backlight.root, number=1, in_illuminance_input=300)
    broken = Sensor(backlight.root, number=0, in_illuminance_input="garbage")
    hand = Sensor(backlight.root, number=2, in_proximity_raw=10, in_proximity_nearlevel=50)
    daemon = start(*backlight.options)
    client = connect(daemon)
    with Stream(daemon.port, LIGHT) as stream:
        light, _ = await_light(stream, lambda light: light["illuminance"] == 300)
        assert [sensor["id"] for sensor in light["sensors"]] == ["iio:device0", "iio:device1", "iio:device2"]
        assert light["sensors"][0]["condition"] == "stale"
        hand.write(in_proximity_raw=50)
        await_light(stream, lambda light: light["sensors"][2]["near"])
        broken.write(in_illuminance_input=250_000)
        await_light(stream, lambda light: light["sensors"][0]["condition"] == "impossible")
        hand.write(in_proximity_raw=0)
        bright.vanish()
        unknown, _ = await_light(stream, lambda light: light["illuminance"] is None)
        assert unknown["appearance"] == "day"
        assert "counts from its first other reading" in unknown["tip"]
        broken.write(in_illuminance_input=80)
        await_light(stream, lambda light: light["illuminance"] == 80)
        assert client.get("/readyz").status_code == 200


def test_without_a_sensor_changes_by_others_are_the_estimate(start, connect, backlight):
    daemon = start(*backlight.options)
    client = connect(daemon)
    with Stream(daemon.port, LIGHT) as stream:
        first = stream.next("ambient").data
        assert (first["source"], first["illuminance"], first["sensors"]) == ("brightness", None, [])
        assert first["level"] == pytest.approx(0.42, abs=0.01)
        assert "Else add a sensor" in first["tip"]
        # Commands for the display say nothing about the light.
        client.set(0.3)
        backlight.step = 864
        latest = stream.next("ambient").data
        assert latest["level"] == pytest.approx(0.9, abs=0.02)
        assert latest["appearance"] == "day"
        assert ambient(client) == latest
        # Dimmed as idle displays are, and restored.
        backlight.step = 96
        until(lambda: client.state["raw"]["value"] == 96, "it is noticed")
        backlight.step = 864
        until(lambda: client.state["raw"]["value"] == 864, "it is noticed")
        # Darker for ten seconds.
        backlight.step = 672
        darker = stream.next("ambient").data
        assert (darker["level"] < latest["level"], darker["appearance"]) == (True, "day")


def test_the_stand_in_can_be_tried_in_the_simulated_room(start, connect):
    daemon = start("--display", "simulated")
    client = connect(daemon)

    def change(**what):
        answer = client.patch("/v1/simulator", json=what)
        assert answer.status_code == 200, answer.text
        return answer.json()

    with Stream(daemon.port, LIGHT) as stream:
        assert stream.next("ambient").data["source"] == "sensor"
        room = change(sensors=False, systemAutomatic=True, front=100)
        assert (room["sensors"], room["systemAutomatic"]) == (False, True)
        first, _ = await_light(stream, lambda light: light["source"] == "brightness")
        assert (first["sensors"], first["level"]) == ([], pytest.approx(0.4, abs=0.01))
        change(front=10_000)
        day, _ = await_light(stream, lambda light: light["level"] > 0.7)
        assert (day["appearance"], client.state["cause"]["kind"]) == ("day", "external")
        change(sensors=True)
        back, _ = await_light(stream, lambda light: light["source"] == "sensor")
        assert back["illuminance"] == 10_000
