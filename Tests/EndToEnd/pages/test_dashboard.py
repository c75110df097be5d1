# SPDX-License-Identifier: Apache-2.0
"""The dashboard's display: its value, buttons, slider and keyboard; accessibility and size."""

import re

import pytest
from playwright.sync_api import expect

from support.dashboard import make, meter, room, shows
from support.until import until

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
GROUND = {"light": "rgb(245, 244, 241)", "dark": "rgb(18, 20, 24)"}


@pytest.fixture
def page(open_page):
    return open_page()


def test_the_gauge_shows_the_current_value_and_every_change(page, client):
    shows(page, 50)
    for percent in (42, 7, 100, 0):
        client.put("/v1/brightness", json={"percent": percent})
        shows(page, percent)
        expect(page.get_by_test_id("baseline")).to_have_text(f"{percent}%")
        expect(page.get_by_test_id("slider")).to_have_value(str(percent))


def test_the_buttons_boost_and_restore(page, client):
    expect(page.get_by_test_id("restore")).to_be_disabled()
    page.get_by_test_id("boost").click()
    shows(page, 100)
    expect(page.get_by_test_id("leases")).to_have_text(re.compile(r"You Boost,\s+[45] min left\s+End"))
    # The lease states it already.
    for part in ("force", "cause"):
        expect(page.get_by_test_id(part)).to_be_hidden()
    assert client.state["boost"]["leases"] == 1
    page.get_by_test_id("restore").click()
    shows(page, 50)
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(0)
    assert client.state["boost"] is None


def test_a_boost_shows_its_holder_reason_and_time_left(page, client):
    client.boost(holder="wall", lifespan="lifetime", brightness=0.8)
    client.boost(holder="kiosk-3", reason="qr", ttl=60)
    leases = page.get_by_test_id("leases").get_by_role("listitem")
    expect(leases.first).to_have_text(re.compile(r"wall Boost, 80%,\s*until released"))
    expect(leases.last).to_have_text(re.compile(r"kiosk-3 Boost, qr,\s*(1 min|\d\d s) left"))
    # It counts down, by itself.
    expect(leases.last).to_have_text(re.compile("([1-4]\\d|5[0-7]) s left"))
    expect(page.get_by_role("button", name="Restore all")).to_be_enabled()
    page.get_by_role("button", name="End the boost of kiosk-3").click()
    expect(leases).to_have_count(1)
    shows(page, 80)
    expect(page.get_by_test_id("cause")).to_have_text(re.compile("kiosk-3 ended a boost, (just now|\\d+ s ago)"))
    page.get_by_role("button", name="End the boost of wall").click()
    shows(page, 50)
    assert client.state["boost"] is None


def test_restore_ends_only_the_pages_own_boost(page, client):
    client.boost(holder="kiosk-3", brightness=0.8)
    page.get_by_test_id("boost").click()
    shows(page, 100)
    # The tab is the same holder after a reload.
    page.reload()
    page.get_by_role("button", name="Restore: Simulated display").click()
    shows(page, 80)
    assert client.state["boost"]["leases"] == 1


def test_a_dragged_slider_sends_few_values_and_the_last(page, client):
    sent = []
    page.on("request", lambda request: request.method == "PUT" and sent.append(request.post_data_json["percent"]))
    slider = page.get_by_test_id("slider")
    expect(page.locator("body[data-settled]")).to_have_count(1)
    box = slider.bounding_box()
    begun = page.evaluate("performance.now()")
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for step in range(100):
        page.mouse.move(box["x"] + box["width"] * (0.5 + step / 250), middle)
    page.mouse.up()
    last = int(slider.input_value())
    assert 80 <= last < 100
    until(lambda: client.state["percent"] == last, f"the brightness is {last}%, not {client.state['percent']}")
    shows(page, last)
    expect(slider).to_have_value(str(last))
    assert sent[-1] == last
    # No two within 60 ms.
    assert len(sent) <= 2 + (page.evaluate("performance.now()") - begun) / 60


def test_the_slider_sets_the_baseline_during_a_boost(page, client):
    client.boost(holder="kiosk-3")
    expect(page.get_by_text("After the boost", exact=True).first).to_be_visible()
    page.get_by_test_id("slider").fill("30")
    expect(meter(page)).to_have_attribute("aria-valuetext", "100 percent, boosted; 30 percent afterwards")
    client.post("/v1/restore", json={"all": True})
    shows(page, 30)


