# SPDX-License-Identifier: Apache-2.0
"""`--pair`: the brightness of one display and the power of another, as one display."""

import pytest

from support.backlight import Backlight
from support.daemon import run
from support.provider import Provider
from support.until import until

PAGE = {"id": "lobby-page", "name": "Lobby page", "maximum": 100, "switchable": False, "brightness": 0.8}
RELAY = {"id": "relay", "maximum": None, "switchable": True, "on": True}
PATH = "/v1/displays/lobby"


def ids(client):
    return [display["id"] for display in client.get("/v1/displays").json()["displays"]]


def test_two_displays_of_the_machine_are_one(start, connect):
    daemon = start("--display", "simulated:left", "--display", "simulated:other", "--pair", "desk=left+simulated:right")
    client = connect(daemon)
    assert ids(client) == ["other", "desk"]
    state = client.get("/v1/displays/desk").json()
    assert (state["name"], state["kind"], state["raw"]["maximum"]) == ("Simulated display left", "simulated", 1000)
    assert client.get("/v1/displays/left").status_code == 404
    client.put("/v1/displays/desk/brightness", json={"brightness": 0.3}).raise_for_status()
    client.post("/v1/displays/desk/boost", json={"holder": "qr"}).raise_for_status()
    client.post("/v1/displays/desk/sleep", json={"holder": "night", "ttl": 60}).raise_for_status()
    assert client.get("/v1/displays/desk").json()["power"]["on"] is False
    client.post("/v1/displays/desk/restore", json={"holder": "night"}).raise_for_status()
    client.post("/v1/displays/desk/restore", json={"holder": "qr"}).raise_for_status()
    state = client.get("/v1/displays/desk").json()
    assert (state["brightness"], state["power"]["on"]) == (0.3, True)


def test_a_page_has_the_brightness_and_a_relay_the_power(start, connect):
    daemon = start("--display", "none", "--pair", "lobby=lobby-page+relay", expects="not connected")
    daemon.line("lobby waits for lobby-page")
    client = connect(daemon)
    with Provider(daemon, PAGE) as page:
        assert page.state["id"] == "lobby-page" and ids(client) == []
        with Provider(daemon, RELAY) as relay:
            assert relay.state["id"] == "lobby" and ids(client) == ["lobby"]
            assert (relay.state["brightness"], relay.state["power"]["switchable"]) == (0.8, True)
            assert client.put(f"{PATH}/brightness", json={"brightness": 0.4}).status_code == 200
            assert page.applied[-1]["raw"] == 40
            client.post(f"{PATH}/sleep", json={"holder": "night", "ttl": 60}).raise_for_status()
            assert client.get(PATH).json()["power"]["on"] is False
            assert relay.applied == [{"display": "relay", "brightness": 1, "raw": 1, "on": False}]
            # A person's hand at either is one at the pair.
            relay.call("changed", display="relay", on=True)
            until(lambda: client.get(PATH).json()["power"]["on"] is True, "the switch is seen")
            assert client.get(PATH).json()["sleep"]["overridden"] is True
            page.call("changed", display="lobby-page", brightness=0.6)
            until(lambda: client.get(PATH).json()["baseline"] == 0.6, "the change is seen")
        until(lambda: not client.get(PATH).json()["available"], "it is gone with the relay")
        page.call("changed", display="lobby-page", brightness=0.5)
        until(lambda: client.get(PATH).json()["baseline"] == 0.5, "the change is seen without the relay")
        with Provider(daemon, RELAY):
            until(lambda: client.get(PATH).json()["available"], "it is back")
            assert client.get(PATH).json()["baseline"] == 0.5
            assert page.call("withdraw", display="lobby-page") == {}
            assert ids(client) == []
            assert page.call("provide", **PAGE)["id"] == "lobby"
            assert client.get(PATH).json()["baseline"] == 0.8


def test_after_a_kill_in_a_boost_it_goes_on_when_its_client_is_back(start, connect, tmp_path):
    options = ("--display", "none", "--pair", "lobby=lobby-page+simulated:tv", "--state-directory", tmp_path)
    daemon = start(*options)
    with Provider(daemon, PAGE):
        client = connect(daemon)
        client.put(f"{PATH}/brightness", json={"brightness": 0.3}).raise_for_status()
        client.post(f"{PATH}/boost", json={"holder": "qr", "ttl": 300}).raise_for_status()
        daemon.kill()
    daemon = start(*options)
    client = connect(daemon)
    assert client.get(PATH).json()["available"] is False
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["waiting"], ready.json()["unavailable"]) == (200, ["lobby"], [])
    with Provider(daemon, PAGE) as page:
        page.shows(raw=100)
        assert client.post(f"{PATH}/restore", json={"holder": "qr"}).json()["baseline"] == 0.3
        page.shows(raw=30)


def test_after_a_kill_in_a_sleep_its_screen_is_lit_although_its_client_does_not_return(start, connect, tmp_path):
    backlight = Backlight(tmp_path / "sys")
    power = backlight.folder / "bl_power"
    options = ("--sysfs-root", backlight.root, "--display", "none", "--state-directory", tmp_path / "state")
    options += ("--pair", f"lobby=lobby-page+backlight:{backlight.name}")
    daemon = start(*options)
    with Provider(daemon, PAGE):
        client = connect(daemon)
        client.post(f"{PATH}/sleep", json={"holder": "night", "ttl": 10}).raise_for_status()
        assert power.read_text().strip() == "4"
        daemon.kill()
    daemon = start(*options)
    client = connect(daemon)
    until(lambda: power.read_text().strip() == "0", "it is lit")
    assert client.get(PATH).json()["available"] is False
    for on, written in [(False, "4"), (True, "0")]:
        client.put(f"{PATH}/power", json={"on": on}).raise_for_status()
        assert power.read_text().strip() == written


def test_the_ids_of_a_pair_and_of_its_device_are_taken(start):
    daemon = start("--display", "none", "--pair", "lobby=lobby-page+simulated:tv")
    with Provider(daemon, {**PAGE, "switchable": True}) as provider:
        for taken in ["lobby", "tv"]:
            assert provider.refusal("provide", **{**PAGE, "id": taken})["type"] == "/problems/display-exists"


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (["lobby"], "invalid value for --pair: \"lobby\""),
        (["lobby=a+b+c"], "expected id=part+part"),
        (["lobby=hall:a+b"], "invalid value for --pair"),
        (["left=a+b"], "--pair left: another display has this id"),
        (["x=a+b", "y=c+a"], "--pair uses a twice"),
        (["x=a+backlight:gone"], "cannot use backlight:gone"),
        (["x=a+cec:200"], "cannot use cec:200: /dev/cec200 does not exist"),
    ],
)
def test_a_wrong_pair_is_an_error(pair, message):
    options = [part for value in pair for part in ("--pair", value)]
    done = run("--listen", "127.0.0.1:0", "--display", "simulated:left", *options)
    assert done.returncode > 0 and message in done.stderr
