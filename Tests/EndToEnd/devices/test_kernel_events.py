# SPDX-License-Identifier: Apache-2.0
"""Kernel events of backlights and LEDs, by umockdev: the daemon sees a mocked /sys."""

import pytest
from playwright.sync_api import expect

from support.events import Stream
from support.testbed import Testbed
from support.until import until



@pytest.fixture
def testbed():
    with Testbed() as testbed:
        yield testbed


@pytest.fixture
def serve(start, connect, testbed):
    """Starts a daemon on the testbed's devices; a client of it."""

    def serve(*options, **how):
        chosen = options or ("--display", "auto")
        daemon = start(*chosen, env=testbed.environment, prefix=testbed.prefix, **how)
        client = connect(daemon)
        client.port = daemon.port
        return client

    return serve


def test_another_programs_write_is_external(serve, testbed):
    folder = testbed.add_backlight()
    client = serve()
    assert (client.state["id"], client.state["name"]) == ("intel_backlight", "Built-in display")
    # Without a stream: a poll might find the file empty, which brightnessctl truncates here and not on sysfs.
    testbed.run("brightnessctl", "set", "70%")
    testbed.uevent(folder, source="sysfs")
    state = until(lambda: (state := client.state)["raw"]["value"] == 672 and state, "it is noticed")
    assert (state["percent"], state["cause"]["kind"]) == (70, "external")


@pytest.fixture
def press(testbed):
    """Presses a key that sets a backlight to this step. A daemon that has only just started may find it by itself."""

    def press(client, folder, step):
        testbed.set(folder / "brightness", str(step))
        testbed.uevent(folder, source="hotkey")
        until(lambda: client.state["raw"]["value"] == step, "it shows")
        return client.state["cause"]["kind"]

    return press


def test_a_brightness_key_is_a_hotkey(serve, testbed, press):
    """No stream is open, so changes are found only by kernel events."""
    folder = testbed.add_backlight()
    client = serve()
    press(client, folder, 500)
    assert press(client, folder, 480) == "hotkey"
    assert client.state["percent"] == 50


def test_the_daemons_own_write_is_not_external(serve, testbed):
    folder = testbed.add_backlight()
    client = serve()
    with Stream(client.port) as stream:
        stream.next("state")

        def next_state():
            state = stream.next("state").data
            return state["percent"], state["cause"]["kind"]

        for percent in (70, 30):
            client.put("/v1/brightness", json={"percent": percent})
            # The kernel sends this after any write.
            testbed.uevent(folder, source="sysfs")
            assert next_state() == (percent, "api")
        testbed.set(folder / "brightness", "960")
        testbed.uevent(folder, source="sysfs")
        assert next_state() == (100, "external")


def test_a_key_during_a_boost_overrides_it(serve, testbed, press):
    folder = testbed.add_backlight()
    client = serve()
    press(client, folder, 500)
    client.boost(holder="kiosk-3")
    assert press(client, folder, 192) == "hotkey"
    assert client.state["boost"]["overridden"]
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    assert (folder / "brightness").read_text() == "192"


