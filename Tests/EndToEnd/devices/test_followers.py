# SPDX-License-Identifier: Apache-2.0
"""A display that follows another one: one knob for both."""

import pytest

from support.backlight import Backlight
from support.until import until


@pytest.fixture
def second(backlight):
    """A second backlight under the same root."""
    return Backlight(backlight.root, "second", step=30, maximum=100)


@pytest.fixture
def begin(start, connect, backlight, second, tmp_path):
    """Starts a daemon in which `second` follows `intel_backlight`; it and a client of it."""

    def begin():
        displays = (*backlight.options, "--display", "backlight:second", "--state-directory", tmp_path / "state")
        daemon = start(*displays, "--follow", "second=intel_backlight")
        return daemon, connect(daemon)

    return begin


def test_a_follower_has_the_brightness_of_its_leader_or_a_persons(begin, backlight, second):
    daemon, client = begin()
    until(lambda: second.step == 42, "the follower is aligned at the first start")
    backlight.step = 480
    state = until(
        lambda: (state := client.get("/v1/displays/second").json())["baseline"] == 0.5 and state,
        "a key on the leader moves the follower",
    )
    assert (state["cause"]["kind"], state["cause"]["by"], second.step) == ("follow", "intel_backlight", 50)
    assert state["follows"] == "intel_backlight"

    client.post("/v1/displays/intel_backlight/boost", json={"holder": "kiosk"})
    client.put("/v1/displays/second/brightness", json={"percent": 60})
    client.put("/v1/displays/intel_backlight/brightness", json={"percent": 45})
    assert (backlight.step, second.step) == (960, 60)

    daemon.kill()
    daemon, client = begin()
    assert client.get("/v1/displays/second").json()["baseline"] == 0.6
    client.put("/v1/displays/intel_backlight/brightness", json={"percent": 20})
    until(lambda: second.step == 20, "it follows again after a greater change")

    client.put("/v1/displays/all/brightness", json={"percent": 70})
    until(lambda: second.step == 70, "all are set")
    second.step = 10
    until(lambda: client.get("/v1/displays/second").json()["cause"]["kind"] == "external", "somebody set it")
    assert client.state["baseline"] == 0.7
