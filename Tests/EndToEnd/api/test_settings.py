# SPDX-License-Identifier: Apache-2.0
"""Settings of a display: its name, its curve and its place."""

import pytest

from support.events import Stream
from support.until import until

SETTINGS = "/v1/displays/simulated/settings"
OWN = "Simulated display"


@pytest.fixture
def client(client):
    yield client
    client.put(SETTINGS, json={"name": None, "position": None})


def test_a_name_is_what_everybody_sees_and_the_id_stays(client):
    assert client.get(SETTINGS).json() == {"display": "simulated", "name": None, "deviceName": OWN, "curve": None, "position": None}
    client.set(0.3)
    answer = client.put(SETTINGS, json={"name": "Desk, left: 夜 🌙", "holder": "maria", "reason": "moved"})
    state = answer.json()
    assert (answer.status_code, state["id"], state["name"]) == (200, "simulated", "Desk, left: 夜 🌙")
    assert (state["brightness"], state["cause"]["kind"], state["cause"]["by"]) == (0.3, "settings", "maria")
    assert client.state == state
    assert client.get(SETTINGS).json()["name"] == "Desk, left: 夜 🌙"
    state = client.put(SETTINGS, json={"name": None}).json()
    assert state["name"] == OWN
    assert client.get(SETTINGS).json()["name"] is None


def test_a_new_name_is_an_event_and_the_same_one_is_none(client):
    with Stream(client.base_url.port) as stream:
        stream.next("state")
        client.put(SETTINGS, json={"name": "Left"})
        event = stream.next("state")
        assert (event.data["name"], event.data["cause"]["kind"]) == ("Left", "settings")
        tag = client.etag
        assert client.put(SETTINGS, json={"name": "Left"}).status_code == 200
        assert client.etag == tag


def test_a_position_is_in_the_state_until_it_is_taken_back(client):
    assert client.put(SETTINGS, json={"position": 2}).json()["position"] == 2
    assert (client.state["position"], client.get(SETTINGS).json()["position"]) == (2, 2)
    for position in (0, 10_001, 1.5, "1", True):
        answer = client.put(SETTINGS, json={"position": position})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/position")
    assert client.state["position"] == 2
    assert "position" not in client.put(SETTINGS, json={"position": None}).json()


def test_a_name_survives_a_crash_and_a_restart(start, connect, tmp_path):
    options = ("--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    client.put(SETTINGS, json={"name": "Left"})
    daemon.kill()
    daemon = start(*options)
    client = connect(daemon)
    assert client.state["name"] == "Left"
    client.put(SETTINGS, json={"name": None})
    daemon.kill()
    assert connect(start(*options)).state["name"] == OWN


def test_a_display_that_comes_back_has_its_name_and_baseline(start, connect, backlight):
    client = connect(start("--sysfs-root", backlight.root, "--display", "auto", expects="intel_backlight"))
    client.set(0.25)
    client.put("/v1/displays/intel_backlight/settings", json={"name": "Left"})
    backlight.unplug()
    # The kernel reports nothing in this directory: a command finds the change, unless a look of each second has.
    assert client.put("/v1/brightness", json={"percent": 20}).status_code in (404, 503)
    until(lambda: client.get("/v1/displays").json()["displays"] == [], "it is gone")
    backlight.plug()
    until(lambda: client.get("/v1/displays").json()["displays"], "it is back")
    state = client.state
    assert (state["name"], state["baseline"]) == ("Left", 0.25)