def test_the_page_works_by_keyboard(page, client):
    expect(page.get_by_role("button", name="Rename")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Settings")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Rename")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("boost")).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, 100)
    # The gauge is ahead of the buttons by a frame, and a disabled one is not in the order.
    restore = page.get_by_role("button", name="Restore: Simulated display")
    expect(restore).to_be_enabled()
    page.keyboard.press("Tab")
    expect(restore).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, 50)
    page.get_by_test_id("slider").focus()
    page.keyboard.press("ArrowRight")
    shows(page, 51)


def test_reasons_are_shown_as_text_and_not_as_markup(page, client):
    client.boost(holder="<img src=x onerror=alert(1)>", reason="<script>alert(1)</script>")
    expect(page.get_by_test_id("leases")).to_contain_text("<img src=x onerror=alert(1)> Boost, <script>")
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("width", [1_200, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(open_page, client, check_accessibility, scheme, width):
    """axe-core finds nothing, and nothing has to be scrolled sideways."""
    client.boost(holder="kiosk-3", reason="qr")
    # The page follows what the person prefers, and not the room.
    make(client, "night" if scheme == "light" else "day")
    page = open_page(viewport={"width": width, "height": 900}, reduced_motion="reduce", color_scheme=scheme)
    expect(page.get_by_test_id("leases")).to_contain_text("kiosk-3")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(room(page).get_by_role("button", name="Sunset")).to_be_visible()
    expect(page.locator("html")).to_have_css("background-color", GROUND[scheme])
    check_accessibility(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_the_page_is_small_and_loads_only_from_the_daemon(new_context, daemon, client):
    context = new_context()
    answers = []
    context.on("response", lambda answer: answers.append(answer))
    page = context.new_page()
    page.goto(daemon.url)
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    assert {answer.url.startswith((f"{daemon.url}/", "data:")) for answer in answers} == {True}
    files = [answer for answer in answers if re.search(r"(/|\.js|\.css|\.svg|\.webmanifest)$", answer.url)]
    assert all(answer.headers["content-security-policy"].startswith(POLICY) for answer in files)
    # As they are sent, most of them compressed.
    assert sum(answer.request.sizes()["responseBodySize"] for answer in files) < 136 * 1_024


def test_the_duration_and_the_levels_can_be_chosen(page, client, check_accessibility):
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Boost and dim for").select_option("15 min")
    page.get_by_label("Boost to").select_option("80%")
    page.get_by_label("Dim to").select_option("10%")
    check_accessibility(page)
    page.reload()
    expect(page.get_by_test_id("boost")).to_have_text("Boost for 15 min")
    page.get_by_test_id("boost").click()
    shows(page, 80)
    expect(page.get_by_test_id("leases")).to_contain_text(re.compile(r"1[45] min left"))
    page.get_by_role("button", name="Dim for 15 min").click()
    shows(page, 10)


def test_a_browser_has_one_name_in_all_its_tabs(open_page, context, client):
    first, second = open_page(context), open_page(context)
    first.get_by_test_id("boost").click()
    expect(second.get_by_test_id("leases")).to_contain_text("You Boost")
    second.get_by_test_id("restore").click()
    shows(first, 50)
    first.get_by_role("button", name="Settings").click()
    first.get_by_label("Your name").fill("Anna")
    first.get_by_label("Your name").press("Enter")
    expect(first.get_by_role("dialog", name="Settings")).to_be_hidden()
    first.get_by_test_id("boost").click()
    until(lambda: (client.state["cause"]["kind"], client.state["cause"]["by"]) == ("boost", "Anna"), "Anna boosted it")
    expect(second.get_by_test_id("leases")).to_contain_text("Anna Boost")
    third = open_page(context)
    expect(third.get_by_test_id("leases")).to_contain_text("You Boost")


def test_a_holder_with_a_code_is_a_program_or_a_browser(page, client):
    client.boost(holder="websocket-db68b839b450965d")
    client.boost(holder="dashboard-78hsi")
    leases = page.get_by_test_id("leases").get_by_role("listitem")
    expect(leases.first).to_contain_text("A program Boost")
    expect(leases.first.locator("bdi").first).to_have_attribute("title", "websocket-db68b839b450965d")
    expect(leases.last).to_contain_text("A browser Boost")
    expect(page.get_by_test_id("force")).to_contain_text("Boosted by a program and another, until")
    client.set(0.4, holder="page-0bnaiwm (2)")
    expect(page.get_by_test_id("cause")).to_have_text(re.compile(r"A browser set it, (just now|\d+ s ago)"))
    client.set(0.3, holder="websocket-db68b839b450965d")
    expect(page.get_by_test_id("cause")).to_have_text(re.compile(r"A program set it, (just now|\d+ s ago)"))
