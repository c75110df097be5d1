# SPDX-License-Identifier: Apache-2.0
"""The dashboard reports what holds a display, who did what, and when it has no answer."""

import re
import signal
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

from playwright.sync_api import expect

from support.browser import GONE
from support.dashboard import shows
from support.schedules import clock
from support.threads import suspend


def changes(page):
    return page.locator(".causes").get_by_role("listitem")


def test_the_boost_in_force_is_named_whoever_acted_last(open_page, client):
    client.boost(holder="kiosk-3", reason="qr", ttl=600)
    page = open_page()
    page.get_by_test_id("boost").click()
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(2)
    page.get_by_role("button", name="Restore: Simulated display").click()
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(1)
    shows(page, 100)
    expect(page.get_by_test_id("leases")).to_have_text(re.compile(r"kiosk-3 Boost, qr,\s*\d+ (min|s) left"))
    expect(page.get_by_test_id("force")).to_be_hidden()
    client.boost(holder="wall", lifespan="lifetime", brightness=0.8)
    expect(page.get_by_test_id("force")).to_have_text(re.compile(r"Boosted by kiosk-3 for qr and another, until"))
    client.post("/v1/restore", json={"holder": "wall"})
    expect(page.get_by_test_id("force")).to_be_hidden()
    expect(page.get_by_test_id("cause")).not_to_contain_text("restored it")
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(0)
    expect(page.get_by_test_id("cause")).to_contain_text("kiosk-3 restored it")


def test_a_boost_that_goes_on_after_a_crash_is_reported_as_such(new_context, start, connect, tmp_path):
    state = ("--state-directory", tmp_path)
    daemon = start(*state)
    connect(daemon).boost(holder="kiosk-3", reason="qr", ttl=600)
    daemon.kill()
    daemon = start(*state)
    page = new_context().new_page()
    page.goto(daemon.url)
    shows(page, 100)
    expect(page.get_by_test_id("leases")).to_contain_text("kiosk-3 Boost, qr")
    expect(page.get_by_test_id("cause")).to_contain_text("The boost continued after a restart")


def test_every_boost_is_in_the_list_also_after_a_reload(open_page, start, connect):
    daemon = start()
    client = connect(daemon)
    page = open_page()
    page.goto(daemon.url)
    shows(page, 40)
    for holder in ("first", "second", "third"):
        client.boost(holder=holder, reason="qr")
        client.post("/v1/restore", json={"holder": holder})
    client.boost(holder="fourth", ttl=1)
    for _ in range(2):
        more = page.get_by_role("button", name=re.compile(r"Show all \d+"))
        more.click()
        for text in ("first boosted it to 100% for qr", "second boosted it", "third boosted it", "fourth boosted it to 100%"):
            expect(changes(page).filter(has_text=text)).to_have_count(1)
        expect(changes(page).filter(has_text="fourth’s boost expired")).to_have_count(1)
        page.reload()


def test_a_command_without_an_answer_is_pending_and_then_reported(open_page, client):
    page = open_page()
    page.clock.install()
    page.route("**/boost", lambda route: None)
    boost = page.get_by_test_id("boost")
    clicked = page.evaluate("Date.now()")
    boost.click()
    expect(boost).to_have_attribute("aria-busy", "true")
    assert page.get_by_test_id("message").is_hidden() or page.evaluate("Date.now()") - clicked >= 3_000
    page.clock.run_for(3_000)
    expect(page.get_by_test_id("message")).to_contain_text("has not answered for 3 seconds")
    page.clock.run_for(1_000)
    expect(page.get_by_test_id("status")).to_have_text("No answer")
    page.clock.run_for(6_000)
    expect(page.get_by_test_id("fault")).to_have_text("The daemon does not respond.")
    expect(boost).not_to_have_attribute("aria-busy", "true")
    page.clock.run_for(11_000)
    expect(page.get_by_test_id("message")).to_be_hidden()
    # The daemon sends something.
    client.set(0.3)
    expect(page.get_by_test_id("status")).to_have_text("Live")


def test_a_hung_daemon_is_noticed(new_context, start):
    daemon = start()
    page = new_context(expects=GONE).new_page()
    page.goto(daemon.url)
    shows(page, 40)
    suspend(daemon.process)
    try:
        expect(page.get_by_test_id("status")).to_have_text("Connection lost, reconnecting")
    finally:
        daemon.terminate(signal.SIGCONT)
    expect(page.get_by_test_id("status")).to_have_text("Live")


def test_times_follow_the_daemons_clock_of_the_newest_connection(new_context, daemon, client):
    """The first connection is to a daemon whose clock is an hour late, and is set before the second."""
    client.boost(holder="kiosk-3", ttl=600)
    page = new_context().new_page()
    late = format_datetime(datetime.now(timezone.utc) - timedelta(hours=1), usegmt=True)
    answer = {"content_type": "text/event-stream", "headers": {"Date": late}, "body": "retry: 500\n\n"}
    page.route("**/v1/events*", lambda route: route.fulfill(**answer), times=1)
    page.goto(daemon.url)
    expect(page.get_by_test_id("leases")).to_contain_text("9 min left")


def test_a_daemon_without_displays_says_what_to_do(new_context, start):
    daemon = start("--display", "none")
    page = new_context().new_page()
    page.goto(daemon.url)
    empty = page.get_by_test_id("empty")
    expect(empty.get_by_role("heading", name="No display")).to_be_visible()
    expect(empty).to_contain_text("brightnessd probe")
    expect(page.get_by_test_id("status")).to_have_text("Connected, no display")


def test_a_page_that_connects_says_so(new_context, daemon):
    page = new_context().new_page()
    page.route("**/v1/events*", lambda route: None)
    page.goto(daemon.url)
    expect(page.get_by_role("heading", name="Connecting")).to_be_visible()
    expect(page.get_by_test_id("status")).to_have_text("Connecting")


def test_a_schedule_is_named_with_its_end(new_context, start, connect):
    daemon = start("--time-zone", "UTC")
    client = connect(daemon)
    schedule = {"displays": ["all"], "from": clock(-60), "to": clock(60), "dim": 0.2}
    assert client.put("/v1/schedules/night", json=schedule).status_code in (200, 201)
    page = new_context(timezone_id="UTC", locale="en-GB").new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("leases")).to_contain_text(re.compile(r"Schedule night Dim, 20%,\s*(5\d min|1 h)"))
    expect(page.get_by_text("After the dim")).to_be_visible()
    for part in ("force", "cause"):
        expect(page.get_by_test_id(part)).to_be_hidden()
    client.boost(holder="kiosk-3")
    end = client.get("/v1/schedules/night").json()["next"]["at"][11:16]
    expect(page.get_by_test_id("force")).to_have_text(f"Dimmed by the schedule night, until {end}")


def test_the_idle_rule_is_reported_as_nobody_there(new_context, start):
    daemon = start("--idle-dim", "1:0.1")
    page = new_context().new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("leases")).to_contain_text(re.compile(r"Absence Dim, 10%,\s*while nobody is there"))
    for part in ("force", "cause"):
        expect(page.get_by_test_id(part)).to_be_hidden()
