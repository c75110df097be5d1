# SPDX-License-Identifier: Apache-2.0
"""Schedules by the clock, and the dashboard's section of them, as a person finds it."""

from datetime import datetime, timedelta, timezone

NIGHT = {"from": "22:00", "to": "07:00", "dim": 0.2}


_begun = datetime.now(timezone.utc)


def begin():
    """A test begins: its schedules are the same ones, however many minutes it takes."""
    global _begun
    _begun = datetime.now(timezone.utc)


def clock(minutes):
    """The time of the day in UTC, this many minutes from the beginning of the test."""
    return f"{_begun + timedelta(minutes=minutes):%H:%M}"


def day(minutes):
    """The day of the week of that time."""
    return f"{_begun + timedelta(minutes=minutes):%a}".lower()


def noon():
    """A time zone in which it is noon now: no day of it begins in the test."""
    hours = 12 - _begun.hour
    return f"Etc/GMT{-hours:+d}" if hours else "UTC"


def put(client, name="night", **schedule):
    answer = client.put(f"/v1/schedules/{name}", json=schedule or NIGHT)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def names(client):
    return [schedule["name"] for schedule in client.get("/v1/schedules").json()["schedules"]]


def section(page):
    return page.get_by_role("region", name="Schedules")


def rows(page):
    return section(page).locator("li.plan")


def picture(page):
    return section(page).get_by_role("img")


def form(page):
    return page.locator("dialog#schedule")


def fault(page, field):
    return form(page).locator(f"[data-fault='{field}']")


def save(page):
    form(page).get_by_role("button", name="Save").click()
