# SPDX-License-Identifier: Apache-2.0
"""Idle and presence: input devices by umockdev, a proximity sensor, and what a start and a stop do."""

import os
from contextlib import suppress

import pytest

from support.backlight import Backlight
from support.sensors import Sensor
from support.testbed import Testbed
from support.until import until

IDLE = ("--idle-dim", "1:0.1")
KEY_EVENT = bytes(24)


@pytest.fixture
def testbed():
    with Testbed() as testbed:
        yield testbed


class Keyboard:
    """An input device: a named pipe that the daemon sees in /dev/input."""

    def __init__(self, testbed, name="event0"):
        self.path = testbed.root / "dev/input" / name
        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(self.path, 0o660)
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)

    def press(self):
        os.write(self._descriptor, KEY_EVENT)

    def unplug(self):
        self.path.unlink()
        os.close(self._descriptor)


def dimmed(client):
    until(lambda: client.state["dim"], "it is dimmed")
    return client.state


def bright(client, act):
    """Acts until the display is seen bright: on a busy machine it is dimmed again before it is looked at."""

    def looked():
        act()
        state = client.state
        return not state["dim"] and state

    return until(looked, "it is bright")


@pytest.fixture
def serve(start, connect, testbed):
    def serve(*options, **how):
        return connect(start(*options, env=testbed.environment, prefix=testbed.prefix, **how))

    return serve


def test_a_display_is_dimmed_and_a_key_ends_that_at_once(serve, testbed):
    keyboard = Keyboard(testbed)
    client = serve("--display", "simulated", *IDLE)
    client.set(0.6)
    state = dimmed(client)
    assert (state["brightness"], state["baseline"], state["limitedBy"]) == (0.1, 0.6, ["dim"])
    (lease,) = client.get("/v1/dim").json()["leases"]
    assert (lease["holder"], lease["principal"], lease["until"]) == ("idle", "brightnessd", None)
    cause = state["cause"]
    assert (cause["kind"], cause["by"], cause["principal"]) == ("idle", "idle", "brightnessd")
    state = bright(client, keyboard.press)
    assert (state["brightness"], state["cause"]["kind"]) == (0.6, "idle")
    dimmed(client)


def test_a_device_that_is_plugged_in_later_counts(serve, testbed):
    (testbed.root / "dev/input").mkdir(parents=True)
    client = serve("--display", "simulated", *IDLE)
    dimmed(client)
    keyboard = Keyboard(testbed, "event9")
    bright(client, keyboard.press)
    keyboard.unplug()
    dimmed(client)
    # By the same name, which the daemon may not have closed yet.
    again = Keyboard(testbed, "event9")
    bright(client, again.press)


def test_without_an_idle_option_no_input_device_is_opened(serve, testbed, start):
    keyboard = Keyboard(testbed)
    daemon = start("--display", "simulated", "--presence-wake", "5", env=testbed.environment, prefix=testbed.prefix)
    for number in os.listdir(f"/proc/{daemon.pid}/fd"):
        # Others may be closed in that moment.
        with suppress(FileNotFoundError):
            assert os.readlink(f"/proc/{daemon.pid}/fd/{number}") != str(keyboard.path)


def test_a_page_reports_activity(start, connect):
    client = connect(start(*IDLE, "--idle-sleep", "2"))
    until(lambda: client.state["power"]["on"] is False, "it is off")

    def report():
        answer = client.post("/v1/activity")
        assert (answer.status_code, answer.content) == (204, b"")
        return client.state["power"]["on"]

    until(report, "it is on")
    assert client.post("/v1/activity", json={}).status_code == 204
    answer = client.post("/v1/activity", json={"key": "a"})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/key")
    assert client.get("/v1/activity").status_code == 405


