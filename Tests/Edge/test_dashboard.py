# SPDX-License-Identifier: Apache-2.0
"""The page at `/`, in a real browser."""

import pytest
from playwright.sync_api import expect

from support.browser import GONE


@pytest.fixture
def page(new_context, daemon, client):
    """The dashboard, connected."""
    page = new_context().new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("live")
    return page


def test_it_shows_the_current_value(page):
    expect(page.get_by_test_id("brightness")).to_have_text("50 %")


def test_it_shows_changes_live(page, client):
    for percent in (42, 7, 100, 0):
        client.put("/v1/brightness", json={"percent": percent})
        expect(page.get_by_test_id("brightness")).to_have_text(f"{percent} %")


def test_its_buttons_boost_and_restore(page, client):
    page.get_by_test_id("boost").click()
    expect(page.get_by_test_id("brightness")).to_have_text("100 %")
    assert client.state["boost"]["leases"] == 1
    page.get_by_test_id("restore").click()
    expect(page.get_by_test_id("brightness")).to_have_text("50 %")
    assert client.state["boost"] is None


def test_it_says_when_it_is_not_live_and_comes_back(new_context, start):
    daemon = start()
    page = new_context(expects=GONE).new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("live")
    daemon.terminate()
    daemon.ended()
    expect(page.get_by_test_id("status")).not_to_have_text("live")
    start("--listen", f"127.0.0.1:{daemon.port}")
    expect(page.get_by_test_id("status")).to_have_text("live", timeout=30_000)


def test_what_others_wrote_is_text_and_not_markup(page, client):
    client.set(0.3, holder="<img src=x onerror=alert(1)>", reason="<script>alert(1)</script>")
    expect(page.get_by_test_id("brightness")).to_have_text("30 %")
    assert page.locator("img[src=x]").count() == 0
