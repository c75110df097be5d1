# SPDX-License-Identifier: Apache-2.0
"""Kernel backlights, in a directory with the files of /sys."""

import pytest

from support.backlight import Backlight
from support.events import Stream
from support.schedules import clock
from support.until import until


@pytest.fixture
def panel(start, connect, backlight):
    """A daemon that drives the backlight, and a client of it."""
    daemon = start(*backlight.options, expects="intel_backlight")
    return daemon, connect(daemon)


def test_the_state_shows_the_backlights_files(panel, backlight):
    state = panel[1].state
    assert (state["id"], state["kind"], state["available"]) == ("intel_backlight", "backlight", True)
    assert state["raw"] == {"value": 403, "maximum": 960}
    assert (state["percent"], state["cause"]["kind"]) == (42, "connected")
    assert state["brightness"] == state["baseline"] == pytest.approx(403 / 960)


def test_set_boost_and_restore_write_the_file(panel, backlight):
    client = panel[1]
    assert client.set(0.5)["raw"]["value"] == backlight.step == 480
    client.boost(holder="kiosk-3")
    assert backlight.step == 960
    client.set(0.25)
    assert backlight.step == 960
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    assert backlight.step == 240
    assert client.patch("/v1/brightness", json={"delta": -0.0001}).json()["raw"]["value"] == backlight.step == 239


def test_a_backlight_is_never_set_to_zero(panel, backlight):
    """Many panels are off at step 0."""
    panel[1].set(0)
    assert backlight.step >= 1


def test_another_programs_change_is_an_event(panel, backlight):
    daemon, client = panel
    with Stream(daemon.port) as stream:
        stream.next("state")
        backlight.step = 480
        state = stream.next("state").data
    assert (state["raw"]["value"], state["baseline"], state["cause"]["kind"]) == (480, 0.5, "external")
    assert client.state == state


def test_a_persons_change_overrides_a_boost(panel, backlight):
    daemon, client = panel
    client.boost()
    with Stream(daemon.port) as stream:
        stream.next("state")
        backlight.step = 192
        state = stream.next("state").data
    assert (state["brightness"], state["baseline"], state["boost"]["overridden"]) == (0.2, 0.2, True)
    assert client.post("/v1/restore").json()["brightness"] == 0.2
    assert backlight.step == 192


@pytest.mark.parametrize("order", ["restores, unblanks", "unblanks, restores"])
@pytest.mark.parametrize("boosted", [False, True])
def test_a_program_for_idle_screens_dims_blanks_and_restores(panel, backlight, order, boosted):
    daemon, client = panel
    if boosted:
        client.boost(holder="qr")
    power, saved = backlight.folder / "bl_power", backlight.step
    with Stream(daemon.port) as stream:
        stream.next("state")
        backlight.step = 96
        stream.next("state", lambda event: event.data["raw"]["value"] == 96)
        power.write_text("4\n")
        stream.next("state", lambda event: event.data["power"]["on"] is False)
        for act in order.split(", "):
            if act == "restores":
                backlight.step = saved
            else:
                power.write_text("0\n")
        stream.next(
            "state", lambda event: event.data["power"]["on"] and event.data["raw"]["value"] == saved
        )
    client.post("/v1/restore", json={"holder": "qr"})
    assert (backlight.step, client.state["raw"]["value"]) == (403, 403)


def test_an_unplugged_panel_is_unavailable_until_it_is_back(panel, backlight):
    daemon, client = panel
    with Stream(daemon.port) as stream:
        stream.next("state")
        backlight.unplug()
        refused = client.put("/v1/brightness", json={"brightness": 0.5})
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) >= 1
        assert client.post("/v1/boost").status_code == 503

        gone = stream.next("state", lambda event: not event.data["available"]).data
        assert (gone["baseline"], gone["boost"]) == (pytest.approx(403 / 960), None)
        assert client.get("/v1/brightness").status_code == 200
        readiness = client.get("/readyz")
        assert (readiness.status_code, readiness.json()["ready"]) == (503, False)
        assert "intel_backlight" in readiness.text
        assert client.get("/livez").status_code == 200

        backlight.plug()
        back = stream.next("state", lambda event: event.data["available"]).data
    assert back["cause"]["kind"] == "connected"
    assert client.get("/readyz").status_code == 200
    assert client.set(0.5)["raw"]["value"] == backlight.step == 480


