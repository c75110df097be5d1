# SPDX-License-Identifier: Apache-2.0
"""The place of the daemon's machine: set by a person or an option, for schedules by the sun."""

from support.events import Stream
from support.schedules import noon

BERLIN = {"latitude": 52.52, "longitude": 13.4}
UNKNOWN = {"latitude": None, "longitude": None, "source": None}
DUSK = {"from": "sunset", "to": "sunrise", "dim": 0.2}


def sun(client):
    return client.get("/v1/schedules").json()["sun"]


def test_the_place_is_set_used_and_forgotten(start, connect):
    client = connect(start("--time-zone", "UTC"))
    assert (client.get("/v1/location").json(), sun(client)) == (UNKNOWN, None)
    refused = client.put("/v1/schedules/dusk", json=DUSK)
    assert (refused.status_code, "/v1/location" in refused.text) == (422, True)
    answer = client.put("/v1/location", json={"latitude": 52.5163, "longitude": 13.3777})
    assert (answer.status_code, answer.json()) == (200, {"latitude": 52.52, "longitude": 13.38, "source": "set"})
    assert client.get("/v1/location").json() == answer.json()
    assert client.put("/v1/schedules/dusk", json=DUSK).json()["next"] is not None
    assert sun(client)["sunset"] is not None
    answer = client.delete("/v1/location")
    assert (answer.status_code, answer.content) == (204, b"")
    assert (client.get("/v1/location").json(), sun(client)) == (UNKNOWN, None)
    assert client.get("/v1/schedules/dusk").json()["next"] is None
    assert client.delete("/v1/location").status_code == 204


def test_a_place_that_was_set_survives_a_restart_and_counts_in_place_of_the_option(start, connect, tmp_path):
    options = ("--location=-33.87,151.21", "--time-zone", noon(), "--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    assert client.get("/v1/location").json() == {"latitude": -33.87, "longitude": 151.21, "source": "option"}
    assert client.put("/v1/location", json=BERLIN).json() == BERLIN | {"source": "set"}
    there = sun(client)
    daemon.kill()
    client = connect(start(*options))
    assert (client.get("/v1/location").json(), sun(client)) == (BERLIN | {"source": "set"}, there)
    client.delete("/v1/location")
    assert client.get("/v1/location").json()["source"] == "option"
    assert sun(client) != there


def test_a_day_event_has_the_sun_of_a_place_that_was_set(client):
    client.delete("/v1/location")
    with Stream(client.base_url.port, "/v1/events?types=day") as stream:
        assert stream.next("day").data["sun"] is None
        client.put("/v1/location", json=BERLIN)
        stream.next("day", lambda event: event.data["sun"])
