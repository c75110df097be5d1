# SPDX-License-Identifier: Apache-2.0
"""Recovery after `kill -9`: displays are restored, and boosts with time left continue."""

import resource
import sqlite3
from datetime import datetime

import pytest

from support.daemon import run
from support.events import Stream
from support.until import until


@pytest.fixture
def state(tmp_path):
    """A state directory."""
    return tmp_path / "state"


@pytest.fixture
def begin(start, connect, backlight, state):
    """Starts a daemon on the backlight and the state directory; it and a client of it."""

    def begin(*options, **how):
        daemon = start(*backlight.options, "--state-directory", state, *options, **how)
        return daemon, connect(daemon)

    return begin


def time(text):
    return datetime.fromisoformat(text)


def test_a_boost_continues_with_the_time_it_had_left(begin, backlight):
    daemon, client = begin()
    client.set(0.25)
    lease = client.boost(holder="kiosk-3", reason="qr", ttl=60)
    daemon.kill()
    assert backlight.step == 960

    daemon, client = begin()
    state = client.state
    assert (state["brightness"], state["baseline"], state["boost"]["leases"]) == (1, 0.25, 1)
    assert state["cause"]["kind"] == "recovered"
    after = client.get(f"/v1/displays/intel_backlight/leases/{lease['id']}").json()
    assert abs((time(after["until"]) - time(lease["until"])).total_seconds()) < 0.5
    assert {k: v for k, v in after.items() if k != "until"} == {k: v for k, v in lease.items() if k != "until"}
    assert client.post("/v1/restore", json={"holder": "kiosk-3"}).json()["brightness"] == 0.25
    assert backlight.step == 240


def test_what_a_patch_changed_continues(begin, backlight):
    daemon, client = begin()
    path = f"/v1/displays/intel_backlight/leases/{client.boost(holder='kiosk-3', ttl=3_600)['id']}"
    lease = client.patch(path, json={"percent": 75, "lifespan": "visible", "ttl": 600, "reason": "code"}).json()
    assert "holder" in lease.pop("warning")
    daemon.kill()

    daemon, client = begin()
    after = client.get(path).json()
    assert abs((time(after.pop("until")) - time(lease.pop("until"))).total_seconds()) < 0.5
    # Its holder has ten seconds to come back.
    assert (after.pop("ending"), lease.pop("ending")) > (lease["grantedAt"], lease["grantedAt"])
    assert after == lease
    assert (after["brightness"], after["lifespan"], backlight.step) == (0.75, "visible", 720)


def test_a_boost_that_expired_while_the_daemon_was_down_is_restored(begin, backlight):
    daemon, client = begin()
    # Long enough that the kill comes first.
    lease = client.boost(holder="kiosk-3", ttl=5)
    daemon.kill()
    assert backlight.step == 960
    until(lambda: datetime.now(time(lease["until"]).tzinfo) > time(lease["until"]), "the boost's time is over")

    daemon, client = begin()
    until(lambda: backlight.step == 403, "the panel is put back")
    until(lambda: client.state["boost"] is None, "the state says so")
    assert client.state["cause"]["kind"] == "recovered"
    assert client.get(f"/v1/displays/intel_backlight/leases/{lease['id']}").status_code in (404, 410)


def test_a_second_start_changes_nothing_more(begin, backlight):
    daemon, client = begin()
    client.boost(holder="a", brightness=0.75)
    for _ in range(3):
        daemon.kill()
        daemon, client = begin()
        state = client.state
        assert (state["brightness"], state["baseline"], state["boost"]["leases"]) == (0.75, pytest.approx(403 / 960), 1)
        assert backlight.step == 720
    client.post("/v1/restore", json={"all": True}).raise_for_status()
    assert (backlight.step, client.state["boost"]) == (403, None)
    for _ in range(2):
        daemon.kill()
        daemon, client = begin()
        assert (backlight.step, client.state["boost"]) == (403, None)


def test_a_released_boost_stays_released(begin, backlight):
    daemon, client = begin()
    client.boost(holder="a")
    client.boost(holder="b", brightness=0.5)
    client.post("/v1/restore", json={"holder": "a"})
    daemon.kill()
    daemon, client = begin()
    assert [lease["holder"] for lease in client.get("/v1/displays/intel_backlight/boost").json()["leases"]] == ["b"]
    assert backlight.step == 480


def test_a_persons_change_meanwhile_wins(begin, backlight):
    daemon, client = begin()
    client.boost(holder="kiosk-3")
    daemon.kill()
    backlight.step = 96
    daemon, client = begin()
    state = client.state
    assert (state["brightness"], state["baseline"], state["boost"]["overridden"]) == (0.1, 0.1, True)
    client.post("/v1/restore", json={"all": True})
    assert backlight.step == 96


def test_a_visible_boost_waits_ten_seconds_for_its_holder(begin, backlight):
    daemon, client = begin()
    with Stream(daemon.port, "/v1/events?holder=kiosk-3") as stream:
        stream.next("state")
        client.boost(holder="kiosk-3", lifespan="visible")
        daemon.kill()
    daemon, client = begin()
    assert client.state["boost"]["leases"] == 1
    with Stream(daemon.port, "/v1/events?types=boost") as observer:
        assert observer.next("boost").data["change"] == "granted"
        assert observer.next("boost").data["change"] == "disconnected"
    assert backlight.step == 403


