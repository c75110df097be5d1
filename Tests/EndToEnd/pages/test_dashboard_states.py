# SPDX-License-Identifier: Apache-2.0
"""Every state that a person may find the dashboard in, on three widths, by day and by night: axe-core finds nothing, and
nothing has to be scrolled sideways. With BRIGHTNESSD_PICTURES=DIRECTORY each is a picture, too, for people to look at."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.dashboard import displays
from support.schedules import clock

WIDTHS = [1_280, 390, 320]
MARIA = "maria-0123456789ab"


@pytest.fixture
def look(check_accessibility):
    """Looks at a page in every size and in both colours."""

    def look(page, name):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                # Layout by script follows in the next frame.
                page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                if directory := os.environ.get("BRIGHTNESSD_PICTURES"):
                    page.screenshot(path=Path(directory) / f"{name}-{width}-{scheme}.png", full_page=True)
                check_accessibility(page)
                assert page.evaluate("document.scrollingElement.scrollWidth") <= width, (name, width)

    return look


@pytest.fixture
def visit(new_context):
    def visit(daemon, path="/", expects=None, **options):
        page = new_context(expects=expects, locale="en-GB", timezone_id="UTC", **options).new_page()
        page.goto(daemon.url + path)
        return page

    return visit


def off(client):
    client.put("/v1/displays/left/power", json={"on": False})


def boosted(client):
    client.post("/v1/displays/left/boost", json={"holder": "kiosk-3", "reason": "qr", "ttl": 600})


def dimmed(client):
    client.post("/v1/displays/left/dim", json={"brightness": 0.2, "holder": "film", "ttl": 600})


def scheduled(client):
    client.put("/v1/schedules/night", json={"from": clock(-60), "to": clock(60), "dim": 0.2})


@pytest.mark.parametrize("change", [off, boosted, dimmed, scheduled])
def test_a_changed_display(start, connect, visit, look, change):
    daemon = start("--time-zone", "UTC", *displays("left", "right"))
    change(connect(daemon))
    page = visit(daemon)
    words = {"off": "Off", "boosted": "kiosk-3", "dimmed": "film", "scheduled": "night"}
    expect(page.get_by_role("main")).to_contain_text(words[change.__name__])
    look(page, change.__name__)


def test_a_lost_daemon(start, visit, look):
    daemon = start(*displays("left", "right"))
    page = visit(daemon, expects="ERR_|Failed to load")
    expect(page.get_by_test_id("status")).to_have_text("Live")
    daemon.stop()
    expect(page.get_by_test_id("status")).not_to_have_text("Live")
    look(page, "lost")


def test_a_limited_token_and_nobody(start, visit, look, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"maria:write[left]:{MARIA}\n")
    tokens.chmod(0o600)
    daemon = start("--token-file", tokens, *displays("left", "right"))
    look(visit(daemon, expects="401"), "signed-out")
    page = visit(daemon, f"/#token={MARIA}", expects="401")
    expect(page.get_by_test_id("status")).to_have_text("Live")
    look(page, "limited")


@pytest.mark.parametrize("count", [1, 6, 50])
def test_a_wall(start, connect, visit, look, count):
    names = [f"panel-{number:02}" for number in range(1, count + 1)]
    daemon = start(*displays(*names))
    client = connect(daemon)
    client.put("/v1/displays/panel-01/power", json={"on": False})
    if count > 1:
        client.post("/v1/displays/panel-02/boost", json={"holder": "kiosk-3", "ttl": 600})
    page = visit(daemon, "/#wall")
    expect(page.get_by_test_id("wall-summary")).to_contain_text("Live")
    look(page, f"wall-{count}")


def test_a_form_for_a_schedule_by_the_sun(start, visit, look):
    daemon = start(*displays("left", "right"))
    page = visit(daemon)
    page.get_by_role("button", name="New schedule").click()
    page.locator("dialog#schedule").get_by_label("To: kind of time").select_option("Sunrise")
    expect(page.get_by_label("Location of the machine")).to_be_visible()
    look(page, "schedule-by-the-sun")
