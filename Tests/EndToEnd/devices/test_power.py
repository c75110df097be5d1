# SPDX-License-Identifier: Apache-2.0
"""The power of panels: backlights by bl_power, monitors by DDC/CI, and panels that cannot be switched."""

import itertools
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest

from support.backlight import Backlight
from support.daemon import BINARY
from support.events import Stream
from support.monitor import Helper, becomes
from support.until import until

LEASES = "/v1/displays/intel_backlight/leases"


@pytest.fixture
def backlight(tmp_path):
    return Backlight(tmp_path / "sys")


@pytest.fixture
def run(start, connect, backlight, tmp_path):
    """A daemon on the backlight with one journal for all its runs, and a client of it."""

    def run(*options):
        daemon = start(*backlight.options, "--state-directory", str(tmp_path / "state"), *options)
        return daemon, connect(daemon)

    return run


def power(backlight):
    return (backlight.folder / "bl_power").read_text().strip()


def test_a_lit_backlight_without_a_picture_is_reported(run, backlight):
    connector = backlight.root / "class/drm/card0-eDP-1"
    connector.mkdir(parents=True)
    (connector / "status").write_text("connected\n")

    def sends(word):
        # As on sysfs, no reader finds an empty file.
        (connector / "new").write_text(f"{word}\n")
        (connector / "new").rename(connector / "dpms")

    sends("On")
    daemon, client = run()
    with Stream(daemon.port) as events:
        state = events.next("state", lambda event: "signal" in event.data["power"]).data
        assert state["power"] == {"on": True, "baseline": True, "switchable": True, "signal": True}
        # The desktop blanks the screen, which causes no event of the kernel.
        sends("Off")
        state = events.next("state", lambda event: event.data["limitedBy"] == ["signal"]).data
        assert (state["power"]["on"], state["power"]["signal"], state["cause"]["kind"]) == (True, False, "external")
        assert client.post("/v1/boost").json()["limitedBy"] == ["signal"]
        sends("On")
        events.next("state", lambda event: event.data["limitedBy"] == [])


def test_a_sleep_and_its_end_switch_a_backlight_off_and_on(run, backlight):
    client = run()[1]
    lease = client.post("/v1/sleep", json={"ttl": 600}).json()
    assert (power(backlight), client.state["power"]["on"], client.state["available"]) == ("4", False, True)
    client.set(0.9)
    assert backlight.step == 403
    client.patch(f"{LEASES}/{lease['id']}", json={"ttl": 0.1}).raise_for_status()
    until(lambda: client.state["power"]["on"], "it is on")
    assert (power(backlight), backlight.step) == ("0", 864)
    assert client.state["cause"]["kind"] == "expired"


def test_another_program_that_blanks_a_backlight_is_reported_and_left_alone(run, backlight):
    client = run()[1]
    client.post("/v1/wake", json={"holder": "door"})
    (backlight.folder / "bl_power").write_text("4\n")
    state = client.boost(holder="qr") and client.state
    assert state["power"] == {"on": False, "baseline": True, "switchable": True}
    assert (state["wake"]["overridden"], state["available"], state["limitedBy"]) == (True, True, ["power"])
    assert (client.get("/readyz").status_code, power(backlight)) == (200, "4")
    client.post("/v1/wake", json={"holder": "other"})
    assert (power(backlight), client.state["power"]["on"]) == ("0", True)
    assert backlight.step == 960


@pytest.mark.parametrize(("options", "step"), [((), 403), (("--on-exit", "keep"), 960)])
def test_no_stop_leaves_a_backlight_dark(run, backlight, options, step):
    daemon, client = run(*options)
    client.boost(lifespan="lifetime")
    client.post("/v1/sleep", json={"ttl": 600})
    assert power(backlight) == "4"
    daemon.stop()
    assert (power(backlight), backlight.step) == ("0", step)