def test_a_boosted_panel_that_comes_back_dim_is_raised_again(panel, backlight):
    daemon, client = panel
    client.boost()
    with Stream(daemon.port) as stream:
        backlight.unplug()
        assert client.put("/v1/brightness", json={"brightness": 0.5}).status_code == 503
        stream.next("state", lambda event: not event.data["available"])
        (backlight.root / "unplugged/brightness").write_text("100\n")
        backlight.plug()
        state = stream.next("state", lambda event: event.data["available"]).data
    assert backlight.step == state["raw"]["value"] == 960
    assert state["baseline"] == pytest.approx(403 / 960)


def test_a_panel_without_write_permission_is_a_problem(start, connect, backlight):
    """Without the capability that lets root write anything."""
    brightness = backlight.folder / "brightness"
    brightness.chmod(0o444)
    drop = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
    client = connect(start(*backlight.options, prefix=drop, expects="intel_backlight"))
    assert client.state["raw"]["value"] == 403
    before = client.state
    assert client.put("/v1/brightness", json={"brightness": 0.5}).status_code == 503
    assert client.post("/v1/boost").status_code == 503
    after = client.state
    assert (after["baseline"], after["boost"], backlight.step) == (before["baseline"], None, 403)

    brightness.chmod(0o644)
    until(lambda: client.put("/v1/brightness", json={"brightness": 0.5}).status_code == 200, "it can be set again")
    assert backlight.step == 480
    assert client.state["available"]


def test_a_panel_is_found_without_a_display_option(start, connect, backlight):
    Backlight(backlight.root, "second", step=5, maximum=10)
    daemon = start("--sysfs-root", backlight.root, "--display", "auto")
    displays = connect(daemon).get("/v1/displays").json()["displays"]
    assert {display["id"] for display in displays} == {"intel_backlight", "second"}


@pytest.mark.parametrize("selection", ["auto", "backlight:backlight@0", "backlight:backlight_0"])
def test_a_device_tree_name_is_a_valid_selection(start, connect, tmp_path, selection):
    """ClockworkPi's uConsole and kiosk images with a PWM backlight have `backlight@0`."""
    backlight = Backlight(tmp_path / "sys", "backlight@0")
    daemon = start("--sysfs-root", backlight.root, "--display", selection)
    client = connect(daemon)
    state = client.get("/v1/displays/backlight_0").json()
    assert (state["id"], state["kind"], state["raw"]["value"]) == ("backlight_0", "backlight", 403)
    assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == ["backlight_0"]
    client.set(0.5)
    assert backlight.step == 480
    daemon.stop()


@pytest.mark.parametrize("name", ["all", "ambient", "capabilities", "illuminance", "status"])
def test_a_panel_named_like_a_path_of_the_api_gets_another_id(start, connect, tmp_path, name):
    backlight = Backlight(tmp_path / "sys", name)
    client = connect(start("--sysfs-root", backlight.root, "--display", f"backlight:{name}"))
    assert client.state["id"] == f"{name}_"
    client.set(0.5)
    assert backlight.step == 480


def test_a_panel_that_flaps_at_first_is_found_when_it_stays(start, connect, tmp_path):
    """A backlight is listed but unreadable: its driver is not ready. The simulated display stays until it is."""
    (tmp_path / "sys/class/backlight").mkdir(parents=True)
    daemon = start("--sysfs-root", tmp_path / "sys", "--display", "auto", expects="simulated")
    client = connect(daemon)
    assert client.state["kind"] == "simulated"
    backlight = Backlight(tmp_path / "sys")
    for _ in range(3):
        backlight.unplug()
        backlight.plug()
    until(lambda: client.state["id"] == "intel_backlight", "it is taken")
    assert client.set(0.5)["raw"]["value"] == backlight.step == 480


