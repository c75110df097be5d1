# SPDX-License-Identifier: Apache-2.0
"""The first screen: all controls of a display on a small panel, and nothing that moves away under a finger."""

import pytest
from playwright.sync_api import expect

from support.dashboard import shows

PANEL = {"width": 800, "height": 480}
SHIFTS = """globalThis.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)))
    .observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("names", [("lobby",), ("left", "right")])
def test_a_small_panel_shows_every_control_of_a_display(open_many, names):
    page, client = open_many(*names, viewport=PANEL)
    for visit in (1, 2, 3):
        for name in names:
            card = page.get_by_role("article", name=f"Simulated display {name}")
            for part in [card.get_by_role("heading"), card.get_by_role("meter")] + [
                card.get_by_test_id(part) for part in ("boost", "dim", "power", "slider", "baseline")
            ]:
                expect(part).to_be_in_viewport(ratio=1)
        # With many presets, and with one boost and two, too.
        if len(names) == 2:
            for name in ("film", *range(14)):
                client.put(f"/v1/presets/{name}", json={"displays": {"all": {"brightness": 0.2}}}).raise_for_status()
            expect(page.get_by_role("button", name="Apply: film")).to_be_attached()
        client.post(f"/v1/displays/{names[0]}/boost", json={"holder": f"kiosk-{visit}", "reason": "qr"}).raise_for_status()
        page.reload()
        expect(page.get_by_role("button", name=f"End the boost of kiosk-{visit}")).to_be_attached()


@pytest.mark.parametrize("names", [("lobby",), ("left", "right"), [f"panel-{number}" for number in range(12)]])
@pytest.mark.parametrize("size", [(1_280, 800), (800, 480), (390, 844), (320, 640)])
def test_nothing_moves_while_the_page_loads(open_many, names, size):
    page, _ = open_many(*names, viewport=dict(zip(("width", "height"), size)))
    # It appears once there is something to draw, five seconds after the daemon's start.
    if len(names) < 10:
        expect(page.locator("#history .chart")).to_be_visible()
    page.add_init_script(SHIFTS)
    for visit in (1, 2):
        page.evaluate("localStorage.clear()")
        page.reload()
        if len(names) < 10:
            expect(page.get_by_text("Recent changes")).to_be_visible()
        expect(page.get_by_role("heading", name="Schedules")).to_be_visible()
        expect(page.locator("body[data-settled]")).to_have_count(1)
        assert page.evaluate("shifts.reduce((sum, { value }) => sum + value, 0)") <= 0.1, page.evaluate("shifts")


def test_boost_is_explained_until_somebody_has_boosted_to_those_who_may(page, client, daemon, new_context, start):
    page.goto(daemon.url)
    hint = page.get_by_test_id("hint")
    expect(hint).to_have_text("Boost: 100% for 5 min, then back by itself.")
    page.reload()
    expect(hint).to_be_visible()
    page.get_by_test_id("boost").click()
    shows(page, 100)
    expect(hint).to_be_hidden()
    page.reload()
    shows(page, 100)
    expect(hint).to_be_hidden()
    reader = new_context().new_page()
    reader.goto(start("--anonymous", "read").url)
    expect(reader.get_by_test_id("read-only")).to_be_visible()
    expect(reader.get_by_test_id("hint")).to_be_hidden()
