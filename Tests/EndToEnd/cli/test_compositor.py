# SPDX-License-Identifier: Apache-2.0
"""An output of a real compositor as a display: sway without a screen, switched by wlopm.

`BRIGHTNESSD_COMPOSITOR` is the root of a Debian that has both, which `make try-compositor` makes. Without it this machine's are used;
Debian 12 has no wlopm.
"""

import os
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from support.until import TIMEOUT, until

ROOT = os.environ.get("BRIGHTNESSD_COMPOSITOR")
OUTPUT = "HEADLESS-1"
PATH = "/v1/displays/tv"
SCHEDULE = "/v1/schedules/night"

pytestmark = pytest.mark.skipif(
    not ROOT and not (shutil.which("sway") and shutil.which("wlopm")),
    reason="needs sway and wlopm: make try-compositor",
)


class Compositor:
    """sway, as `nobody`: it refuses to run as root."""

    def __init__(self, folder):
        place = Path(ROOT or "/") / str(folder).lstrip("/")
        place.mkdir(parents=True)
        shutil.chown(place, "nobody")
        place.chmod(0o700)
        user = ["chroot", "--userspec=nobody", ROOT or "/"] if os.geteuid() == 0 else []
        self.inside = [*user, "env", f"XDG_RUNTIME_DIR={folder}", "WLR_RENDERER=pixman", "WLR_BACKENDS=headless"]
        self.wlopm = " ".join([*self.inside, "WAYLAND_DISPLAY=wayland-1", "wlopm"])
        self.process = subprocess.Popen(
            [*self.inside, "WLR_LIBINPUT_NO_DEVICES=1", "sway", "--config", "/dev/null"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        until(lambda: self.process.poll() is not None or (place / "wayland-1").exists(), "sway runs")
        assert self.process.poll() is None, self.process.stderr.read()

    @property
    def shown(self):
        return subprocess.run(self.wlopm.split(), capture_output=True, check=True, text=True).stdout.strip()

    def switch(self, power):
        """A person's hand."""
        subprocess.run([*self.wlopm.split(), f"--{power}", OUTPUT], check=True)

    def shows(self, power):
        until(lambda: self.shown == f"{OUTPUT} {power}", f"the output is {power}")


@pytest.fixture
def compositor(tmp_path):
    compositor = Compositor(tmp_path / "compositor")
    yield compositor
    compositor.process.terminate()
    compositor.process.communicate(timeout=TIMEOUT)


def test_a_schedule_switches_an_output_and_a_persons_switch_wins(begin, start, connect, compositor):
    daemon = start("--display", "none")
    client = connect(daemon)
    commands = ["--on", f"{compositor.wlopm} --on {OUTPUT}", "--off", f"{compositor.wlopm} --off {OUTPUT}"]
    begin(daemon, "provide", "tv", *commands, "--get", compositor.wlopm, "--poll", "1s")
    until(lambda: client.get(PATH).status_code == 200, "it is provided")
    compositor.shows("on")
    now = datetime.now()
    night = {
        "displays": ["tv"],
        "from": f"{now - timedelta(hours=1):%H:%M}",
        "to": f"{now + timedelta(hours=1):%H:%M}",
        "sleep": True,
    }
    client.put(SCHEDULE, json=night).raise_for_status()
    compositor.shows("off")
    client.delete(SCHEDULE).raise_for_status()
    compositor.shows("on")
    client.put(SCHEDULE, json=night).raise_for_status()
    compositor.shows("off")
    compositor.switch("on")
    until(lambda: client.get(PATH).json()["power"]["on"], "the person's switch is seen")
    state = client.get(PATH).json()
    assert (state["cause"]["kind"], state["sleep"]["overridden"]) == ("external", True)
    client.delete(SCHEDULE).raise_for_status()
    compositor.shows("on")
