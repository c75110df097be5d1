# SPDX-License-Identifier: Apache-2.0
"""A display that is off looks off: on its card, in the list, on the wall, and for screen readers."""

import re

import pytest
from playwright.sync_api import expect

from support.dashboard import meter, row

NAMES = [f"panel-{number}" for number in range(12)]


def switch(client, name, on):
    client.put(f"/v1/displays/{name}/power", json={"on": on, "holder": "maria"})


def number(page):
    return meter(page).locator(".number")


def length(locator):
    """The part of a gauge's arc that is filled, in percent."""
    return 100 - float(locator.evaluate("path => getComputedStyle(path).strokeDashoffset").removesuffix("px"))


def test_the_card_of_a_display_that_is_off(open_page, client, check_accessibility):
    page = open_page(reduced_motion="reduce")
    expect(number(page)).to_have_text("50%")
    page.get_by_test_id("power").click()
    expect(number(page)).to_have_text("Off")
    expect(meter(page)).to_have_attribute("aria-valuetext", "off; 50 percent when on")
    expect(meter(page)).to_have_attribute("aria-valuenow", "0")
    expect(meter(page).locator(".caption")).to_have_text("50% when on")
    assert length(meter(page).locator(".value")) < 0
    expect(page.locator(".slider label").first).to_have_text("When on")
    page.get_by_test_id("boost").click()
    expect(page.get_by_test_id("force")).to_have_text("Off: the boost has no effect until it is on")
    expect(number(page)).to_have_text("Off")
    expect(meter(page).locator(".caption")).to_have_text("100% when on")
    expect(meter(page)).not_to_have_class(re.compile("boosted"))
    check_accessibility(page)
    page.get_by_test_id("power").click()
    expect(number(page)).to_have_text("100%")
    expect(page.get_by_test_id("leases")).to_contain_text("You Boost")


def test_the_card_of_a_display_that_a_sleep_switched_off(open_page, client):
    client.post("/v1/sleep", json={"ttl": 60, "holder": "kiosk-3"})
    page = open_page()
    expect(number(page)).to_have_text("Off")
    expect(page.get_by_test_id("leases")).to_contain_text("kiosk-3 Off")


def test_what_a_display_that_is_not_there_cannot_do_is_off(open_many):
    page, client = open_many("left", "right")
    card = page.get_by_role("article", name="Simulated display right")
    controls = [card.get_by_role("button", name=re.compile(f"^{name}")) for name in ("Boost", "Dim", "Off")]
    controls.append(card.get_by_role("slider"))
    for control in controls:
        expect(control).to_be_enabled()
    client.patch("/v1/simulator", json={"display": "right", "unplugged": True})
    expect(card.get_by_test_id("force")).to_contain_text("Not available since")
    # The card states it, and nobody here did it.
    expect(page.get_by_test_id("message")).to_be_hidden()
    for control in controls:
        expect(control).to_be_disabled()
    expect(card.get_by_role("switch")).to_be_enabled()
    client.patch("/v1/simulator", json={"display": "right", "unplugged": False})
    for control in controls:
        expect(control).to_be_enabled()


def test_a_command_that_a_display_refuses_is_reported_on_its_card(open_many):
    page, client = open_many("left", "right", expects="503")
    left, right = (page.get_by_role("article", name=f"Simulated display {name}") for name in ("left", "right"))
    client.patch("/v1/simulator", json={"display": "left", "refuses": True})
    left.get_by_test_id("boost").click()
    expect(left.get_by_role("alert")).to_contain_text("left")
    expect(right.get_by_role("alert")).to_be_empty()
    expect(page.get_by_test_id("message")).to_be_hidden()
    client.patch("/v1/simulator", json={"display": "left", "refuses": False})
    left.get_by_test_id("boost").click()
    expect(left.get_by_role("alert")).to_be_empty()


@pytest.mark.parametrize("width", [1_280, 390, 320])
def test_the_state_is_never_cut(open_many, width):
    page, client = open_many("left", "right", "middle", viewport={"width": width, "height": 800})
    switch(client, "left", False)
    client.patch("/v1/simulator", json={"display": "right", "unplugged": True})
    left, right = (page.get_by_role("article", name=f"Simulated display {name}") for name in ("left", "right"))
    expect(left.locator(".number")).to_have_text("Off")
    expect(right.get_by_test_id("force")).to_contain_text("Not available since")
    for text in (left.locator(".number"), left.locator(".caption"), right.get_by_test_id("force")):
        assert text.evaluate("text => text.scrollWidth <= text.clientWidth || getComputedStyle(text).display == 'inline'")
        box, outer = text.bounding_box(), page.locator("#displays").bounding_box()
        assert box["x"] >= outer["x"] and box["x"] + box["width"] <= outer["x"] + outer["width"]
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_the_list_and_the_wall_show_what_is_off(open_many, check_accessibility):
    page, client = open_many(*NAMES, reduced_motion="reduce")
    client.put("/v1/displays/panel-4/brightness", json={"percent": 90})
    switch(client, "panel-4", False)
    client.post("/v1/displays/panel-5/boost", json={"holder": "kiosk-3"})
    switch(client, "panel-5", False)
    client.post("/v1/displays/panel-8/sleep", json={"holder": "kiosk-3", "ttl": 600})
    levels = "getComputedStyle(bar).getPropertyValue('--level')"
    for name, said in {
        "panel-4": "90% when on",
        "panel-5": "Off: the boost has no effect until it is on",
        "panel-8": "Switched off by kiosk-3, until",
    }.items():
        expect(row(page, name)).to_contain_text(said)
        expect(row(page, name).locator(".level")).to_have_text("Off")
        assert row(page, name).locator(".bar").evaluate(f"bar => {levels}") == "0"
    check_accessibility(page)
    # Darker than every display that is on.
    page.get_by_label("Sort by").select_option("brightness")
    expect(page.get_by_test_id("rows").locator(".level").last).to_have_text("Off")
    page.goto(page.url.split("#")[0] + "#wall")
    expect(page.get_by_test_id("wall-summary")).to_have_text("Live · 12 displays · 0 boosted · 3 off · 0 need attention")
    tile = page.get_by_role("main", name="Wall").get_by_role("listitem").filter(has_text="panel-4")
    expect(tile.locator(".level")).to_have_text("Off")
    expect(tile).to_contain_text("90% when on")
    check_accessibility(page)