def test_a_boost_kept_by_on_exit_continues(begin, backlight):
    daemon, client = begin("--on-exit", "keep")
    client.boost(holder="kiosk-3", ttl=60)
    daemon.terminate()
    daemon.ended()
    assert backlight.step == 960
    daemon, client = begin()
    assert client.state["boost"]["leases"] == 1
    daemon.terminate()
    daemon.ended()
    assert backlight.step == 403
    daemon, client = begin()
    assert (client.state["boost"], client.state["cause"]["kind"]) == (None, "connected")


def test_a_simulated_display_keeps_its_brightness(start, connect, state):
    daemon = start("--state-directory", state)
    connect(daemon).set(0.7)
    daemon.terminate()
    daemon.ended()
    daemon = start("--state-directory", state)
    client = connect(daemon)
    assert (client.state["brightness"], client.state["raw"]["value"], client.state["boost"]) == (0.7, 700, None)
    client.boost(ttl=60)
    client.set(0.6)
    daemon.kill()
    client = connect(start("--state-directory", state))
    assert (client.state["brightness"], client.state["baseline"], client.state["boost"]["overridden"]) == (1, 0.6, False)


def test_a_second_daemon_is_refused(begin, backlight, state):
    daemon, client = begin()
    client.boost()
    done = run("serve", "--listen", "127.0.0.1:0", "--state-directory", str(state), *backlight.options)
    assert done.returncode == 1
    assert f"another brightnessd (process {daemon.pid}) uses {state}" in done.stderr
    assert "--state-directory" in done.stderr
    assert (backlight.step, client.state["boost"]["leases"]) == (960, 1)


def test_without_a_state_directory_nothing_is_kept(start, connect, backlight):
    daemon = start(*backlight.options, "--state-directory", "none")
    client = connect(daemon)
    assert client.get("/readyz").json()["journal"] == {"state": "off", "detail": None}
    client.boost()
    daemon.kill()
    client = connect(start(*backlight.options, "--state-directory", "none"))
    assert (client.state["boost"], client.state["baseline"]) == (None, 1)


@pytest.mark.parametrize("damage", ["garbage", "cut short", "a hole in it"])
def test_a_damaged_journal_is_set_aside(begin, backlight, state, damage):
    daemon, client = begin()
    client.boost(holder="kiosk-3")
    daemon.terminate()
    daemon.ended()
    file = state / "journal.db"
    good = file.read_bytes()
    bad = {
        "garbage": b"this is not a database\n" * 1_000,
        "cut short": good[: len(good) // 2],
        "a hole in it": good[:4_096] + bytes(len(good) - 4_096),
    }[damage]
    file.write_bytes(bad)

    daemon, client = begin()
    daemon.line("state file: recreated")
    assert client.get("/readyz").json()["journal"]["state"] == "durable"
    (aside,) = state.glob("journal.db.damaged-*[0-9]")
    assert aside.read_bytes() == bad
    client.boost(holder="kiosk-3")
    daemon.kill()
    daemon, client = begin()
    assert client.state["boost"]["leases"] == 1


@pytest.mark.parametrize(("options", "step"), [((), 240), (("--on-boot", "keep"), 960)])
def test_after_a_restart_of_the_machine_the_baseline_from_before_is_in_force(begin, backlight, state, options, step):
    daemon, client = begin()
    client.set(0.25)
    daemon.stop()
    with sqlite3.connect(state / "journal.db") as journal:
        journal.execute("UPDATE boot SET id = 'another'")
        journal.execute("UPDATE record SET body = json_set(body, '$.boot', 'another') WHERE kind = 'display'")
    journal.close()
    backlight.step = 960
    daemon, client = begin(*options)
    until(lambda: (backlight.step, client.state["baseline"]) == (step, step / 960), "it is as the option says")
    # A later choice stays, as long as the machine runs.
    client.set(0.5)
    daemon.stop()
    backlight.step = 720
    daemon, client = begin(*options)
    assert client.state["baseline"] == 0.75


@pytest.mark.parametrize("version", [7, 99, -1])
def test_a_journal_of_another_version_is_set_aside(begin, state, version):
    daemon, _ = begin()
    daemon.terminate()
    daemon.ended()
    with sqlite3.connect(state / "journal.db") as journal:
        journal.execute(f"PRAGMA user_version = {version}")
    journal.close()
    daemon, client = begin()
    line = daemon.line("state file: recreated.*").group(0)
    (aside,) = state.glob(f"journal.db.version-{version}-*[0-9]")
    assert f"has version {version} of the tables" in line and str(aside) in line


def test_an_unusable_state_directory_does_not_prevent_boosts(start, connect, backlight, tmp_path):
    (tmp_path / "file").write_text("not a directory")
    daemon = start(*backlight.options, "--state-directory", tmp_path / "file" / "state", expects="state file")
    client = connect(daemon)
    client.boost()
    assert backlight.step == 960
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["journal"]["state"]) == (200, "failing")
    assert str(tmp_path) not in ready.text


def test_a_full_disk_ends_no_boost(begin, backlight):
    daemon, client = begin(expects="state file")
    client.boost(holder="a", brightness=0.5)
    limits = resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE)
    # Enough for a file of sysfs, and not for one more page of the journal.
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (1_024, limits[1]))
    client.boost(holder="b")
    client.post("/v1/restore", json={"holder": "a"})
    assert backlight.step == 960
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["journal"]["state"]) == (200, "failing")
    assert "disk" in ready.json()["journal"]["detail"]

    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, limits)
    until(lambda: client.get("/readyz").json()["journal"]["state"] == "durable", "what was missed is written")
    daemon.kill()
    daemon, client = begin()
    assert [lease["holder"] for lease in client.get("/v1/displays/intel_backlight/boost").json()["leases"]] == ["b"]
