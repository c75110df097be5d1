# SPDX-License-Identifier: Apache-2.0
"""An agent in the session switches the output of a compositor, as the how-to shows it."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from support.brightness import start_brightness
from support.until import until

OUTPUT = "HEADLESS-1"
PATH = "/v1/displays/tv"

pytestmark = pytest.mark.skipif(
    not (shutil.which("sway") and shutil.which("wlopm")), reason="needs sway and wlopm, which Debian 13 has"
)


@pytest.fixture
def session():
    """A headless session of sway: the environment of its programs."""
    # A socket's path is short.
    folder = Path(tempfile.mkdtemp(prefix="sway-"))
    config = folder / "config"
    config.write_text("xwayland disable\n")
    headless = {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}
    environment = {"XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
    compositor = subprocess.Popen(
        ["sway", "-c", config], env=os.environ | environment | headless, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        [socket] = until(lambda: list(folder.glob("wayland-[0-9]")), "the compositor runs")
        environment["WAYLAND_DISPLAY"] = socket.name
        until(lambda: wlopm(environment).endswith(" on"), "its output is on")
        wlopm(environment, "--off", OUTPUT)
        if not wlopm(environment).endswith(" off"):
            pytest.skip("before wlroots 0.16 a headless output cannot be switched")
        wlopm(environment, "--on", OUTPUT)
        yield environment
    finally:
        compositor.terminate()
        compositor.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def wlopm(environment, *words):
    done = subprocess.run(["wlopm", *words], env=os.environ | environment, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_schedule_switches_the_output_and_a_persons_switch_wins(start, connect, session):
    client = connect(start("--display", "none", expects="not connected"))
    commands = ["--on", f"wlopm --on {OUTPUT}", "--off", f"wlopm --off {OUTPUT}", "--get", "wlopm", "--poll", "1s"]
    agent = start_brightness("provide", "tv", *commands, BRIGHTNESS_SERVER=str(client.base_url), **session)
    try:
        until(lambda: client.get(PATH).status_code == 200, "it is provided")
        night = {"from": "00:00", "to": "23:59", "sleep": True, "displays": ["tv"], "transition": 0}
        # Of two that adjoin at any time of the day one is in force.
        client.put("/v1/schedules/night", json=night).raise_for_status()
        client.put("/v1/schedules/late", json=night | {"from": "23:59", "to": "00:00"}).raise_for_status()
        until(lambda: wlopm(session).endswith(" off"), "the output is off")
        assert client.get(PATH).json()["limitedBy"] == ["sleep"]
        wlopm(session, "--on", OUTPUT)
        until(lambda: client.get(PATH).json()["power"]["on"], "the agent has seen it")
        state = client.get(PATH).json()
        assert (state["sleep"]["overridden"], state["cause"]["kind"]) == (True, "external")
        assert wlopm(session).endswith(" on")
        for name in ("night", "late"):
            client.delete(f"/v1/schedules/{name}").raise_for_status()
        client.post(f"{PATH}/sleep", json={"holder": "night", "ttl": 60}).raise_for_status()
        until(lambda: wlopm(session).endswith(" off"), "a new sleep switches it off")
        client.post(f"{PATH}/restore", json={"holder": "night"}).raise_for_status()
        until(lambda: wlopm(session).endswith(" on"), "it is on again")
    finally:
        agent.terminate()
        agent.communicate(timeout=30)
