# SPDX-License-Identifier: Apache-2.0
"""The page at `/`, in a real browser."""

import pytest
from playwright.sync_api import expect, sync_playwright


@pytest.fixture(scope="module")
def browser():
    """Debian's chromium; `apt-get install chromium` where it is missing."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser, daemon, client):
    """The dashboard, connected. Anything it says on the console is a failure."""
    page = browser.new_page()
    page.set_default_timeout(5_000)
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None)
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("live")
    yield page
    page.close()
    assert not complaints


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


def test_it_says_when_it_is_not_live_and_comes_back(browser, start):
    daemon = start()
    page = browser.new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("live")
    daemon.terminate()
    daemon.ended()
    expect(page.get_by_test_id("status")).not_to_have_text("live")
    start("--listen", f"127.0.0.1:{daemon.port}")
    expect(page.get_by_test_id("status")).to_have_text("live", timeout=10_000)
    page.close()


def test_a_page_may_open_a_web_socket(page, client):
    """The browser's own WebSocket: the current value, a call and its answer, a change."""
    messages = page.evaluate(
        """() => new Promise((resolve, reject) => {
            const socket = new WebSocket(location.origin.replace("http", "ws") + "/v1/ws?types=brightness");
            const messages = [];
            socket.onerror = reject;
            socket.onmessage = ({data}) => {
                messages.push(JSON.parse(data));
                if (messages.length == 1) {
                    socket.send(JSON.stringify({jsonrpc: "2.0", method: "set", params: {percent: 61}, id: 1}));
                }
                if (messages.length == 3) socket.close(1000);
            };
            socket.onclose = ({code, wasClean}) => resolve([...messages, {code, wasClean}]);
        })"""
    )
    first, *changed, end = messages
    assert (first["method"], first["params"]["percent"]) == ("brightness", 50)
    [answer] = [message for message in changed if "result" in message]
    [event] = [message for message in changed if "method" in message]
    assert answer == {"jsonrpc": "2.0", "result": client.state, "id": 1}
    assert event == {"jsonrpc": "2.0", "method": "brightness", "params": client.state}
    assert end == {"code": 1000, "wasClean": True}


def test_what_others_wrote_is_text_and_not_markup(page, client):
    client.set(0.3, holder="<img src=x onerror=alert(1)>", reason="<script>alert(1)</script>")
    expect(page.get_by_test_id("brightness")).to_have_text("30 %")
    assert page.locator("img[src=x]").count() == 0
