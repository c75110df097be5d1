# SPDX-License-Identifier: Apache-2.0
"""A finger that scrolls the page changes nothing, wherever it begins."""

import pytest
from playwright.sync_api import expect

from support.dashboard import row
from support.fingers import scroll, swipe
from support.until import until

PHONE = {"viewport": {"width": 390, "height": 600}, "has_touch": True, "is_mobile": True}
NAMES = [f"panel-{number}" for number in range(6)]


@pytest.fixture
def open_phone(open_many):
    """Opens the dashboard on a phone; the page, a client and the list of writes that the page sends."""

    def open_phone(*names):
        page, client = open_many(*names, **PHONE)
        # Nothing moves any more.
        expect(page.locator("body[data-settled]")).to_have_count(1)
        writes = []
        page.on("request", lambda request: request.method != "GET" and writes.append((request.url.partition("/v1/")[2], request.post_data_json)))
        return page, client, writes

    return open_phone


def test_on_the_slider_of_a_card(open_phone):
    page, client, writes = open_phone(*NAMES)
    slider = page.get_by_role("slider", name="brightness of Simulated display panel-2")
    scroll(page, slider)
    expect(slider).to_have_value("40")
    # A finger that drags, and one that taps, do.
    swipe(page, slider, right=-60)
    until(lambda: page.wait_for_timeout(50) or writes, "the drag is sent")
    dragged = writes[0]
    assert dragged[0] == "displays/panel-2/brightness" and dragged[1]["percent"] > 45
    expect(slider).not_to_have_value("40")
    swipe(page, slider, at=0.3)
    until(lambda: page.wait_for_timeout(50) or abs(client.get("/v1/displays/panel-2").json()["baseline"] - 0.3) < 0.05, "the tap is sent")
    assert {path for path, _ in writes} == {"displays/panel-2/brightness"}
    expect(page.get_by_role("article", name="panel-2").get_by_test_id("baseline")).to_have_text(f"{slider.input_value()}%")


def test_a_drag_that_the_system_cancels_is_taken_back(open_phone):
    page, client, _ = open_phone("lobby")
    slider = page.get_by_test_id("slider")
    slider.scroll_into_view_if_needed()
    session = page.context.new_cdp_session(page)
    box = slider.bounding_box()
    for kind, x in (("touchStart", 0.5), ("touchMove", 0.7), ("touchMove", 0.9)):
        point = {"x": box["x"] + x * box["width"], "y": box["y"] + box["height"] / 2}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    until(lambda: page.wait_for_timeout(50) or client.state["baseline"] > 0.6, "the drag is sent")
    session.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    until(lambda: page.wait_for_timeout(50) or client.state["baseline"] == 0.4, "what was is back")
    expect(slider).to_have_value("40")


@pytest.mark.parametrize("count", [6, 12])
def test_on_the_bar_for_all(open_phone, count):
    page, client, writes = open_phone(*(f"panel-{number}" for number in range(count)))
    bar = page.get_by_role("group", name="All displays" if count == 6 else "Many displays")
    for control in [bar.get_by_role("slider"), *bar.get_by_role("button").all()]:
        page.evaluate("scrollTo(0, 0)")
        scroll(page, control)
    page.evaluate("scrollTo(0, 0)")
    bar.get_by_role("button", name="+10%").tap()
    until(lambda: page.wait_for_timeout(50) or client.get("/v1/displays/panel-1").json()["baseline"] == 0.5, "the tap is sent")
    assert [path for path, _ in writes] == ["displays/all/brightness"]


def test_on_a_preset_and_on_a_row(open_phone):
    page, client, writes = open_phone(*(f"panel-{number}" for number in range(12)))
    client.put("/v1/presets/film", json={"displays": {"all": {"brightness": 0.2}}}).raise_for_status()
    apply = page.get_by_role("button", name="Apply: film")
    expect(apply).to_be_visible()
    scroll(page, row(page, "panel-2").get_by_role("button", name="Boost"))
    page.evaluate("scrollTo(0, 0)")
    scroll(page, apply)
    apply.tap()
    until(lambda: page.wait_for_timeout(50) or client.get("/v1/displays/panel-1").json()["baseline"] == 0.2, "the tap is sent")
    assert [path for path, _ in writes] == ["presets/film/apply"]
