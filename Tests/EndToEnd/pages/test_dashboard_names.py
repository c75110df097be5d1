# SPDX-License-Identifier: Apache-2.0
"""Names and places of displays on the dashboard: the pencil, its dialog, and what others see."""

import pytest
from playwright.sync_api import expect

from support.provider import Provider

SETTINGS = "/v1/displays/simulated/settings"
WRITER = "writer-0123456789"


@pytest.fixture
def client(start, connect):
    return connect(start())


@pytest.fixture
def visit(new_context, client):
    """Opens the dashboard in a browser of its own."""

    def visit(expects=None, **options):
        page = new_context(expects=expects, **options).new_page()
        page.goto(str(client.base_url))
        expect(page.get_by_test_id("status")).to_have_text("Live")
        return page

    return visit


def rename(page, old, new, key="Enter"):
    page.get_by_role("button", name=f"Rename {old}").click()
    field = page.get_by_role("textbox", name="Name", exact=True)
    expect(field).to_be_focused()
    field.fill(new)
    field.press(key)


def heading(page, name):
    return page.get_by_role("heading", name=name, exact=True)


def test_the_pencil_names_a_display_for_everybody(visit, client, check_accessibility):
    page, other = visit(), visit()
    page.get_by_role("button", name="Rename Simulated display").click()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_have_value("Simulated display")
    check_accessibility(page)
    page.keyboard.press("Escape")
    rename(page, "Simulated display", "Desk, left")
    for tab in (page, other):
        expect(heading(tab, "Desk, left")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("cause")).to_contain_text("You changed its settings")
    assert client.get(SETTINGS).json()["name"] == "Desk, left"


def test_an_empty_name_is_the_devices_own(visit, client):
    client.put(SETTINGS, json={"name": "Left"})
    page = visit()
    rename(page, "Left", "  ")
    expect(heading(page, "Simulated display")).to_be_visible()
    assert client.get(SETTINGS).json()["name"] is None


def test_a_name_that_is_cancelled_or_the_same_changes_nothing(visit, client):
    page = visit()
    before = client.state
    rename(page, "Simulated display", "Left", key="Escape")
    rename(page, "Simulated display", "Simulated display")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert client.state == before


def test_a_name_that_is_rejected_stays_in_its_field(visit, client):
    page = visit(expects="422")
    rename(page, "Simulated display", "Left\u202e")
    expect(page.get_by_role("alert").filter(has_text="control character")).to_be_visible()
    field = page.get_by_role("textbox", name="Name", exact=True)
    expect(field).to_have_value("Left\u202e")
    expect(field).to_be_focused()
    field.fill("Left")
    field.press("Enter")
    expect(heading(page, "Left")).to_be_visible()


def test_only_who_may_name_a_display_has_the_pencil(start, new_context, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"page:write:{WRITER}\n")
    daemon = start("--token-file", tokens, "--anonymous", "read")
    page = new_context().new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("boost")).to_be_disabled()
    expect(page.get_by_test_id("rename")).to_be_hidden()


def test_a_display_is_moved_among_the_others(start, connect, new_context, check_accessibility):
    daemon = start("--display", "simulated:a", "--display", "simulated:b", "--display", "simulated:c")
    pages = [new_context().new_page() for _ in range(2)]
    names = [page.locator("#displays h2") for page in pages]

    def shows(*ids):
        for name in names:
            expect(name).to_contain_text([f"Simulated display {id}" for id in ids])

    for page in pages:
        page.goto(daemon.url)
    own = [state["name"] for state in connect(daemon).get("/v1/displays").json()["displays"]]
    assert own == [f"Simulated display {id}" for id in "abc"], own
    shows("a", "b", "c")
    pages[0].get_by_role("button", name="Rename Simulated display c").click()
    forward, back = (pages[0].get_by_role("button", name=f"Move {way}") for way in ("forward", "back"))
    expect(back).to_be_disabled()
    check_accessibility(pages[0])
    forward.click()
    shows("a", "c", "b")
    forward.click()
    shows("c", "a", "b")
    expect(forward).to_be_disabled()
    pages[0].keyboard.press("Escape")
    pages[1].reload()
    shows("c", "a", "b")


def test_a_display_that_is_gone_is_not_moved(start, new_context):
    daemon = start("--display", "simulated:a", "--display", "simulated:b", expects="not connected")
    with Provider(daemon, {"id": "page", "name": "Page", "maximum": 100, "brightness": 1}) as provider:
        page = new_context().new_page()
        page.goto(daemon.url)
        page.get_by_role("button", name="Rename Page").click()
        provider.call("withdraw", display="page")
        expect(page.locator("#displays h2")).to_have_count(2)
        for way in ("forward", "back"):
            expect(page.get_by_role("button", name=f"Move {way}")).to_be_disabled()


def test_the_only_display_has_no_place_to_move_to(visit):
    page = visit()
    page.get_by_role("button", name="Rename Simulated display").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    expect(page.get_by_role("button", name="Move forward")).to_be_hidden()
