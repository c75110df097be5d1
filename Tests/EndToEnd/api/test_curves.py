# SPDX-License-Identifier: Apache-2.0
"""Curves: how the brightness of a display maps to the steps of its panel."""

import pytest

from support.daemon import run
from support.remote import Remote
from support.until import until

POINTS = [[0, 0.03], [0.5, 0.3], [1, 0.8]]
SETTINGS = "/v1/displays/{}/settings"
STEPS = {
    # One number that is sent to both, and the steps of 1,000 that a person sees.
    0: (10, 10, 30),
    0.25: (250, 44, 165),
    0.5: (500, 184, 300),
    0.75: (750, 483, 550),
    1: (1000, 1000, 800),
}


def steps(client):
    return {state["id"]: state["raw"]["value"] for state in client.get("/v1/displays").json()["displays"]}


@pytest.fixture
def three(start, connect):
    """A client of three displays with different curves, of which none is darker than 1 %."""
    displays = [option for name in ("a", "b", "c") for option in ("--display", f"simulated:{name}")]
    return connect(
        start(*displays, "--min-brightness", "0.01", "--curve", "b=perceptual", "--curve", "c=0:3,50:30,100:80")
    )


def test_one_number_is_a_step_of_each_curve(three):
    for brightness, expected in STEPS.items():
        three.put("/v1/displays/all/brightness", json={"brightness": brightness})
        assert tuple(steps(three).values()) == expected
        shown = [state["brightness"] for state in three.get("/v1/displays").json()["displays"]]
        # The lowest step of the first and the second is above their zero.
        assert shown == [brightness] * 3 if brightness else shown[2] == 0


def test_the_state_and_the_settings_have_the_curve(three):
    curves = [state.get("curve") for state in three.get("/v1/displays").json()["displays"]]
    assert curves == [None, "perceptual", POINTS]
    assert three.get(SETTINGS.format("b")).json()["curve"] is None
    state = three.put(SETTINGS.format("b"), json={"curve": POINTS}).json()
    assert (state["curve"], state["cause"]["kind"]) == (POINTS, "settings")
    assert three.get(SETTINGS.format("b")).json()["curve"] == POINTS
    assert "curve" not in three.put(SETTINGS.format("b"), json={"curve": "linear"}).json()
    assert three.get(SETTINGS.format("b")).json()["curve"] == "linear"
    assert three.put(SETTINGS.format("b"), json={"curve": None}).json()["curve"] == "perceptual"


def test_a_new_curve_keeps_the_brightness_and_moves_the_panel(start, connect, backlight):
    client = connect(start(*backlight.options))
    client.set(0.5)
    assert backlight.step == 480
    for curve, step in [("perceptual", 177), (POINTS, 288), (None, 480)]:
        state = client.put(SETTINGS.format("intel_backlight"), json={"curve": curve}).json()
        assert (state["brightness"], state["raw"]["value"], backlight.step) == (0.5, step, step)


def test_a_curve_and_a_name_are_set_apart(three):
    three.put(SETTINGS.format("a"), json={"name": "Left"})
    three.put(SETTINGS.format("a"), json={"curve": "perceptual"})
    settings = three.get(SETTINGS.format("a")).json()
    assert (settings["name"], settings["curve"]) == ("Left", "perceptual")


def test_a_persons_step_outside_the_range_stays(start, connect, backlight):
    client = connect(start(*backlight.options, "--curve", "intel_backlight=0:3,50:30,100:80"))
    client.set(0.5)
    backlight.step = 900
    until(lambda: client.state["raw"]["value"] == 900, "the step is noticed")
    assert client.state["brightness"] == 1
    lease = client.post("/v1/dim", json={"brightness": 0.5}).json()
    assert backlight.step == 288
    client.delete(f"/v1/displays/intel_backlight/leases/{lease['id']}")
    assert (backlight.step, client.state["brightness"]) == (900, 1)
    backlight.step = 10
    until(lambda: client.state["raw"]["value"] == 10, "the step is noticed")
    assert client.state["brightness"] == 0
    state = client.put("/v1/brightness", json={"raw": 930}).json()
    assert (state["brightness"], state["raw"]["value"], backlight.step) == (1, 930, 930)


def test_a_curve_and_its_brightness_survive_a_crash_during_a_boost(start, connect, backlight, tmp_path):
    options = (*backlight.options, "--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    client.put(SETTINGS.format("intel_backlight"), json={"curve": POINTS})
    client.set(0.5)
    client.boost(holder="kiosk-3")
    assert backlight.step == 768
    daemon.kill()
    client = connect(start(*options))
    state = client.state
    assert (state["baseline"], state["brightness"], state["curve"], backlight.step) == (0.5, 1, POINTS, 768)
    assert client.post("/v1/restore", json={"holder": "kiosk-3"}).json()["raw"]["value"] == 288


@pytest.mark.parametrize(
    "text",
    ["", "a", "a=", "a=log", "=linear", "a=0:3", "a=0:3,100:80,", "a=0:80,100:3", "a=5:3,100:80", "a:b=linear", "a=0:3,100:101"],
)
def test_a_bad_option_is_a_usage_error(text):
    done = run("serve", "--curve", text)
    assert done.returncode == 64
    assert "id=percent:percent,… such as DP-1=0:3,50:30,100:80" in done.stderr


def test_the_variable_has_several_curves(start, connect):
    options = ("--display", "simulated:a", "--display", "simulated:b")
    client = connect(start(*options, env={"BRIGHTNESSD_CURVE": "a=0:3,50:30,100:80,b=perceptual"}))
    assert [state["curve"] for state in client.get("/v1/displays").json()["displays"]] == [POINTS, "perceptual"]


def test_a_display_that_cannot_be_dimmed_has_no_curve(start, connect):
    daemon = start()
    client = connect(daemon)
    with Remote(daemon) as remote:
        remote.call("provide", id="relay", maximum=None, switchable=True)
        answer = client.put(SETTINGS.format("relay"), json={"curve": "perceptual", "name": "Left"})
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/not-dimmable")
        assert client.get(SETTINGS.format("relay")).json()["name"] is None
        assert client.put(SETTINGS.format("relay"), json={"curve": None, "name": "Left"}).json()["name"] == "Left"


def test_a_gateway_shows_the_curve_and_moves_by_it(start, connect, broker):
    east = start("--display", "simulated:panel", "--curve", "panel=perceptual", "--mqtt", broker.url("east"))
    edge = connect(start("--display", "none", "--mqtt", broker.url("edge"), "--mirror", "b/+"))
    path = "/v1/displays/east:panel"
    until(lambda: edge.get(path).status_code == 200 and edge.get(path).json()["available"], "it is shown")
    assert edge.get(path).json()["curve"] == "perceptual"
    edge.put(f"{path}/brightness", json={"brightness": 0.5})
    state = edge.patch(f"{path}/brightness", json={"delta": 0.25}).json()
    assert (state["brightness"], state["raw"]["value"]) == (pytest.approx(0.75, abs=0.001), 483)
    state = edge.put(f"{path}/settings", json={"curve": POINTS}).json()
    assert (state["curve"], state["raw"]["value"]) == (POINTS, 550)
    assert connect(east).state["curve"] == POINTS
