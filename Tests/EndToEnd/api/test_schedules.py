# SPDX-License-Identifier: Apache-2.0
"""Schedules: leases that the daemon takes and releases by the clock."""

from datetime import datetime, timedelta, timezone
from urllib.parse import quote

import pytest

from support.events import Stream
from support.schedules import clock, day
from support.until import until

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
HOLDER = "schedule:night"


@pytest.fixture
def serve(start, connect):
    """A client of a daemon whose schedules are in UTC."""

    def serve(*options, **how):
        return connect(start("--time-zone", "UTC", *options, **how))

    return serve


def settled(client, holds):
    """The first state of the default display for which this holds."""
    return until(lambda: (state := client.state) and holds(state) and state, "the state")


def put(client, name="night", **schedule):
    body = {"from": clock(-5), "to": clock(30)} | schedule
    answer = client.put(f"/v1/schedules/{name}", json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def test_a_schedule_is_in_force_as_soon_as_it_is_put(serve):
    client = serve()
    client.set(0.8)
    answer = client.put("/v1/schedules/night", json={"from": clock(-5), "to": clock(30), "dim": 0.2})
    schedule = answer.json()
    assert (answer.status_code, answer.headers["location"]) == (201, "/v1/schedules/night")
    assert (schedule["displays"], schedule["days"], schedule["dim"]) == (["all"], DAYS, 0.2)
    assert (schedule["active"], schedule["next"]["change"]) == (True, "end")
    assert client.get("/v1/schedules/night").json() == schedule
    listed = {"clockSet": True, "utcOffset": 0, "sun": None, "schedules": [schedule]}
    assert client.get("/v1/schedules").json() == listed
    state = settled(client, lambda state: state["brightness"] == 0.2)
    assert (state["baseline"], state["limitedBy"]) == (0.8, ["dim"])
    assert (state["cause"]["kind"], state["cause"]["by"], state["cause"]["principal"]) == ("schedule", HOLDER, "brightnessd")
    (lease,) = client.get("/v1/dim").json()["leases"]
    assert (lease["holder"], lease["principal"], lease["until"]) == (HOLDER, "brightnessd", None)

    assert client.delete("/v1/schedules/night").status_code == 204
    state = settled(client, lambda state: state["brightness"] == 0.8)
    assert (state["cause"]["kind"], state["cause"]["by"]) == ("schedule", HOLDER)
    assert client.delete("/v1/schedules/night").status_code == 404
    assert client.get("/v1/schedules/night").status_code == 404


def test_a_paused_schedule_is_kept_and_not_carried_out(start, connect, tmp_path):
    options = ("--time-zone", "UTC", "--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    client.set(0.8)
    put(client, dim=0.2)
    settled(client, lambda state: state["brightness"] == 0.2)
    answer = client.patch("/v1/schedules/night", json={"paused": True})
    assert answer.status_code == 200, answer.text
    assert [answer.json()[member] for member in ("paused", "active", "next", "dim")] == [True, False, None, 0.2]
    settled(client, lambda state: state["brightness"] == 0.8)
    assert client.get("/v1/dim").json()["leases"] == []
    assert client.patch("/v1/schedules/night", json={"paused": True}).status_code == 200

    daemon.stop()
    client = connect(start(*options))
    assert client.get("/v1/schedules/night").json()["paused"] is True
    assert client.state["brightness"] == 0.8
    assert client.patch("/v1/schedules/night", json={"paused": False}).json()["active"] is True
    settled(client, lambda state: state["brightness"] == 0.2)
    # PUT replaces the whole: a schedule may begin paused, and without the member it is not paused.
    assert put(client, dim=0.2, paused=True)["active"] is False
    assert put(client, dim=0.2)["paused"] is False


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [("night", {}, 422), ("night", {"paused": "yes"}, 422), ("night", {"dim": 0.1}, 422), ("nihgt", {"paused": True}, 404)],
)
def test_a_wrong_pause_changes_nothing(client, name, body, status):
    schedule = put(client, dim=0.2)
    answer = client.patch(f"/v1/schedules/{name}", json=body)
    assert answer.status_code == status, answer.text
    if status == 404:
        assert 'Did you mean "night"?' in answer.json()["detail"]
    assert client.get("/v1/schedules/night").json() == schedule
    # The other tests of this daemon begin without a schedule.
    assert client.delete("/v1/schedules/night").status_code == 204


def test_displays_that_are_not_there_are_named_and_groups_rejected(serve):
    client = serve("--group", "lobby=*")
    body = {"from": clock(60), "to": clock(90), "dim": 0.2}
    assert "warning" not in client.put("/v1/schedules/a", json=body | {"displays": ["simulated"]}).json()
    answer = client.put("/v1/schedules/b", json=body | {"displays": ["simulated", "left", "right"]})
    assert (answer.status_code, "no display left, right now" in answer.json()["warning"]) == (201, True)
    assert "warning" not in client.get("/v1/schedules/b").json()
    for name in ("group:lobby", "tag:floor1"):
        answer = client.put("/v1/schedules/c", json=body | {"displays": [name]})
        assert (answer.status_code, name in answer.json()["detail"]) == (422, True)
    assert client.get("/v1/schedules/c").status_code == 404


def test_a_schedule_for_all_without_a_display_of_its_own_has_a_warning(start, connect):
    client = connect(start("--display", "none"))
    body = {"from": clock(60), "to": clock(90), "dim": 0.2, "displays": ["all"]}
    answer = client.put("/v1/schedules/a", json=body)
    assert (answer.status_code, "no display of its own now" in answer.json()["warning"]) == (201, True)
    assert client.get("/v1/schedules/a").json()["displays"] == ["all"]


@pytest.mark.parametrize(
    ("effect", "brightness", "on"),
    [({"dim": 0.1}, 0.1, True), ({"boost": 0.9}, 0.9, True), ({"sleep": True}, 0.5, False), ({"brightness": 0.3}, 0.3, True)],
)
def test_each_effect_begins_and_ends(serve, effect, brightness, on):
    client = serve()
    client.set(0.5)
    put(client, **effect)
    settled(client, lambda state: (state["brightness"], state["power"]["on"]) == (brightness, on))
    put(client, **effect, **{"from": clock(-30), "to": clock(-5)})
    ended = 0.3 if "brightness" in effect else 0.5
    settled(client, lambda state: (state["brightness"], state["power"]["on"]) == (ended, True))


def test_a_person_wins_until_the_interval_ends(start, connect, backlight):
    client = connect(start(*backlight.options, "--time-zone", "UTC"))
    client.set(0.8)
    put(client, dim=0.2)
    settled(client, lambda state: state["brightness"] == pytest.approx(0.2, abs=0.01))
    backlight.step = 600
    settled(client, lambda state: state["dim"]["overridden"])
    # The same lease with another brightness: it stays overridden.
    put(client, dim=0.1)
    state = client.state
    assert (state["raw"]["value"], state["dim"]["overridden"]) == (600, True)


def test_the_lease_of_a_schedule_can_be_released_but_not_changed(serve):
    client = serve()
    put(client, dim=0.2)
    (lease,) = settled(client, lambda state: state["dim"]) and client.get("/v1/dim").json()["leases"]
    path = f"/v1/displays/{lease['display']}/leases/{lease['id']}"
    answer = client.patch(path, json={"brightness": 0.4})
    assert (answer.status_code, "holds this lease" in answer.json()["detail"]) == (403, True)
    assert client.get("/v1/dim").json()["leases"] == [lease]
    assert client.delete(path).status_code == 200


def test_restore_all_ends_it_until_its_next_start(serve):
    client = serve()
    client.set(0.8)
    put(client, dim=0.2)
    settled(client, lambda state: state["brightness"] == 0.2)
    assert client.post("/v1/restore", json={"all": True}).json()["brightness"] == 0.8
    # Another schedule lets the daemon look at all of them again.
    put(client, name="later", dim=0.1, **{"from": clock(60), "to": clock(90)})
    assert client.state["brightness"] == 0.8


def test_every_change_is_an_event_over_both_kinds_of_stream(serve):
    client = serve()
    with Stream(client.base_url.port, "/v1/events?types=schedule") as stream:
        put(client, dim=0.2)
        assert stream.next("schedule").data == client.get("/v1/schedules/night").json()
        client.delete("/v1/schedules/night")
        assert stream.next("schedule", lambda event: "removed" in event.data).data == {"name": "night", "removed": True}


def test_a_restart_in_the_middle_goes_on_and_keeps_a_persons_change(start, connect, backlight, tmp_path):
    options = (*backlight.options, "--time-zone", "UTC", "--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    client.set(0.8)
    kept = put(client, dim=0.2, transition=0)
    settled(client, lambda state: state["brightness"] == pytest.approx(0.2, abs=0.01))
    daemon.kill()
    daemon = start(*options)
    client = connect(daemon)
    assert client.get("/v1/schedules").json()["schedules"] == [kept]
    state = settled(client, lambda state: state["dim"] and state["dim"]["until"] is None)
    assert (state["brightness"], state["baseline"]) == (pytest.approx(0.2, abs=0.01), pytest.approx(0.8, abs=0.01))
    backlight.step = 700
    settled(client, lambda state: state["dim"]["overridden"])
    for end in ("kill", "stop"):
        getattr(daemon, end)()
        daemon = start(*options)
        client = connect(daemon)
        state = settled(client, lambda state: state["dim"] and state["dim"]["until"] is None)
        assert (state["raw"]["value"], state["dim"]["overridden"]) == (700, True), end


def test_a_brightness_that_was_set_is_not_set_again_by_a_restart(start, connect, tmp_path):
    options = ("--time-zone", "UTC", "--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    put(client, brightness=0.3)
    settled(client, lambda state: state["brightness"] == 0.3)
    client.set(0.9)
    # A kill may come before the journal has the 0.9, and then the display begins at 0.3.
    daemon.stop()
    client = connect(start(*options))
    put(client, name="other", dim=1, **{"from": clock(60), "to": clock(90)})
    assert client.state["baseline"] != 0.3


def test_an_interval_that_ended_while_the_daemon_was_down_is_over(start, connect, tmp_path):
    state = tmp_path / "state"
    options = ("--time-zone", "UTC", "--state-directory", state)
    daemon = start(*options)
    client = connect(daemon)
    client.set(0.8)
    put(client, dim=0.2, days=[day(-5)])
    settled(client, lambda state: state["brightness"] == 0.2)
    daemon.kill()
    # In another time zone the interval is not now.
    client = connect(start("--time-zone", "Asia/Kathmandu", "--state-directory", state))
    settled(client, lambda state: state["dim"] is None)
    assert client.get("/v1/schedules/night").json()["active"] is False


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"to": "07:00", "dim": 0.2}, "/from"),
        ({"from": "22:00", "dim": 0.2}, "/to"),
        ({"from": "22:00", "to": "22:00", "dim": 0.2}, "/to"),
        ({"from": "25:00", "to": "07:00", "dim": 0.2}, "/from"),
        ({"from": "22:00", "to": "07:00"}, ""),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "sleep": True}, "/sleep"),
        ({"from": "22:00", "to": "07:00", "sleep": False}, "/sleep"),
        ({"from": "22:00", "to": "07:00", "dim": 2}, "/dim"),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "days": []}, "/days"),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "days": ["monday"]}, "/days"),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "displays": ["all", "simulated"]}, "/displays"),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "name": "day"}, "/name"),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "active": True}, "/active"),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "paused": 1}, "/paused"),
        ({"from": "22:00", "to": "07:00", "dim": 0.2, "transition": -1}, "/transition"),
        ({"from": "sunset", "to": "07:00", "dim": 0.2}, "/from"),
    ],
)
def test_an_invalid_schedule_is_rejected_with_its_fault(client, body, pointer):
    answer = client.put("/v1/schedules/night", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer, answer.text
    assert client.get("/v1/schedules").json()["schedules"] == []


@pytest.mark.parametrize("name", ["Gute Nacht", "夜", "🌙", "50% dim?", "a" * 64, "ö" * 64, "...", "schedule:night"])
def test_a_name_is_what_a_person_writes_and_kept(start, connect, tmp_path, name):
    options = ("--time-zone", "UTC", "--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    path = f"/v1/schedules/{quote(name, safe='')}"
    answer = client.put(path, json={"from": clock(-5), "to": clock(30), "dim": 0.2})
    assert (answer.status_code, answer.headers["location"], answer.json()["name"]) == (201, path, name)
    state = settled(client, lambda state: state["brightness"] == 0.2)
    assert state["cause"]["by"] == f"schedule:{name}"
    daemon.stop()
    again = connect(start(*options))
    assert [schedule["name"] for schedule in again.get("/v1/schedules").json()["schedules"]] == [name]
    assert again.delete(path).status_code == 204
    assert again.get("/v1/schedules").json()["schedules"] == []


def test_a_name_that_is_not_utf_8_is_rejected(client):
    answer = client.put("/v1/schedules/%FF%FE", json={"from": clock(60), "to": clock(90), "dim": 0.2})
    assert (answer.status_code, "1 to 64 characters" in answer.json()["detail"]) == (422, True)
    assert client.get("/v1/schedules").json()["schedules"] == []


def test_a_name_that_is_composed_otherwise_is_the_same_after_a_restart_too(start, connect, tmp_path):
    options = ("--time-zone", "UTC", "--state-directory", tmp_path / "state")
    composed, combining = "/v1/schedules/Zo%C3%AB", "/v1/schedules/Zoe%CC%88"
    body = {"from": clock(60), "to": clock(90), "dim": 0.2}
    daemon = start(*options)
    client = connect(daemon)
    assert client.put(composed, json=body).status_code == 201
    assert client.put(combining, json=body | {"dim": 0.3}).status_code == 200
    daemon.stop()
    daemon = start(*options)
    client = connect(daemon)
    assert [(schedule["name"], schedule["dim"]) for schedule in client.get("/v1/schedules").json()["schedules"]] == [("Zo\u00eb", 0.3)]
    assert client.delete(combining).status_code == 204
    daemon.stop()
    assert connect(start(*options)).get("/v1/schedules").json()["schedules"] == []


@pytest.mark.parametrize("name", [" night", "night ", "\tnight", "a" * 65, "ö" * 65, "\u202enight", "\x7f"])
def test_an_invalid_name_is_rejected(client, name):
    answer = client.put(f"/v1/schedules/{quote(name, safe='')}", json={"from": clock(60), "to": clock(90), "dim": 0.2})
    assert (answer.status_code, "1 to 64 characters" in answer.json()["detail"]) == (422, True)
    assert client.get("/v1/schedules").json()["schedules"] == []


def test_the_sun_is_known_with_a_location(serve):
    client = serve("--location=-33.87,151.21")
    schedule = put(client, dim=0.2, **{"from": "sunset-00:30", "to": "sunrise+01:00"})
    assert (schedule["from"], schedule["to"]) == ("sunset-00:30", "sunrise+01:00")
    assert schedule["next"]


def test_at_most_64_schedules_fit(serve):
    client = serve()
    for number in range(64):
        put(client, name=f"rule-{number}", dim=1)
    answer = client.put("/v1/schedules/one-more", json={"from": "22:00", "to": "07:00", "dim": 0.2})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "60")
    put(client, name="rule-7", dim=0.5)


def test_writing_requires_admin(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("kiosk:write:0123456789abcdef\nowner:admin:fedcba9876543210\n")
    tokens.chmod(0o600)
    client = connect(start("--token-file", tokens))
    body = {"from": "22:00", "to": "07:00", "dim": 0.2}
    writer = {"Authorization": "Bearer 0123456789abcdef"}
    assert client.put("/v1/schedules/night", json=body, headers=writer).status_code == 403
    assert client.delete("/v1/schedules/night", headers=writer).status_code == 403
    owner = {"Authorization": "Bearer fedcba9876543210"}
    assert client.put("/v1/schedules/night", json=body, headers=owner).status_code == 201
    assert client.get("/v1/schedules", headers=writer).status_code == 200


def test_health_reports_whether_schedules_run(serve):
    client = serve()
    assert client.get("/readyz").json()["schedules"] == {"state": "off", "detail": None}
    put(client, dim=0.2)
    assert client.get("/readyz").json()["schedules"] == {"state": "running", "detail": None}


def test_a_place_has_sunrise_and_sunset_of_the_local_day(start, connect):
    client = connect(start("--time-zone", "Asia/Tokyo", "--location", "35.68,139.69"))
    japan = timezone(timedelta(hours=9))
    before = datetime.now(japan).date()
    put(client, **{"from": "sunset", "to": "23:30", "dim": 0.2})
    schedules = client.get("/v1/schedules").json()
    assert schedules["utcOffset"] == 9 * 3_600
    times = (datetime.fromisoformat(schedules["sun"][event]) for event in ("sunrise", "sunset"))
    sunrise, sunset = (time.astimezone(japan) for time in times)
    assert sunrise.date() == sunset.date() in (before, datetime.now(japan).date())
    assert 4 <= sunrise.hour < 7 and 16 <= sunset.hour < 20
