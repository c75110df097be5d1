# SPDX-License-Identifier: Apache-2.0
"""GET /v1/history: the brightness of a display and its leases over time; and the changes of displays."""

import csv
import io
import signal
from datetime import datetime, timedelta, timezone
from itertools import pairwise

import pytest

from support.until import TIMEOUT, until

HISTORY = "/v1/history"
CHANGES = "/v1/history/changes"
NOW = datetime(2026, 11, 21, 6, tzinfo=timezone.utc)


def time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def text(moment):
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(client, **query):
    answer = client.get(HISTORY, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def now(client, **query):
    """Returns the history from about a minute ago to shortly after now. Its newest known point is the current state."""
    end = datetime.now(timezone.utc)
    return read(client, **{"from": text(end - timedelta(seconds=60)), "to": text(end), "step": 1} | query)


def changes(client, **query):
    answer = client.get(CHANGES, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["changes"]


def current(client):
    return now(client)["points"][-1]["brightness"]


def test_the_history_has_points_and_leases(client):
    history = read(client)
    assert list(history) == ["display", "from", "to", "step", "points", "lowest", "highest", "leases", "truncated"]
    assert (history["display"], history["step"], len(history["points"])) == ("simulated", 10, 361)
    assert time(history["to"]) - time(history["from"]) == timedelta(hours=1)
    times = [time(point["at"]) for point in history["points"]]
    assert times == [time(history["from"]) + timedelta(seconds=10) * index for index in range(361)]


def test_a_change_is_in_the_history_at_once(client):
    for percent in (61, 62, 63):
        client.set(percent / 100, holder="maria", reason=f"to {percent}")
        history = now(client)
        point = history["points"][-1]
        assert (point["brightness"], point["baseline"]) == (percent / 100, percent / 100)
        change = changes(client)[0]
        assert (change["display"], change["brightness"], change["baseline"]) == ("simulated", percent / 100, percent / 100)
        assert change["cause"] == client.state["cause"]
        assert (change["cause"]["by"], change["cause"]["reason"]) == ("maria", f"to {percent}")


def test_points_before_the_start_and_after_now_are_null(client):
    client.set(0.6)
    start = datetime.now(timezone.utc)
    history = read(client, **{"from": "2020-01-01T00:00:00Z", "to": text(start + timedelta(days=400))})
    values = [point["brightness"] for point in history["points"] if abs(time(point["at"]) - start) > timedelta(hours=1)]
    assert set(values) == {None}


def test_a_boost_has_a_beginning_and_an_end(client):
    lease = client.boost(holder="kiosk-3", reason="qr", brightness=0.9)
    history = now(client)
    band = history["leases"][-1]
    expected = {"kind": "boost", "holder": "kiosk-3", "reason": "qr", "brightness": 0.9, "from": lease["grantedAt"]}
    assert band == expected | {"to": None, "end": None}
    point = {"at": history["to"], "brightness": 0.9, "baseline": 0.5}
    assert history["points"][-1] | point == history["points"][-1]
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    history = now(client)
    band = history["leases"][-1]
    assert band == expected | {"to": band["to"], "end": "released"}
    assert time(lease["grantedAt"]) <= time(band["to"]) <= datetime.now(timezone.utc)
    end, begin = changes(client)[:2]
    assert (end["cause"]["kind"], end["cause"]["by"], end["lease"]) == ("restore", "kiosk-3", {"kind": "boost", "ended": True})
    assert (begin["cause"]["kind"], begin["lease"]) == ("boost", {"kind": "boost", "ended": False})
    assert (begin["before"]["brightness"], begin["brightness"], end["brightness"]) == (0.5, 0.9, 0.5)
    assert history["points"][-1]["brightness"] == 0.5


def test_an_expired_boost_ends_as_expired(client):
    lease = client.boost(holder="short", ttl=0.2)
    until(lambda: client.state["boost"] is None, "the end of the boost")
    band = next(band for band in now(client)["leases"] if band["holder"] == "short")
    assert (band["to"], band["end"]) == (lease["until"], "expired")


def test_consecutive_boosts_of_one_holder_are_one_boost(client):
    begun = []
    for _ in range(20):
        begun.append(time(client.boost(holder="again", reason="and again")["grantedAt"]))
        client.post("/v1/restore", json={"holder": "again"})
    bands = [band for band in now(client)["leases"] if band["holder"] == "again"]
    # A busy machine may need longer than the second in which another boost is the same one.
    apart = sum(later - earlier >= timedelta(seconds=1) for earlier, later in pairwise(begun))
    assert len(bands) <= 2 + apart


def test_each_display_has_a_history_of_its_own(start, connect):
    daemon = start("--display", "simulated:left", "--display", "simulated:right", "--default-display", "right")
    client = connect(daemon)
    client.put("/v1/displays/left/brightness", json={"brightness": 0.2})
    client.put("/v1/displays/right/brightness", json={"brightness": 0.8})
    assert (current(client), now(client, display="left")["points"][-1]["brightness"]) == (0.8, 0.2)
    assert now(client)["display"] == "right"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_history_survives_a_stop_and_a_crash(start, connect, tmp_path, number):
    """A clean end writes the whole history, and a query writes everything up to it."""
    daemon = start("--state-directory", tmp_path)
    client = connect(daemon)
    client.set(0.3, holder="maria")
    client.boost(holder="kiosk-3", ttl=600)
    before, log = now(client), changes(client)
    daemon.terminate(number)
    daemon.process.wait(TIMEOUT)
    daemon.process.returncode = 0  # A kill was this test's own doing.

    client = connect(start("--state-directory", tmp_path))
    again = read(client, **{"from": before["from"], "to": before["to"]}, step=1)
    assert again["points"] == before["points"]
    assert [change for change in changes(client) if change in log] == log
    [band] = now(client)["leases"]
    assert band | {"to": None, "end": None} == before["leases"][0]
    if number == signal.SIGKILL:
        # The boost goes on, and so does its band.
        assert (band["end"], current(client)) == (None, 1)
        assert changes(client)[0]["cause"]["kind"] == "recovered"
        client.post("/v1/restore", json={"holder": "kiosk-3"})
        [band] = now(client)["leases"]
    assert band["end"] == ("released" if number == signal.SIGKILL else "stopped")
    assert current(client) == pytest.approx(client.state["brightness"])


def test_without_a_state_directory_the_history_is_in_memory(start, connect):
    client = connect(start("--state-directory", "none"))
    client.set(0.3)
    assert current(client) == 0.3


def test_times_may_have_any_offset(client):
    """An unescaped plus is decoded as a space, and is accepted."""
    for offset in ("2026-11-21T08:00:00%2B02:00", "2026-11-21T08:00:00+02:00", "2026-11-20T23:30:00-06:30"):
        answer = client.get(f"{HISTORY}?from={offset}&to=2026-11-21T07:00:00Z")
        assert answer.json()["from"] == "2026-11-21T06:00:00.000Z"


@pytest.mark.parametrize(
    ("span", "smallest"), [(1_999, 1), (2_000, 2), (3_600, 2), (86_400, 44), (31_536_000, 15_769)]
)
def test_a_history_has_at_most_two_thousand_points(client, refuse, span, smallest):
    """The rejection names the smallest step, which is accepted."""
    query = {"from": text(NOW - timedelta(seconds=span)), "to": text(NOW)}
    if smallest > 1:
        target = f"{HISTORY}?from={query['from']}&to={query['to']}&step={smallest - 1}"
        assert f"Use a step of at least {smallest}." in refuse(400, "GET", target)["detail"]
    points = read(client, step=smallest, **query)["points"]
    assert len(points) == span // smallest + 1 <= 2_000


def test_head_is_supported(client):
    answer = client.head(HISTORY)
    assert (answer.status_code, answer.content) == (200, b"")


def test_the_history_is_a_table_too(client):
    client.boost(holder="=HYPERLINK(1)", reason='a "quoted", long reason', brightness=0.9)
    end = datetime.now(timezone.utc)
    query = {"from": text(end - timedelta(seconds=60)), "to": text(end), "step": 1}
    history = None
    # A change of this second may become known between two requests.
    for _ in range(10):
        before = history
        answer = client.get(HISTORY, params=query, headers={"Accept": "text/csv"})
        history = read(client, **query)
        if history == before:
            break
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert "Accept" in answer.headers["Vary"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode(), newline="")))

    def number(value):
        return float(value) if value else None

    points = [
        {"at": row["at"], "on": {"true": True, "false": False}.get(row["on"])}
        | {name: number(row[name]) for name in ("brightness", "baseline", "illuminance")}
        for row in rows
        if row["record"] == "point"
    ]
    assert points == history["points"]
    for lease in history["leases"]:
        # A spreadsheet would take it for a formula.
        if lease["holder"] and lease["holder"].startswith("="):
            lease["holder"] = "'" + lease["holder"]
    leases = [
        {"kind": row["kind"], "holder": row["by"], "reason": row["reason"] or None, "brightness": number(row["brightness"])}
        | {"from": row["at"], "to": row["to"] or None, "end": row["end"] or None}
        for row in rows
        if row["record"] == "lease"
    ]
    assert leases == history["leases"]
    assert {row["display"] for row in rows} == {"simulated"}
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert "'=HYPERLINK(1)" in [row["by"] for row in rows]


