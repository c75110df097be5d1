# SPDX-License-Identifier: Apache-2.0
"""SIGTERM restores boosted panels, also when another panel or a sensor hangs."""

import itertools
import os
import time
from contextlib import suppress

import pytest

from support.backlight import Backlight
from support.events import Stream
from support.sensors import Sensor
from support.wire import Connection


@pytest.mark.parametrize(("on_exit", "step"), [(None, 403), ("restore", 403), ("keep", 960)])
def test_a_boosted_panel_is_restored_before_the_end(start, connect, backlight, on_exit, step):
    daemon = start(*backlight.options, *(["--on-exit", on_exit] if on_exit else []))
    connect(daemon).boost()
    assert backlight.step == 960
    daemon.terminate()
    daemon.ended()
    assert backlight.step == step


def boost_all(client):
    assert client.post("/v1/displays/all/boost", json={"ttl": 600}).status_code == 200


def hang(file):
    """Opening the file blocks from now on, as a driver does that hangs."""
    file.unlink()
    os.mkfifo(file)


@pytest.fixture
def two(tmp_path):
    """Two backlights at 40 of 100, and the options that serve them."""
    panels = [Backlight(tmp_path / "sys", name, step=40, maximum=100) for name in ("aa", "bb")]
    return *panels, ("--sysfs-root", tmp_path / "sys", "--display", "backlight:aa", "--display", "backlight:bb")


@pytest.mark.parametrize("seconds", [0, 1.5])
def test_a_panel_that_hangs_delays_no_other(start, connect, two, seconds):
    """With seconds before the end, the daemon's look at what others do hangs already."""
    healthy, hanging, options = two
    daemon = start(*options, expects="bb was not restored in time")
    boost_all(connect(daemon))
    assert (healthy.step, hanging.step) == (100, 100)
    hang(hanging.folder / "brightness")
    time.sleep(seconds)
    assert healthy.is_restored_first(daemon)
    assert healthy.step == 40
    assert "bb was not restored in time" in "\n".join(map(str, daemon.lines))


def test_a_light_sensor_that_hangs_delays_no_restore(start, connect, backlight):
    sensor = Sensor(backlight.root, in_illuminance_input=100)
    hang(sensor.folder / "in_illuminance_input")
    daemon = start(*backlight.options)
    connect(daemon).boost()
    assert backlight.step == 960
    daemon.stop()
    assert backlight.step == 403
    assert "not restored" not in "\n".join(map(str, daemon.lines))


def test_streams_get_the_restore_before_their_end(start, connect, backlight):
    daemon = start(*backlight.options)
    connect(daemon).boost()
    with Stream(daemon.port) as stream:
        assert stream.next("state").data["boost"]
        daemon.terminate()
        events = stream.rest()
        assert [event.data["change"] for event in events if event.name == "boost"][-1] == "stopped"
        last = [event for event in events if event.name == "state"][-1].data
        assert (last["boost"], last["cause"]["kind"], last["cause"]["by"]) == (None, "restore", "brightnessd")
        assert events[-1].name == "retry"
    daemon.ended()


def test_no_request_changes_a_display_after_its_restore(start, connect, two):
    """A connection that is there is served until the streams end, which here waits for a panel that hangs."""
    healthy, hanging, options = two
    daemon = start(*options, expects="bb was not restored in time")
    boost_all(connect(daemon))
    with Connection(daemon.port) as client:
        assert client.request("GET", "/livez").status == 200
        hang(hanging.folder / "brightness")
        daemon.terminate()
        answers = []
        # On a busy machine perhaps none comes between the restore and the end.
        with suppress(AssertionError, OSError):
            while True:
                answers.append(client.request("POST", "/v1/displays/aa/boost", body=b"{}"))
    daemon.ended()
    refused = list(itertools.dropwhile(lambda answer: answer.status != 503, answers))
    assert all("is stopping" in answer.json["detail"] for answer in refused)
    assert healthy.step == 40
