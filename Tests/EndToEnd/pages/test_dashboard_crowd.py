# SPDX-License-Identifier: Apache-2.0
"""The dashboard with 10,000 displays: how soon it shows them, how it scrolls, and how much memory it takes."""

import pytest
from playwright.sync_api import expect

from support.browser import launch
from support.crowd import pretend
from support.until import TIMEOUT


@pytest.fixture
def browser(_chromium):
    """A browser of its own: no other page shares its processes."""
    browser = launch(_chromium[0])
    yield browser
    browser.close()


def open_page(browser, daemon, client, count, summary):
    page = browser.new_page(viewport={"width": 1_280, "height": 800})
    page.set_default_timeout(1_000 * TIMEOUT)
    pretend(page, count, client.state)
    page.busy = busy(page)
    page.goto(daemon.url)
    expect(page.get_by_test_id("summary")).to_have_text(summary)
    return page


def busy(page):
    """Returns a function that returns the page's processor time in seconds, which other programs do not change."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    return busy


def rows(page):
    return page.get_by_test_id("rows").get_by_role("listitem")


def private_memory(browser):
    """Returns the private memory of the browser's largest page, in MiB."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = []
    for process in processes:
        if process["type"] == "renderer":
            with open(f"/proc/{process['id']}/smaps_rollup") as file:
                sizes.append(sum(int(line.split()[1]) for line in file if line.startswith("Private_")) / 1_024)
    return max(sizes)


def test_ten_thousand_displays_take_little_time_and_memory(browser, daemon, client):
    few = open_page(browser, daemon, client, 1_000, "1,000 displays, 1 needs attention").busy()
    page = open_page(browser, daemon, client, 10_000, "10,000 displays, 5 need attention")
    many = page.busy()
    expect(rows(page).first).to_contain_text("Not available")
    memory = private_memory(browser)
    print(f"{many * 1_000:.0f} ms of CPU, of 1,000 displays {few * 1_000:.0f} ms, {memory:.0f} MiB")
    assert many < 10 * few
    assert rows(page).count() < 40
    assert memory < 150


def scrolling(page):
    """The processor time of each step through the list.

    The least of three passes: what the browser tidies up now and then is not the page's work.
    """

    def steps():
        page.get_by_test_id("scroller").evaluate("(element) => element.scrollTo(0, 0)")
        page.mouse.move(400, 600)
        for step in range(40):
            before = page.busy()
            page.mouse.wheel(0, 400 if step < 20 else 40_000)
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
            yield page.busy() - before

    return [min(same) for same in zip(*(steps() for _ in range(3)))]


def test_scrolling_ten_thousand_displays_costs_no_more_than_scrolling_a_hundred(browser, daemon, client):
    few = scrolling(open_page(browser, daemon, client, 100, "100 displays, 1 needs attention"))
    page = open_page(browser, daemon, client, 10_000, "10,000 displays, 5 need attention")
    many = scrolling(page)
    print(f"longest step {max(many) * 1_000:.1f} ms, of 100 displays {max(few) * 1_000:.1f} ms")
    assert max(many) < 3 * max(few)
    expect(rows(page).first).to_be_attached()
    assert page.get_by_test_id("scroller").evaluate("({ scrollTop }) => scrollTop") > 100_000
    page.get_by_test_id("search").fill("00123 machine-023")
    expect(rows(page)).to_have_count(1)
    page.get_by_test_id("search").fill("")
    page.get_by_label("By machine").check()
    expect(page.get_by_role("heading", name="machine-001 · 200 displays, 1 not available since before ")).to_be_attached()