def test_a_history_is_json_unless_the_client_prefers_csv(client):
    for accept in ("*/*", "application/json", "application/json, text/csv", "text/html, */*;q=0.8"):
        assert client.get(HISTORY, headers={"Accept": accept}).headers["Content-Type"] == "application/json"
    refused = client.get(HISTORY, headers={"Accept": "image/png"})
    assert (refused.status_code, "text/csv" in refused.json()["detail"]) == (406, True)


def test_each_switch_is_a_change(client):
    for on in (False, True, False, True):
        client.put("/v1/power", json={"on": on, "holder": "maria"})
    newest = changes(client, limit=4)
    assert [change["on"] for change in newest] == [True, False, True, False]
    assert [change["before"]["on"] for change in newest] == [False, True, False, True]
    assert {change["cause"]["by"] for change in newest} == {"maria"}
    assert all(change["before"]["brightness"] == change["brightness"] for change in newest)
    point = now(client)["points"][-1]
    assert (point["on"], point["brightness"]) == (True, 0.5)


def test_changes_are_of_one_display_or_of_all(start, connect):
    client = connect(start("--display", "simulated:left", "--display", "simulated:right"))
    client.put("/v1/displays/left/brightness", json={"brightness": 0.2})
    client.put("/v1/displays/right/brightness", json={"brightness": 0.8})
    assert [change["display"] for change in changes(client, display="all", limit=2)] == ["right", "left"]
    assert {change["display"] for change in changes(client)} == {"left"}
    assert changes(client, display="right")[0]["brightness"] == 0.8


def test_changes_are_limited_by_time_and_number(client):
    for number in range(4):
        client.set(0.1 + number / 10, holder=f"limited-{number}")
    newest = changes(client, limit=4)
    assert [change["cause"]["by"] for change in newest] == [f"limited-{number}" for number in (3, 2, 1, 0)]
    times = [change["cause"]["at"] for change in newest]
    between = changes(client, **{"from": times[2], "to": times[1]})
    assert [change["cause"]["by"] for change in between] == ["limited-2", "limited-1"]
    assert changes(client, **{"from": text(datetime.now(timezone.utc) + timedelta(hours=1))}) == []


def test_changes_are_a_table_too(client):
    client.set(0.3, holder="=1")
    answer = client.get(CHANGES, headers={"Accept": "text/csv"})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    row = next(csv.DictReader(io.StringIO(answer.content.decode(), newline="")))
    change = changes(client)[0]
    assert (row["by"], row["baseline"], row["at"]) == ("'=1", "0.3", change["cause"]["at"])
