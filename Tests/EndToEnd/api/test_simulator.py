# SPDX-License-Identifier: Apache-2.0
"""The simulated room: valid and invalid changes, and how its panels fail."""

import pytest

from support.events import Stream
from support.until import until



@pytest.fixture
def room(client):
    """Changes the room of the shared daemon, and removes every fault afterwards."""

    def change(**what):
        answer = client.patch("/v1/simulator", json=what)
        assert answer.status_code == 200, answer.text
        return answer.json()

    yield change
    change(script=None, refuses=False, unplugged=False, delay=0)
    until(lambda: client.put("/v1/brightness", json={"percent": 50}).status_code == 200, "it can be set")


def test_the_response_has_every_change(client, room):
    # Not `systemAutomatic`: it moves the panel between two requests.
    change = {"front": 12.5, "back": 0, "frontCovered": True, "backCovered": True, "near": True, "sensors": False}
    changed = room(**change)
    assert changed | change == changed
    assert client.get("/v1/simulator").json() == changed
    assert room(near=False) == changed | {"near": False}
    room(frontCovered=False, backCovered=False, sensors=True)


def test_the_response_says_whether_the_system_follows_the_light(room):
    assert [room(systemAutomatic=value)["systemAutomatic"] for value in (True, False)] == [True, False]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"front": -1}, "/front"),
        ({"back": 150_001}, "/back"),
        ({"near": 1}, "/near"),
        ({"sensors": "no"}, "/sensors"),
        ({"systemAutomatic": 1}, "/systemAutomatic"),
        ({"slider": 1.5}, "/slider"),
        ({"script": "moonrise"}, "/script"),
        ({"script": 7}, "/script"),
        ({"seconds": 5}, "/seconds"),
        ({"script": None, "seconds": 5}, "/seconds"),
        ({"script": "sunset", "seconds": 0}, "/seconds"),
        ({"display": "other", "slider": 0.1}, "/display"),
        ({"display": "a/b"}, "/display"),
        ({"delay": 11}, "/delay"),
        ({"front": 5, "frontcovered": True}, "/frontcovered"),
    ],
)
def test_an_invalid_body_changes_nothing(client, room, body, pointer):
    before = client.get("/v1/simulator").json()
    answer = client.patch("/v1/simulator", json=body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)
    assert client.get("/v1/simulator").json() == before


def test_without_a_simulated_display_there_is_no_room(start, connect, backlight):
    client = connect(start(*backlight.options))
    assert client.get("/v1/simulator").status_code == 404
    assert client.patch("/v1/simulator", json={"near": True}).status_code == 404


def test_changing_the_room_needs_the_scope_write(start, connect):
    client = connect(start("--anonymous", "read"))
    assert client.get("/v1/simulator").status_code == 200
    assert client.patch("/v1/simulator", json={"near": True}).status_code == 403
    assert client.get("/v1/simulator").json()["near"] is False


def test_a_person_changes_the_display(daemon, client, room):
    with Stream(daemon.port) as stream:
        stream.next("state")
        room(slider=0.7)
        turned = stream.next("state").data
        assert (turned["percent"], turned["baseline"], turned["cause"]["kind"]) == (70, 0.7, "simulator")
        # A person wins over a boost, as at any panel.
        client.boost(holder="kiosk-3")
        room(slider=0.3)
        state = stream.next("state", lambda event: event.data["percent"] == 30).data
        assert state["boost"]["overridden"]


def test_a_panel_that_refuses_is_503(client, room):
    room(refuses=True)
    answer = client.put("/v1/brightness", json={"percent": 20})
    assert (answer.status_code, client.state["percent"]) == (503, 50)
    room(refuses=False)
    assert client.set(0.2)["percent"] == 20


def test_a_client_may_wait_for_a_slow_panel(client, room):
    room(delay=1)
    preferences = ("wait=10", "respond-async, Wait=10", 'wait = "10" ; x=1 , respond-async')
    for percent, preference in enumerate(preferences, start=20):
        answer = client.put("/v1/brightness", json={"percent": percent}, headers={"Prefer": preference})
        assert (answer.status_code, answer.json()["percent"]) == (200, percent)


def test_a_slow_panel_delays_no_other_client(daemon, client, room):
    # Longer than any pause between the two requests.
    room(delay=6)
    with Stream(daemon.port) as stream:
        answer = client.put("/v1/brightness", json={"percent": 20}, headers={"Prefer": "wait=0"})
        assert (answer.status_code, answer.json()["percent"]) == (202, 50)
        assert client.get("/v1/brightness").json()["percent"] == 50
        stream.next("state", lambda event: event.data["percent"] == 20)


def test_a_panel_gets_its_brightness_when_it_is_plugged_in_again(daemon, client, room):
    with Stream(daemon.port) as stream:
        room(unplugged=True)
        stream.next("state", lambda event: not event.data["available"])
        assert client.get("/readyz").status_code == 503
        assert client.put("/v1/brightness", json={"percent": 20}).status_code == 503
        room(unplugged=False)
        stream.next("state", lambda event: event.data["available"])
    assert client.state["percent"] == 50


def test_each_display_has_a_slider_of_its_own(start, connect):
    client = connect(start("--display", "simulated:left", "--display", "simulated:right"))
    answer = client.patch("/v1/simulator", json={"display": "right", "slider": 0.9, "refuses": True})
    left, right = answer.json()["displays"]
    assert (left["id"], left["slider"], left["refuses"]) == ("left", 0.4, False)
    assert (right["id"], right["slider"], right["refuses"]) == ("right", 0.9, True)
