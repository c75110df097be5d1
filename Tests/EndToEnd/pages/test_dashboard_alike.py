# SPDX-License-Identifier: Apache-2.0
"""Two displays made to look alike on the dashboard: by eye, at a few brightnesses."""

import pytest
from playwright.sync_api import expect

from support.until import until

SETTINGS = "/v1/displays/b/settings"


@pytest.fixture
def client(start, connect):
    client = connect(start("--display", "simulated:a", "--display", "simulated:b"))
    client.put("/v1/displays/a/brightness", json={"brightness": 0.4})
    client.put("/v1/displays/b/brightness", json={"brightness": 0.7})
    return client


@pytest.fixture
def page(new_context, client):
    page = new_context().new_page()
    page.goto(str(client.base_url))
    expect(page.get_by_test_id("status")).to_have_text("Live")
    page.get_by_role("button", name="Rename Simulated display b").click()
    page.get_by_role("button", name="Make it look like another display").click()
    return page


def shown(client, displays="ab"):
    return tuple(client.get(f"/v1/displays/{id}").json()["raw"]["value"] for id in displays)


def compare(page, client, at, step):
    """Moves the slider to a step while the other display is at a brightness."""
    expect(page.get_by_test_id("alike-stop")).to_contain_text(f"Simulated display a is at {at}%")
    page.get_by_test_id("alike-slider").fill(str(step))
    # A display is never darker than its lowest step, which is 1 here.
    until(lambda: shown(client) == (max(at * 10, 1), step), f"both are at {at} %")
    page.get_by_role("button", name="Save" if at == 0 else "Next", exact=True).click()


def test_a_person_finds_the_curve_by_eye(page, client, check_accessibility):
    slider = page.get_by_role("slider", name="Simulated display b", exact=True)
    expect(slider).to_be_focused()
    expect(slider).to_have_css("border-top-width", "0px")
    check_accessibility(page)
    for at, step in [(100, 800), (60, 400), (30, 150), (0, 30)]:
        compare(page, client, at, step)
    expect(page.get_by_role("dialog")).to_have_count(0)
    curve = [[0, 0.03], [0.3, 0.15], [0.6, 0.4], [1, 0.8]]
    until(lambda: client.get(SETTINGS).json()["curve"] == curve, "the curve is stored")
    # Both have their brightness again, the second one on its curve.
    until(lambda: shown(client) == (400, 500), "both are back")
    client.put("/v1/displays/all/brightness", json={"brightness": 0.6})
    assert shown(client) == (600, 400)


def test_a_cancelled_comparison_changes_nothing(page, client):
    compare(page, client, 100, 800)
    page.keyboard.press("Escape")
    until(lambda: shown(client) == (400, 700), "both are back")
    assert client.get(SETTINGS).json()["curve"] is None


def test_a_comparison_cancelled_while_another_display_is_chosen_changes_nothing(open_many):
    page, client = open_many("a", "b", "c")
    page.get_by_role("button", name="Rename Simulated display b").click()
    before = shown(client, "abc")
    page.get_by_role("button", name="Make it look like another display").click()
    until(lambda: shown(client) == (1_000, 1_000), "both are bright")
    held, asked = [], []
    page.route("**/v1/displays/a/brightness", lambda route: held.append(route))
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_test_id("alike-other").select_option("c")
    until(lambda: page.evaluate("1") and held, "the first one is set back")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    with page.expect_response("**/v1/displays/a/brightness"):
        held.pop().continue_()
    page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))")
    until(lambda: shown(client, "abc") == before, "all are as before")
    assert not any("/displays/c/" in url for url in asked), asked


def test_a_comparison_opened_again_before_the_displays_are_back_restores_them(page, client):
    until(lambda: shown(client) == (1_000, 1_000), "both are bright")
    held = []
    page.route("**/v1/displays/b/brightness", lambda route: held.append(route), times=1)
    page.keyboard.press("Escape")
    until(lambda: page.evaluate("1") and held, "the second one is set back")
    page.get_by_role("button", name="Rename Simulated display b").click()
    page.get_by_role("button", name="Make it look like another display").click()
    with page.expect_request("**/v1/displays/b/brightness"):
        held.pop().continue_()
    compare(page, client, 100, 800)
    page.keyboard.press("Escape")
    until(lambda: shown(client) == (400, 700), "both are back")


def test_each_step_has_to_be_darker_than_the_one_before(page, client):
    compare(page, client, 100, 500)
    compare(page, client, 60, 500)
    expect(page.get_by_role("alert").filter(has_text="This must be darker than the step before.")).to_be_visible()
    compare(page, client, 60, 499)
    expect(page.get_by_test_id("alike-stop")).to_contain_text("3 of 4")


def test_a_display_under_a_boost_is_not_compared(new_context, client):
    client.post("/v1/displays/a/boost")
    page = new_context().new_page()
    page.goto(str(client.base_url))
    page.get_by_role("button", name="Rename Simulated display b").click()
    page.get_by_role("button", name="Make it look like another display").click()
    expect(page.get_by_role("alert").filter(has_text="Simulated display a is boosted, dimmed or off.")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    assert shown(client) == (1000, 700)


def test_a_card_says_which_display_it_follows(open_many):
    page, _ = open_many("a", "b", options=("--follow", "b=a"))
    badges = page.locator(".badge:visible", has_text="Follows")
    expect(badges).to_have_text(["Follows Simulated display a"])
    expect(page.get_by_role("article", name="Simulated display b").filter(has=badges)).to_be_visible()