def test_a_backlight_that_the_kernel_renames_keeps_what_people_set(start, connect, tmp_path):
    backlight = Backlight(tmp_path / "sys", "amdgpu_bl0")
    options = ("--sysfs-root", backlight.root, "--display", "auto", "--state-directory", tmp_path / "state", "--time-zone", "UTC")
    daemon = start(*options, expects="amdgpu_bl0")
    client = connect(daemon)
    client.set(0.5)
    client.put("/v1/displays/amdgpu_bl0/settings", json={"name": "Lobby"})
    night = {"dim": 0.2, "from": clock(120), "to": clock(180), "displays": ["amdgpu_bl0"]}
    assert client.put("/v1/schedules/night", json=night).status_code == 201
    client.boost(ttl=600)
    daemon.kill()
    backlight.folder.rename(backlight.folder.with_name("amdgpu_bl1"))
    daemon = start(*options, expects="amdgpu_bl")
    client = connect(daemon)
    state = client.state
    assert (state["id"], state["name"], state["baseline"], state["boost"]["leases"]) == ("amdgpu_bl0", "Lobby", 0.5, 1)
    assert client.get("/v1/schedules/night").json()["displays"] == ["amdgpu_bl0"]
    client.post("/v1/restore", json={"all": True})
    assert (backlight.folder.with_name("amdgpu_bl1") / "brightness").read_text() == "480"


def test_a_panel_with_one_step_is_at_its_maximum(start, connect, tmp_path):
    """A `gpio-backlight` is on or off, and off would be dark."""
    backlight = Backlight(tmp_path / "sys", "gpio", step=1, maximum=1)
    client = connect(start(*backlight.options))
    state = client.set(0)
    assert (state["brightness"], state["percent"], state["raw"]["value"], backlight.step) == (1, 100, 1, 1)


def test_the_state_reports_the_configured_minimum(start, connect, tmp_path):
    backlight = Backlight(tmp_path / "sys", "panel", step=50, maximum=100)
    client = connect(start(*backlight.options, "--min-brightness", "0.2"))
    state = client.set(0)
    assert (state["brightness"], state["baseline"], state["percent"], backlight.step) == (0.2, 0.2, 20, 20)
    client.boost(brightness=0.1)
    assert (client.state["brightness"], backlight.step) == (0.2, 20)
    moved = client.patch("/v1/brightness", json={"delta": 0.1}).json()
    assert (moved["brightness"], backlight.step) == (pytest.approx(0.3), 30)


@pytest.mark.parametrize("maximum", [1, 2, 255])
def test_an_led_can_be_switched_off(start, connect, tmp_path, maximum):
    folder = tmp_path / "sys/class/leds/tpacpi::kbd_backlight"
    folder.mkdir(parents=True)
    (folder / "max_brightness").write_text(f"{maximum}\n")
    (folder / "brightness").write_text(f"{maximum}\n")
    client = connect(start("--sysfs-root", tmp_path / "sys", "--display", "led:tpacpi::kbd_backlight"))
    state = client.set(0)
    assert (state["brightness"], state["raw"]["value"]) == (0, 0)
    assert int((folder / "brightness").read_text()) == 0
    client.boost()
    assert int((folder / "brightness").read_text()) == maximum
    client.post("/v1/restore")
    assert int((folder / "brightness").read_text()) == 0


def test_without_a_panel_a_simulated_display_is_served(start, connect, tmp_path):
    daemon = start("--sysfs-root", tmp_path, "--display", "auto")
    assert connect(daemon).state["kind"] == "simulated"
    daemon.line("(?i)simulated")
