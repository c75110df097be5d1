# SPDX-License-Identifier: Apache-2.0
"""Names, numbers, focus, and how the files of the dashboard are loaded."""

import re

import pytest
from playwright.sync_api import expect

from support.daemon import BINARY
from support.dashboard import room, shows
from support.until import until


@pytest.fixture
def page(open_page):
    return open_page()


def leases(page):
    return page.get_by_test_id("leases").get_by_role("listitem")


def test_the_focus_stays_after_end_and_restore(page, client):
    client.boost(holder="first")
    client.boost(holder="second")
    client.boost(holder="third")
    expect(leases(page)).to_have_count(3)
    ends = page.get_by_role("button", name="End the boost of")
    page.get_by_role("button", name="End the boost of second").focus()
    page.keyboard.press("Enter")
    expect(leases(page)).to_have_count(2)
    expect(page.get_by_role("button", name="End the boost of third")).to_be_focused()
    page.keyboard.press("Enter")
    expect(ends).to_have_count(1)
    expect(ends).to_be_focused()
    page.keyboard.press("Enter")
    expect(leases(page)).to_have_count(0)
    boost = page.get_by_test_id("boost")
    expect(boost).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="End your boost")).to_be_visible()
    page.get_by_test_id("restore").focus()
    page.keyboard.press("Enter")
    expect(leases(page)).to_have_count(0)
    expect(boost).to_be_focused()


def test_controls_have_names_and_values(page, client):
    slider = page.get_by_role("slider", name="Set to: brightness of Simulated display")
    expect(slider).to_have_attribute("aria-valuetext", "50%")
    slider.fill("30")
    expect(slider).to_have_attribute("aria-valuetext", "30%")
    expect(page.get_by_role("switch", name="Automatic brightness: Simulated display")).to_be_attached()


def test_names_of_another_direction_are_isolated(page, client):
    client.boost(holder="مرحبا", brightness=0.8)
    expect(leases(page).locator("b > bdi")).to_have_text("\u2068مرحبا\u2069")
    client.set(0.3, holder="مرحبا")
    expect(page.get_by_test_id("cause")).to_contain_text("\u2068مرحبا\u2069 set it")
    assert page.get_by_role("heading", name="Simulated display").locator("bdi").count() == 1


@pytest.mark.parametrize("locale", ["ar-EG", "fa-IR", "nl-NL", "en-US"])
def test_all_numbers_have_the_same_digits(open_page, client, locale):
    client.set(0.4, holder="maria")
    page = open_page(locale=locale)
    client.set(0.3, holder="maria")
    expect(page.locator(".causes time").first).to_have_text(re.compile("[0-9]"))
    light = room(page).get_by_role("slider", name="From the front")
    expect(light).to_have_attribute("aria-valuetext", re.compile("^[0-9.,]+ lx$"))
    assert not re.search("[\u0660-\u0669\u06f0-\u06f9]", page.locator("body").inner_text())
    assert not re.search(r"\d %", page.locator("body").inner_text())


@pytest.mark.parametrize("count", [1, 2, 12])
@pytest.mark.parametrize("width", [390, 1_280])
def test_long_names_do_not_widen_the_page(new_context, start, width, count):
    names = [f"{number}-{'a-very-long-name-' * 3}" for number in range(count)]
    daemon = start(*(option for name in names for option in ("--display", f"simulated:{name}")))
    page = new_context(viewport={"width": width, "height": 800}).new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("Live")
    expect(page.get_by_text(names[0]).first).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    wide = "panels => panels.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length"
    assert page.locator(".panel").evaluate_all(wide) == 0


def test_there_is_no_chart_before_there_is_a_line(new_context, start):
    daemon = start()
    page = new_context().new_page()

    def nothing(route):
        times = {"from": "2026-01-01T00:00:00.000Z", "to": "2026-01-01T01:00:00.000Z", "step": 10}
        route.fulfill(json={"display": "simulated", "points": [], "leases": []} | times)

    page.route("**/v1/history?*", nothing)
    page.goto(daemon.url)
    expect(page.get_by_text("Nothing was recorded in this time yet.")).to_be_visible()
    expect(page.locator(".chart")).to_be_hidden()


def test_a_reload_requests_no_file_again(new_context, daemon, client):
    page = new_context().new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    cached, requested = set(), []

    def receive(event):
        if event["response"].get("fromDiskCache"):
            cached.add(event["requestId"])

    session.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))
    session.on("Network.responseReceived", receive)
    session.on(
        "Network.requestWillBeSent", lambda event: requested.append((event["requestId"], event["request"]["url"]))
    )
    page.goto(daemon.url)
    shows(page, 50)
    files = [url for _, url in requested if url.endswith((".js", ".css"))]
    assert all("/assets/" in url for url in files)
    if "/release/" in BINARY:
        # `make build` has bundled the modules.
        assert sorted(url.rsplit("/", 1)[1] for url in files) == ["dashboard.css", "dashboard.js", "early.js"]
    requested.clear()
    page.reload()
    shows(page, 50)

    def again():
        # The browser's events come while Playwright is called.
        page.evaluate("1")
        return [url for number, url in requested if number not in cached]

    until(lambda: not any("/assets/" in url for url in again()), "every file is cached")
    assert f"{daemon.url}/" in again()


def test_a_slow_network_does_not_lengthen_a_boost(new_context, daemon, client):
    page = new_context().new_page()
    page.add_init_script(
        """const ask = fetch, later = () => new Promise((done) => setTimeout(done, 2_500));
        globalThis.fetch = async (url, ...how) => {
            if (!`${url}`.includes("/v1/events")) return ask(url, ...how);
            await later();
            const response = await ask(url, ...how);
            await later();
            return response;
        };"""
    )
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("Live")
    client.boost(holder="kiosk-3", ttl=300)
    expect(page.get_by_test_id("leases")).to_contain_text(re.compile("[45] min left"))


@pytest.mark.parametrize(
    ("selector", "kind"),
    [
        ("link[rel=icon]", "image/svg+xml"),
        ("link[rel=apple-touch-icon]", "image/png"),
        ("link[rel=manifest]", "application/manifest+json"),
    ],
)
def test_the_page_has_icons(page, client, selector, kind):
    answer = client.get(page.locator(selector).get_attribute("href"))
    assert answer.headers["content-type"] == kind
    if kind.endswith("json"):
        assert {icon["src"] for icon in answer.json()["icons"]} == {"icon.svg", "icon.png"}
    # Browsers ask for it with documents that name none.
    assert client.get("/favicon.ico").headers["content-type"] == "image/png"
