# SPDX-License-Identifier: Apache-2.0
"""The colours of the dashboard: the reader's choice, which the room decides only when it is asked to."""

import pytest
from playwright.sync_api import expect

from support.dashboard import make, shows

GROUND = {"light": "rgb(245, 244, 241)", "dark": "rgb(18, 20, 24)"}


def has(page, scheme):
    expect(page.locator("html")).to_have_css("background-color", GROUND[scheme])


def choose(page, choice):
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Colours").select_option(choice)
    page.keyboard.press("Escape")


@pytest.mark.parametrize(("scheme", "room"), [("light", "night"), ("dark", "day")])
def test_the_systems_preference_wins_over_the_room(open_page, client, scheme, room):
    make(client, room)
    page = open_page(color_scheme=scheme)
    light = f"{'320' if room == 'day' else '2'} lux, {room}"
    expect(page.get_by_role("meter", name="Ambient light")).to_have_attribute("aria-valuetext", light)
    has(page, scheme)


def test_a_choice_is_remembered_and_shared_by_tabs(new_context, open_page, client):
    context = new_context(color_scheme="light", expects="ERR_FAILED")
    page, other = open_page(context), open_page(context)
    has(page, "light")
    choose(page, "Always dark")
    has(page, "dark")
    has(other, "dark")
    page.reload()
    has(page, "dark")
    # Before any module has run, so that nothing flashes.
    context.route("**/dashboard.js", lambda route: route.abort())
    bare = context.new_page()
    bare.goto(page.url, wait_until="commit")
    has(bare, "dark")
    context.unroute("**/dashboard.js")
    choose(other, "System")
    has(page, "light")


def test_the_page_follows_the_room_when_it_is_asked_to(open_page, client):
    make(client, "night")
    page = open_page(color_scheme="light")
    shows(page, 50)
    choose(page, "Follow the room")
    has(page, "dark")
    make(client, "day")
    has(page, "light")


def test_forced_colours_leave_the_level_and_the_chosen_time_distinct(new_context, daemon):
    page = new_context(forced_colors="active").new_page()
    page.goto(daemon.url)
    for part, width in ("track", 1), ("value", 8):
        expect(page.locator(f"article brightness-gauge .{part}")).to_have_css("stroke-width", f"{width}px")
    for label, style in zip(page.locator("#history label").all(), ("solid", "none", "none"), strict=True):
        expect(label).to_have_css("outline-style", style)