def test_a_display_that_people_switched_off_stays_off(run, backlight):
    daemon, client = run()
    client.put("/v1/power", json={"on": False})
    daemon.stop()
    assert power(backlight) == "4"
    daemon, client = run()
    assert client.state["power"] == {"on": False, "baseline": False, "switchable": True}
    client.put("/v1/power", json={"on": True})
    assert power(backlight) == "0"


def test_after_a_crash_a_sleep_with_time_left_goes_on_and_one_without_ends(run, backlight):
    daemon, client = run()
    lease = client.post("/v1/sleep", json={"ttl": 600, "holder": "shop"}).json()
    daemon.kill()
    assert power(backlight) == "4"
    daemon, client = run()
    assert client.state["power"]["on"] is False
    assert [each["id"] for each in client.get(LEASES).json()["leases"]] == [lease["id"]]
    end = client.patch(f"{LEASES}/{lease['id']}", json={"ttl": 5}).json()["until"]
    daemon.kill()
    assert power(backlight) == "4"
    until(lambda: datetime.now(timezone.utc) > datetime.fromisoformat(end), "no time is left")
    client = run()[1]
    until(lambda: power(backlight) == "0", "it is on")
    becomes(client, "no sleep is left", sleep=None)


def test_a_backlight_whose_power_cannot_be_written_refuses_a_sleep(run, backlight):
    (backlight.folder / "bl_power").unlink()
    client = run()[1]
    assert client.state["power"] == {"on": None, "baseline": True, "switchable": False}
    for answer in (client.post("/v1/sleep"), client.put("/v1/power", json={"on": False})):
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/not-switchable")
    assert client.post("/v1/wake").status_code == 201
    assert client.post("/v1/dim").status_code == 201
    answer = client.post("/v1/displays/all/leases", json={"kind": "sleep"})
    assert (answer.status_code, [each["status"] for each in answer.json()["results"]]) == (207, [409])


# MARK: Monitors


def test_a_monitor_is_switched_only_if_it_is_named(serve, machine):
    machine.add()
    client = serve()[1]
    assert client.state["power"]["switchable"] is False
    assert client.put("/v1/power", json={"on": False}).status_code == 409


@pytest.mark.parametrize(("capabilities", "off"), [("(vcp(10 D6(01 02 04)))", 2), ("(vcp(10 D6(01 04 05)))", 4)])
def test_a_monitor_is_switched_with_care(serve, machine, capabilities, off):
    monitor = machine.add()
    (monitor.folder / "capabilities").write_text(capabilities)
    probe = serve()[1]
    name = probe.state["id"]
    client = serve("--ddc-power", name)[1]
    begin = time.monotonic()
    for on in (False, True, False, False, True):
        assert client.put("/v1/power", json={"on": on}).status_code in (200, 202)
    took = time.monotonic() - begin
    becomes(client, "it is on", power={"on": True, "baseline": True, "switchable": True})
    until(lambda: monitor.log("write 0xd6")[-1][1].endswith(" 1"), "the last switch is on")
    switches = monitor.log("write 0xd6")
    # A busy machine may need longer than the two seconds in which further commands replace the second one.
    assert [int(words.split()[-1]) for _, words in switches] == [off, 1] * (1 if took < 2 else len(switches) // 2)
    assert all(later - earlier >= 2 for (earlier, _), (later, _) in itertools.pairwise(switches))
    assert monitor.log("read 0xd6") + monitor.log("verify 0xd6") == []
    assert len(monitor.log("capabilities")) == 1


def test_a_failed_read_of_the_capabilities_chooses_no_power_mode(machine):
    monitor = machine.add()
    (monitor.folder / "capabilities").write_text("(vcp(10 D6(01 02 04)))")
    helper = Helper(machine, Path(BINARY).with_name("brightness-ddc"))
    (name,) = helper.detect()
    monitor.fails(-3007)
    assert helper.ask(do="switch", monitor=name)[0]["error"] == "failed"
    monitor.fails(None)
    assert helper.ask(do="switch", monitor=name)[0]["done"]
    helper.end()
    assert monitor.writes == [2]
