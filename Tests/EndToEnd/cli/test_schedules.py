# SPDX-License-Identifier: Apache-2.0
"""The client's commands for schedules."""

import json
import re
from datetime import datetime, timedelta, timezone

import pytest

from support.until import until


@pytest.fixture(autouse=True)
def _without_schedules(client):
    yield
    for schedule in client.get("/v1/schedules").json()["schedules"]:
        client.delete(f"/v1/schedules/{schedule['name']}")


def test_a_schedule_is_set_listed_and_removed(run, client):
    hint = "brightness: There is no schedule: brightness help schedules shows how to add one.\n"
    assert run("schedules") == (0, "", hint)
    status, text, complaints = run("schedules", "set", "night", "--from", "22:00", "--to", "07:00", "--dim", "20%")
    assert (status, complaints) == (0, "")
    assert text.startswith("night  22:00 to 07:00  dim 20 %  ")
    (schedule,) = client.get("/v1/schedules").json()["schedules"]
    assert (schedule["dim"], schedule["displays"]) == (0.2, ["all"])
    assert run("schedules") == (0, text, "")
    assert run("schedules", "list") == (0, text, "")
    assert run("schedules", "remove", "night") == (0, "night  removed\n", "")
    assert run("schedules") == (0, "", hint)


def test_a_schedule_is_paused_and_resumed(run, client):
    run("schedules", "set", "night", "--from", "22:00", "--to", "07:00", "--dim", "20%")
    paused = run("schedules", "pause", "night")
    assert paused == (0, "night  22:00 to 07:00  dim 20 %  paused\n", "")
    assert client.get("/v1/schedules/night").json()["paused"] is True
    assert run("schedules") == paused
    status, text, _ = run("schedules", "resume", "night")
    assert (status, "paused" in text) == (0, False)
    assert client.get("/v1/schedules/night").json()["paused"] is False
    status, _, complaint = run("schedules", "pause", "nihgt")
    assert (status, 'Did you mean "night"?' in complaint) == (1, True)


def test_the_place_is_printed_set_and_forgotten(run, client):
    client.delete("/v1/location")
    hint = "brightness: The daemon does not know its location: brightness location 52.52,13.40 sets it.\n"
    assert run("schedules", "location") == (0, "", hint)
    status, _, complaint = run("schedules", "set", "dusk", "--from", "sunset", "--to", "23:00", "--dim", "20%")
    assert (status, "brightness location 52.52,13.40" in complaint) == (1, True)
    assert run("schedules", "location", "52.5163,13.3777") == (0, "52.52,13.38\n", "")
    assert run("location") == (0, "52.52,13.38\n", "")
    assert run("location", "52.51", "13.37") == (0, "52.51,13.37\n", "")
    run("schedules", "set", "dusk", "--from", "sunset", "--to", "23:00", "--dim", "20%")
    run("location", "--forget")
    assert "need a location: brightness location 52.52,13.40 sets it." in run("schedules")[2]
    run("schedules", "remove", "dusk")
    assert run("location", "-33.87,-70.65") == (0, "-33.87,-70.65\n", "")
    assert json.loads(run("location", "--json")[1]) == {"latitude": -33.87, "longitude": -70.65, "source": "set"}
    for words in (["Berlin"], ["91,0"], ["-33.87"], ["0,0", "--forget"]):
        status, text, complaint = run("schedules", "location", *words)
        assert (status, text) == (64, ""), complaint
    assert client.get("/v1/location").json()["latitude"] == -33.87
    assert run("schedules", "location", "--forget") == run("schedules", "location") == (0, "", hint)


def test_every_member_can_be_set(run, client):
    words = ["-d", "simulated", "schedules", "set", "closed", "--from", "18:00", "--to", "08:00"]
    status, text, _ = run(*words, "--days", "mon,fri", "--sleep", "--transition", "90s")
    assert (status, text.startswith("closed  18:00 to 08:00 on mon, fri  sleep  simulated")) == (0, True)
    (schedule,) = client.get("/v1/schedules").json()["schedules"]
    assert (schedule["displays"], schedule["days"]) == (["simulated"], ["mon", "fri"])
    assert (schedule["sleep"], schedule["transition"]) == (True, 90)


