# SPDX-License-Identifier: Apache-2.0
"""Pages in the browser: the dashboard, and kiosk pages of another origin."""

import itertools
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from support.browser import quiet_context
from support.dashboard import displays
from support.kiosk import holders
from support.until import until


AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()


@pytest.fixture
def check_accessibility():
    """Fails if axe-core finds anything on a page."""

    def check_accessibility(page):
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        # The only rule of WCAG 2.2 that is off by default. Style sheets are not loaded again: only an experimental rule needs that, and
        # it fails for those of a debug build, which import each other.
        options = {"rules": {"target-size": {"enabled": True}}, "preload": {"assets": ["media"]}}
        violations = page.evaluate("options => axe.run(options).then(({ violations }) => violations)", options)
        assert [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations] == []

    return check_accessibility


@pytest.fixture
def context(new_context):
    return new_context()


@pytest.fixture
def page(context):
    """An empty page."""
    return context.new_page()


@pytest.fixture(scope="module")
def quiet_page(_chromium, daemon):
    """The file's dashboard, for functions of its modules that change nothing."""
    with quiet_context(_chromium[1], timezone_id="UTC") as context:
        page = context.new_page()
        page.goto(daemon.url)
        yield page


@pytest.fixture
def open_page(new_context, daemon, client):
    """Opens the dashboard, connected.

    - context: one to open another tab in, of the same browser.
    """

    def open_page(context=None, **options):
        page = (context or new_context(**options)).new_page()
        page.goto(daemon.url)
        expect(page.get_by_test_id("status")).to_have_text("Live")
        return page

    return open_page


@pytest.fixture
def open_many(new_context, start, connect):
    """Opens the dashboard of a daemon with these displays; the page and a client."""

    def open_many(*names, path="/", options=(), **how):
        daemon = start(*displays(*names), *options)
        page = new_context(**how).new_page()
        page.goto(daemon.url + path)
        return page, connect(daemon)

    return open_many


@pytest.fixture
def await_holders(client):
    def await_holders(*names):
        until(lambda: holders(client) == sorted(names), f"{names} hold boosts, not {holders(client)}")

    return await_holders


@pytest.fixture
def kiosk(daemon, pages):
    """Puts a page on the web server next to the daemon; its address."""
    numbers = itertools.count()
    pages.daemons.add(daemon.url)

    def kiosk(body, module=f"{daemon.url}/brightness.js", path=None):
        path = path or f"/{next(numbers)}"
        pages[path] = f"""<!doctype html><html lang="en"><title>Kiosk</title><link rel="icon" href="data:,">
            <script type="module" src="{module}"></script>{body}"""
        return pages.url + path

    return kiosk