def test_activity_requires_the_scope_write(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("page:write:page-0123456789abcdef\nwall:read:wall-0123456789abcdef\n")
    client = connect(start("--token-file", tokens))
    for token, status in (("page-0123456789abcdef", 204), ("wall-0123456789abcdef", 403), (None, 401)):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        assert client.post("/v1/activity", headers=headers).status_code == status


def test_the_answer_to_a_change_has_the_display_as_it_is_afterwards(start, connect):
    client = connect(start(*IDLE))
    dimmed(client)
    state = client.set(0.7)
    assert (state["brightness"], state["dim"], state["limitedBy"]) == (0.7, None, [])
    dimmed(client)
    assert client.boost(brightness=0.9, ttl=60)["limitedBy"] == []
    assert client.state["brightness"] == 0.9


def test_a_renewed_boost_does_not_count_as_activity(start, connect):
    client = connect(start("--idle-dim", "2:0.1"))
    lease = client.boost(holder="kiosk-3", ttl=60)
    client.patch("/v1/simulator", json={"slider": 0.3})
    until(lambda: client.state["boost"]["overridden"], "a person changed it")
    dimmed(client)
    client.boost(holder="kiosk-3", ttl=60)
    client.patch(f"/v1/displays/simulated/leases/{lease['id']}", json={"ttl": 90})
    assert client.state["brightness"] == 0.1


def test_a_persons_hand_overrides_the_dim(start, connect):
    client = connect(start(*IDLE))
    client.set(0.6)
    dimmed(client)
    client.patch("/v1/simulator", json={"slider": 0.4})
    until(lambda: client.state["dim"]["overridden"], "it is overridden")
    assert (client.state["brightness"], client.state["baseline"]) == (0.4, 0.4)
    bright(client, lambda: client.post("/v1/activity"))


@pytest.fixture
def backlight(tmp_path):
    return Backlight(tmp_path / "sys")


def power(backlight):
    return (backlight.folder / "bl_power").read_text().strip()


def test_a_panel_that_was_switched_off_is_on_after_a_crash_and_a_stop(start, connect, backlight, tmp_path):
    common = (*backlight.options, "--state-directory", tmp_path / "state", "--on-exit", "keep")
    daemon = start(*common, "--idle-sleep", "1", *IDLE)
    until(lambda: power(backlight) == "4", "it is off")
    daemon.kill()
    assert power(backlight) == "4"
    # Long enough that only the start itself switches it on.
    daemon = start(*common, "--idle-sleep", "3600")
    until(lambda: power(backlight) == "0" and backlight.step == 403, "it is on")
    client = connect(daemon)
    until(lambda: client.get("/v1/leases").json()["leases"] == [], "no lease is left")
    daemon.stop()
    daemon = start(*common, "--idle-sleep", "1", *IDLE)
    until(lambda: power(backlight) == "4", "it is off")
    daemon.stop()
    # Neither dark nor dimmed, although boosts and dims of others are kept.
    assert (power(backlight), backlight.step) == ("0", 403)


@pytest.fixture
def denied(testbed):
    """A device that the daemon may not read: nobody may, where tests do not run as root."""
    keyboard = Keyboard(testbed)
    keyboard.path.chmod(0)
    return keyboard


def test_a_denied_device_is_reported_with_the_remedy(serve, start, testbed, denied):
    if os.geteuid() == 0:
        prefix = (*testbed.prefix, "setpriv", "--bounding-set=-all", "--inh-caps=-all")
    else:
        prefix = testbed.prefix
    daemon = start("--display", "simulated", *IDLE, env=testbed.environment, prefix=prefix)
    daemon.line("event0: permission denied.*group input")


def test_somebody_near_keeps_a_display_on(start, connect):
    # The sensor of the simulated room counts while a display is simulated.
    client = connect(start("--presence-wake", "1"))
    client.patch("/v1/simulator", json={"near": True})
    until(lambda: client.state["wake"], "it is kept on")
    assert (client.state["cause"]["kind"], client.state["cause"]["by"]) == ("presence", "presence")
    client.patch("/v1/simulator", json={"near": False})
    until(lambda: client.state["wake"] is None, "that is over")


def test_a_proximity_sensor_wakes_a_sleeping_panel(start, connect, backlight):
    sensor = Sensor(backlight.root, in_proximity_raw=2, in_proximity_nearlevel=50)
    client = connect(start(*backlight.options, "--idle-sleep", "1", "--presence-wake", "1"))
    until(lambda: power(backlight) == "4", "it is off")
    sensor.write(in_proximity_raw=80)
    until(lambda: power(backlight) == "0", "it is on")
    (lease,) = until(lambda: client.get("/v1/wake").json()["leases"], "the wake is in force")
    assert (lease["holder"], lease["principal"]) == ("presence", "brightnessd")
    sensor.write(in_proximity_raw=2)
    until(lambda: power(backlight) == "4", "it is off again")
    sensor.vanish()
    until(lambda: client.post("/v1/activity") and power(backlight) == "0", "it is on")


def test_a_proximity_sensor_may_be_plugged_in_later(start, connect, backlight):
    client = connect(start(*backlight.options, "--presence-wake", "60"))
    Sensor(backlight.root, in_proximity0_raw=80, in_proximity_nearlevel=50)
    until(lambda: client.state["wake"], "it is kept on")
    assert client.state["cause"]["kind"] == "presence"