def test_the_display_is_that_of_the_variable(run, client):
    words = ["schedules", "set", "night", "--from", "22:00", "--to", "07:00", "--dim", "20%"]
    status, _, complaint = run(*words, BRIGHTNESS_DISPLAY="simulated")
    assert (status, complaint, client.get("/v1/schedules/night").json()["displays"]) == (0, "", ["simulated"])
    status, _, complaint = run(*words, BRIGHTNESS_DISPLAY="group:lobby")
    assert (status, "cannot be for a group" in complaint) == (64, True)
    status, _, complaint = run(*words, "--display", "projector")
    assert (status, "no display projector now" in complaint) == (0, True)


def test_json_is_the_daemons_answer(run, client):
    status, text, _ = run("schedules", "set", "night", "--from", "22:00", "--to", "07:00", "--boost", "0.5", "--json")
    assert (status, json.loads(text)) == (0, client.get("/v1/schedules/night").json())
    assert json.loads(run("schedules", "--json")[1]) == client.get("/v1/schedules").json()


@pytest.mark.parametrize(
    ("days", "list_of_days"),
    [("weekdays", ["mon", "tue", "wed", "thu", "fri"]), ("sat-sun", ["sat", "sun"]), ("Monday,wed", ["mon", "wed"])],
)
def test_times_and_days_are_written_as_people_do(run, client, days, list_of_days):
    words = ["schedules", "add", "night", "--from", "10pm", "--to", "7:00", "--days", days, "--dim", "20%"]
    assert run(*words)[0] == 0
    schedule = client.get("/v1/schedules/night").json()
    assert (schedule["from"], schedule["to"], schedule["days"]) == ("22:00", "07:00", list_of_days)


def test_faults_are_reported(run):
    words = ["schedules", "set", "night", "--from", "22:00"]
    for more, sentence in (
        (["--to", "10pm", "--dim", "20%"], "--from and --to must differ"),
        (["--to", "07:00"], "A schedule does one thing: give --dim 20%"),
        (["--to", "07:00", "--sleep", "--dim", "20%"], "A schedule does one thing: give --dim 20%"),
        (["--to", "25:00", "--sleep"], '"25:00" is not a time for --to'),
        (["--to", "07:00", "--sleep", "--days", "sometimes"], '"sometimes" is not a list of days'),
    ):
        status, _, complaint = run(*words, *more)
        assert (status, complaint.startswith(f"brightness: {sentence}")) == (64, True), complaint
    status, _, complaint = run("schedules", "remove", "nigth")
    assert (status, 'No schedule has the name "nigth".' in complaint) == (1, True)
    status, _, complaint = run("schedules", "set", "night", "--from", "22:00", "--to", "07:00", "--dim", "raw:480")
    assert (status, "raw:480" in complaint) == (64, True)


def test_a_schedule_in_force_is_named(run, client):
    now = datetime.now(timezone.utc).astimezone()
    begin, end = ((now + timedelta(minutes=minutes)).strftime("%H:%M") for minutes in (-60, 60))
    assert run("schedules", "set", "night", "--from", begin, "--to", end, "--dim", "20%")[0] == 0
    until(lambda: client.state["percent"] == 20, "the schedule is in force")
    assert re.search(r"  last change [\d:]+ the schedule night$", run()[1], re.MULTILINE)
    assert re.search(rf"  dim         20 % by the schedule night, until (?:[-0-9]{{10}} )?{end}, then 50 %$", run()[1], re.MULTILINE)
    assert re.search(r"  20 %  dim by the schedule night$", run("history", "--since", "5m")[1], re.MULTILINE)