@pytest.fixture
def idle_dimmer(monkeypatch, testbed, tmp_path):
    """Runs brightnessctl with these arguments, as hypridle does."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    def idle_dimmer(folder, *arguments):
        testbed.run("brightnessctl", *arguments)
        testbed.uevent(folder, source="sysfs")

    return idle_dimmer


def test_a_dimmer_that_restores_during_a_boost_keeps_the_boost(serve, testbed, idle_dimmer):
    folder = testbed.add_backlight()
    client = serve()
    client.boost(holder="kiosk-3", ttl=600)
    for _ in range(2):
        idle_dimmer(folder, "--save", "set", "10%")
        until(lambda: client.state["boost"]["overridden"], "it is dimmed")
        assert client.state["raw"]["value"] == 96
        idle_dimmer(folder, "--restore")
        until(lambda: not client.state["boost"]["overridden"], "the boost is back")
        assert (client.state["raw"]["value"], client.state["baseline"]) == (960, pytest.approx(403 / 960))
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    assert (folder / "brightness").read_text() == "403"


def test_a_dimmer_that_restores_after_a_boost_restores_the_baseline(serve, testbed, idle_dimmer):
    folder = testbed.add_backlight()
    client = serve()
    client.boost(holder="kiosk-3", ttl=600)
    idle_dimmer(folder, "--save", "set", "10%")
    until(lambda: client.state["boost"]["overridden"], "it is dimmed")
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    assert (folder / "brightness").read_text().strip() == "96"
    idle_dimmer(folder, "--restore")
    until(lambda: client.state["raw"]["value"] == 403, "it is as before the boost")
    assert (folder / "brightness").read_text() == "403"
    assert client.state["baseline"] == pytest.approx(403 / 960)


def test_an_unplugged_panel_is_removed_and_added_again(serve, testbed):
    folder = testbed.add_backlight()
    client = serve(expects="intel_backlight")
    client.put("/v1/brightness", json={"percent": 70})
    client.boost(holder="kiosk-3", ttl=600)
    with Stream(client.port) as stream:
        stream.next("boost")
        testbed.remove(folder)
        assert stream.next("display").data == {"id": "intel_backlight", "change": "removed"}
        assert client.get("/v1/displays").json()["displays"] == []
        gone = client.get("/v1/displays/intel_backlight").json()
        assert (gone["available"], gone["baseline"], gone["boost"]["leases"]) == (False, 0.7, 1)
        assert client.put("/v1/brightness", json={"percent": 20}).status_code == 503
        with Stream(client.port) as newcomer:
            folder = testbed.add_backlight(step=5)
            assert newcomer.next("boost").data["change"] == "granted"
        back = stream.next("state", lambda event: event.data["available"]).data
        assert stream.next("display").data == {"id": "intel_backlight", "change": "added"}
    assert (back["baseline"], back["brightness"]) == (0.7, 1)
    assert (folder / "brightness").read_text() == "960"
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    assert (folder / "brightness").read_text() == "672"


def test_a_named_display_stays_listed_while_it_is_absent(serve, testbed):
    folder = testbed.add_backlight()
    client = serve("--display", "backlight:intel_backlight", expects="intel_backlight")
    testbed.remove(folder)
    until(lambda: not client.state["available"], "it is missed")
    assert [state["id"] for state in client.get("/v1/displays").json()["displays"]] == ["intel_backlight"]
    testbed.add_backlight()
    until(lambda: client.state["available"], "it is back")


def test_the_first_backlight_takes_the_place_of_the_simulated_display(serve, testbed):
    client = serve()
    assert client.state["kind"] == "simulated"
    until(lambda: client.get("/v1/ambient").json().get("source") == "sensor", "the room's sensors are asked")
    with Stream(client.port) as stream:
        # From here on the stream has every change.
        stream.next("health")
        testbed.add_backlight()
        changes = [stream.next("display").data for _ in range(2)]
    assert changes == [
        {"id": "intel_backlight", "change": "added"},
        {"id": "simulated", "change": "removed"},
    ]
    assert client.state["id"] == "intel_backlight"
    # With it ends the simulated room.
    assert client.get("/v1/simulator").status_code == 404

    def begin():
        with Stream(client.port, "/v1/events?types=simulator,display,health") as stream:
            return [stream.block().name for _ in range(3)]

    until(lambda: begin() == ["retry", "health", "synced"], "no stream has the room")
    # The light of the simulated room is none for a real display.
    until(lambda: client.get("/v1/ambient").json().get("source") == "brightness", "its light is gone, too")
    testbed.add_backlight("second")
    until(lambda: len(client.get("/v1/displays").json()["displays"]) == 2, "the second is here")


def test_the_dashboard_follows_displays_that_come_and_go(new_context, serve, testbed):
    client = serve(expects="intel_backlight|second")
    # The room may go while the page asks for it.
    page = new_context(expects="404 .*").new_page()
    page.goto(str(client.base_url))
    cards = page.locator("article h2 bdi")
    expect(cards).to_have_text(["Simulated display"])
    folder = testbed.add_backlight()
    expect(cards).to_have_text(["Built-in display"])
    testbed.add_backlight("second")
    expect(cards).to_have_text(["Built-in display", "second"])
    client.boost(lifespan="lifetime", holder="kiosk-3")
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(1)
    testbed.remove(folder)
    expect(cards).to_have_text(["second"])
    client.post("/v1/displays/intel_backlight/restore", json={"all": True})
    testbed.add_backlight()
    expect(cards).to_have_text(["Built-in display", "second"])
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(0)


def test_an_excluded_display_is_not_served(serve, testbed):
    testbed.add_backlight("first")
    testbed.add_backlight("second")
    client = serve("--display", "auto", "--exclude-display", "first")
    assert [state["id"] for state in client.get("/v1/displays").json()["displays"]] == ["second"]


def test_a_panel_that_was_off_gets_its_brightness_when_it_is_on(serve, testbed):
    """Another program writes to bl_power, which the kernel does not report."""
    folder = testbed.add_backlight()
    client = serve()
    testbed.set(folder / "bl_power", "4")
    until(lambda: client.state["power"]["on"] is False, "it is off")
    assert (client.state["cause"]["kind"], client.state["available"]) == ("external", True)
    assert client.put("/v1/brightness", json={"percent": 70}).json()["percent"] == 70
    assert (folder / "brightness").read_text() == "403"
    testbed.set(folder / "bl_power", "0")
    until(lambda: client.state["power"]["on"], "it is on")
    assert (folder / "brightness").read_text() == "672"
    assert client.state["cause"]["kind"] == "external"


def test_an_led_is_served_by_its_name(serve, testbed):
    folder = testbed.add("leds", "tpacpi::kbd_backlight", brightness=1, max_brightness=2, trigger="[none] timer")
    client = serve("--display", "led:tpacpi::kbd_backlight")
    assert (client.state["kind"], client.state["raw"]) == ("led", {"value": 1, "maximum": 2})
    client.boost()
    assert (folder / "brightness").read_text() == "2"
    client.post("/v1/restore")
    assert (folder / "brightness").read_text() == "1"
    testbed.set(folder / "brightness", "2")
    until(lambda: client.state["raw"]["value"] == 2, "another program is seen writing")
    assert client.state["cause"]["kind"] == "external"
