# SPDX-License-Identifier: Apache-2.0
"""Automatic brightness: a display follows the light in the simulated room, and people win."""

from datetime import datetime

import pytest
from playwright.sync_api import expect

from support.daemon import Daemon
from support.events import Stream
from support.remote import Remote
from support.sensors import Sensor
from support.until import TIMEOUT, until


# 20 % in the dark, 40 % at 99 lux, 80 % at 10,000.
OPTIONS = ["--auto-hold", "3600", "--auto-curve", "0:0.2,99:0.4,10000:0.8"]
AUTO = "/v1/displays/simulated/auto"
EVENTS = "/v1/events?types=state"


@pytest.fixture(scope="module")
def daemon():
    daemon = Daemon("--shards", "1", *OPTIONS)
    yield daemon
    daemon.stop()


class Room:
    """The daemon's room and its display."""

    def __init__(self, client, display="simulated"):
        self.client = client
        self.path = f"/v1/displays/{display}"

    def change(self, **what):
        answer = self.client.patch("/v1/simulator", json=what)
        assert answer.status_code == 200, answer.text

    def light(self, lux):
        """Sets the light and waits until the daemon has read it, which is soon, since a client watches."""
        with Stream(self.client.base_url.port, EVENTS):
            self.change(front=lux, back=0)
            until(lambda: self.client.get("/v1/ambient").json().get("illuminance") == lux, f"{lux} lux")

    def auto(self, enabled=True, **more):
        answer = self.client.put(f"{self.path}/auto", json={"enabled": enabled} | more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def state(self):
        return self.client.get(self.path).json()

    def is_at(self, baseline):
        until(lambda: self.state["baseline"] == pytest.approx(baseline, abs=0.001), f"{baseline}")


@pytest.fixture
def room(client):
    """99 lux; the display is at a half, follows nothing and has learned nothing."""
    room = Room(client)
    room.change(script=None, frontCovered=False, backCovered=False, near=False)
    room.light(99)
    room.auto(False, forget=True)
    client.reset()
    return room


def test_a_display_follows_the_light_once_auto_is_on(daemon, client, room):
    state = room.auto(holder="maria", reason="too dark")
    assert state["baseline"] == pytest.approx(0.4, abs=0.001)
    assert state["auto"] == {"enabled": True, "heldUntil": None, "waiting": None}
    who = {"by": "maria", "principal": "anonymous"}
    assert state["cause"] | {"at": None} == {"kind": "auto", **who, "reason": "too dark", "at": None}
    with Stream(daemon.port, EVENTS) as stream:
        room.light(10_000)
        brighter = stream.next("state", lambda event: event.data["baseline"] > 0.7).data
        assert brighter["cause"]["kind"] == "auto"
    room.is_at(0.8)
    until(lambda: room.state["raw"]["value"] == 800, "the panel is there")


def test_a_display_stays_where_it_is_while_auto_is_off(client, room):
    room.auto()
    before = room.auto(False)
    assert before["auto"] == {"enabled": False, "heldUntil": None, "waiting": None}
    room.light(10_000)
    assert room.state == before


def test_a_reflection_does_not_move_the_display(daemon, client, room):
    def back(lux):
        room.change(back=lux)
        until(lambda: client.get("/v1/ambient").json()["sensors"][1]["illuminance"] == lux, f"{lux} lux behind")

    room.auto()
    with Stream(daemon.port, EVENTS) as stream:
        stream.next("state")
        back(50)
        room.change(script="reflection", seconds=0.8)
        until(lambda: client.get("/v1/simulator").json()["script"] is None, "the reflection is over")
        # Less light counts after four seconds: until then the sensors were read often enough.
        back(0)
        room.light(10_000)
        # An event of the reflection would be the first one, with 2,475 lux.
        assert stream.next("state").data["baseline"] == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("how", ["put", "patch", "slider"])
def test_a_persons_change_holds_auto_until_it_is_switched_on_again(client, room, how):
    before = room.auto()
    if how == "put":
        client.set(0.6, holder="maria")
    elif how == "patch":
        client.patch("/v1/brightness", json={"delta": 0.2})
    else:
        # A step of the way to 40 % may overwrite it.
        until(lambda: room.change(slider=0.6) or room.state["auto"]["heldUntil"], "it is noticed")
    until(lambda: room.state["auto"]["heldUntil"], "it is held")
    held = room.state
    assert held["auto"]["enabled"]
    left = datetime.fromisoformat(held["auto"]["heldUntil"]) - datetime.fromisoformat(held["cause"]["at"])
    assert left.total_seconds() == pytest.approx(3600, abs=1)
    room.light(10_000)
    assert room.state == held
    assert before["baseline"] != held["baseline"]
    back = room.auto()
    assert back["auto"] == {"enabled": True, "heldUntil": None, "waiting": None}
    assert back["baseline"] == pytest.approx(0.8, abs=0.001)
    # It has learned.
    room.light(99)
    room.is_at(0.6)
    assert room.auto(forget=True)["baseline"] == pytest.approx(0.4, abs=0.001)


def test_a_hold_ends_by_itself(start, connect):
    daemon = start("--auto-hold", "1", "--auto-curve", "0:0.2,99:0.4,10000:0.8")
    client = connect(daemon)
    room = Room(client)
    room.light(99)
    room.auto()
    client.set(0.6)
    ended = until(lambda: (state := client.state)["cause"]["kind"] == "auto" and state, "the hold has ended")
    assert ended["auto"] == {"enabled": True, "heldUntil": None, "waiting": None}


def test_a_boost_ends_at_the_brightness_for_the_current_light(client, room):
    room.auto()
    client.boost(holder="kiosk-3", ttl=600)
    room.light(10_000)
    room.is_at(0.8)
    state = room.state
    assert (state["brightness"], state["boost"]["leases"], state["boost"]["overridden"]) == (1, 1, False)
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    state = room.state
    assert state["brightness"] == pytest.approx(0.8, abs=0.001)
    assert state["auto"] == {"enabled": True, "heldUntil": None, "waiting": None}


def test_if_match_guards_the_switch(client, room):
    tag = client.etag
    client.set(0.3)
    answer = client.put(AUTO, json={"enabled": True}, headers={"If-Match": tag})
    assert (answer.status_code, room.state["auto"]["enabled"]) == (412, False)
    answer = client.put(AUTO, json={"enabled": True}, headers={"If-Match": client.etag})
    assert (answer.status_code, room.state["auto"]["enabled"]) == (200, True)


def test_auto_is_switched_over_a_websocket(daemon, client, room):
    with Remote(daemon, "/v1/ws?holder=kiosk-3") as remote:
        state = remote.call("auto", enabled=True)
    assert (state["auto"]["enabled"], state["cause"]["by"]) == (True, "kiosk-3")
    assert room.state == state


def test_auto_of_all_switches_every_display(start, connect):
    client = connect(start("--display", "simulated:left", "--display", "simulated:right", *OPTIONS))
    room = Room(client, "right")
    room.light(99)
    results = client.put("/v1/displays/all/auto", json={"enabled": True}).json()["results"]
    assert [(result["display"], result["state"]["auto"]["enabled"]) for result in results] == [
        ("left", True),
        ("right", True),
    ]
    room.light(10_000)
    room.is_at(0.8)
    Room(client, "left").is_at(0.8)


def test_the_switch_the_hold_and_the_learned_curve_survive_a_crash(start, connect, tmp_path):
    options = [*OPTIONS, "--state-directory", tmp_path]
    daemon = start(*options)
    room = Room(connect(daemon))
    room.light(99)
    room.auto()
    room.client.set(0.6)
    # A lesson is written within a second, or together with an earlier write: a boost is answered when it is safe.
    room.client.boost(ttl=60)
    room.client.post("/v1/restore")
    held = room.state
    daemon.kill()

    room = Room(connect(start(*options)))
    assert room.state["auto"]["enabled"]
    before, now = (datetime.fromisoformat(state["auto"]["heldUntil"]) for state in (held, room.state))
    assert (now - before).total_seconds() == pytest.approx(0, abs=1)
    room.light(99)
    assert room.state["baseline"] == 0.6
    assert room.auto()["baseline"] == pytest.approx(0.6, abs=0.001)
    room.light(10_000)
    room.is_at(0.8)


def test_a_display_switched_off_stays_off_whatever_the_default(start, connect, tmp_path):
    options = ["--auto", "on", "--state-directory", tmp_path]
    daemon = start(*options)
    client = connect(daemon)
    assert client.state["auto"]["enabled"]
    assert client.put(AUTO, json={"enabled": False}).status_code == 200
    daemon.kill()
    assert not connect(start(*options)).state["auto"]["enabled"]


def test_auto_works_without_a_journal(start, connect):
    room = Room(connect(start("--state-directory", "none", *OPTIONS)))
    room.light(99)
    room.auto()
    room.client.set(0.6)
    assert room.auto()["baseline"] == pytest.approx(0.6, abs=0.001)


def test_auto_without_a_sensor_is_rejected(start, connect, backlight):
    client = connect(start(*backlight.options, "--auto", "on"))
    before = until(lambda: (state := client.state)["auto"]["waiting"] and state, "it waits for a sensor")
    for path in (f"/v1/displays/{before['id']}/auto", "/v1/displays/all/auto"):
        answer = client.put(path, json={"enabled": True})
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/no-light-sensor")
    assert client.state == before
    assert client.put(f"/v1/displays/{before['id']}/auto", json={"enabled": False}).status_code == 200
    assert client.state["brightness"] == before["brightness"]


def test_a_display_with_nothing_to_follow_waits_and_is_reported(start, connect, backlight):
    daemon = start(*backlight.options, "--auto", "on")
    client = connect(daemon)
    waiting = {"enabled": True, "heldUntil": None, "waiting": "sensor"}

    def auto(expected):
        until(lambda: client.state["auto"]["waiting"] == expected, f"waiting is {expected}", 2 * TIMEOUT)

    auto("sensor")
    assert client.state["auto"] == waiting
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["waiting"]) == (200, ["intel_backlight"])
    assert daemon.line("automatic brightness is on, but no light sensor has a reading")
    sensor = Sensor(backlight.root, in_illuminance_input=120)
    auto(None)
    assert client.get("/readyz").json()["waiting"] == []
    sensor.vanish()
    auto("sensor")
    assert client.put("/v1/auto", json={"enabled": False}).json()["auto"]["waiting"] is None


def test_the_dashboard_switches_auto(new_context, daemon, client, room):
    page = new_context().new_page()
    page.goto(daemon.url)
    switch = page.get_by_role("switch", name="Automatic")
    resume = page.get_by_role("button", name="Resume")
    expect(switch).not_to_be_checked()
    switch.click()
    expect(switch).to_be_checked()
    expect(page.get_by_test_id("baseline")).to_have_text("40%")
    expect(resume).to_be_hidden()
    client.set(0.6)
    expect(page.get_by_test_id("held")).to_contain_text("held until")
    resume.click()
    expect(page.get_by_test_id("held")).to_be_empty()
    expect(resume).to_be_hidden()
    expect(switch).to_be_checked()
    room.light(10_000)
    expect(page.get_by_test_id("baseline")).to_have_text("80%")
    expect(page.get_by_test_id("cause")).to_contain_text("Automatic brightness changed it")
