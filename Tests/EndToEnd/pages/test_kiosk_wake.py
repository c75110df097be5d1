# SPDX-License-Identifier: Apache-2.0
"""`<brightness-wake>`: pages that report activity, and swallow the touch that wakes the display."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from support.until import until

COUNTER = """<button>0</button>
<script>
const button = document.querySelector("button");
const heard = [];
for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "touchstart", "touchend", "keydown", "keyup"])
  document.addEventListener(name, ({ type }) => heard.push(type));
button.addEventListener("click", () => (button.textContent = Number(button.textContent) + 1));
</script>"""


@pytest.fixture
def open_kiosk(new_context, start, connect, pages):
    """Opens a page with these attributes of the element, at a daemon with these options; the page and a client."""

    def open_kiosk(attributes, *options, **context):
        daemon = start(*options)
        pages.daemons.add(daemon.url)
        pages["/wake"] = f"""<!doctype html><html lang="en"><title>Kiosk</title><link rel="icon" href="data:,">
            <script type="module" src="{daemon.url}/brightness.js"></script>
            <brightness-wake {attributes}></brightness-wake>{COUNTER}"""
        page = new_context(**context).new_page()
        page.goto(f"{pages.url}/wake")
        expect(page.locator("brightness-wake:defined")).to_be_attached()
        return page, connect(daemon)

    return open_kiosk


SLEEP = ("--idle-sleep", "8")
"""Longer than a busy machine needs from one touch to the next."""


def await_dark(page, client):
    """The display is off, and the page has heard of it."""
    until(lambda: client.state["power"]["on"] is False, "it is off")
    await_state(page, client, "state => state.power.on === false")


def await_bright(page, client):
    until(lambda: client.state["power"]["on"] and not client.state["dim"], "it is on")
    await_state(page, client, "state => state.power.on && !state.dim")


def await_state(page, client, test):
    page.evaluate(
        """([module, test]) => import(module).then(({ Brightness }) => new Promise((done) => {
            const brightness = new Brightness();
            const holds = eval(test);
            brightness.subscribe((state) => { if (state && holds(state)) done(); });
        }))"""
        .replace("eval(test)", test),
        [f"{client.base_url}/brightness.js", test],
    )


@contextmanager
def standing_still(page):
    """The page's time: a busy machine may need a second from what wakes the display, such as a move of the mouse, to the touch."""
    page.evaluate("{ const now = performance.now(); performance.now = () => now; }")
    yield
    page.evaluate("delete performance.now")


def heard(page):
    return page.evaluate("heard.splice(0)")


def test_the_waking_touch_is_swallowed_and_the_next_one_is_not(open_kiosk):
    page, client = open_kiosk("swallow", *SLEEP, has_touch=True)
    button = page.locator("button")
    await_dark(page, client)
    button.tap()
    await_bright(page, client)
    assert (button.text_content(), heard(page)) == ("0", [])
    button.tap()
    expect(button).to_have_text("1")
    assert {"pointerdown", "touchstart", "click"} <= set(heard(page))


def test_the_waking_click_and_key_are_swallowed(open_kiosk):
    page, client = open_kiosk("swallow", *SLEEP)
    button = page.locator("button")
    button.focus()
    await_dark(page, client)
    with standing_still(page):
        button.click()
    await_bright(page, client)
    assert (button.text_content(), heard(page)) == ("0", [])
    button.click()
    expect(button).to_have_text("1")
    heard(page)
    await_dark(page, client)
    page.keyboard.press("Enter")
    await_bright(page, client)
    assert (button.text_content(), heard(page)) == ("1", [])
    button.press("Space")
    expect(button).to_have_text("2")


def test_a_long_press_is_swallowed_until_the_pointer_is_up(open_kiosk):
    page, client = open_kiosk("swallow", *SLEEP)
    await_dark(page, client)
    with standing_still(page):
        page.locator("button").hover()
        page.mouse.down()
    await_bright(page, client)
    page.wait_for_timeout(1_000)
    page.mouse.up()
    assert (page.locator("button").text_content(), heard(page)) == ("0", [])


def test_a_key_whose_end_is_lost_swallows_nothing_later(open_kiosk):
    page, client = open_kiosk("swallow", *SLEEP)
    button = page.locator("button")
    button.focus()
    await_dark(page, client)
    page.keyboard.down("a")
    await_bright(page, client)
    button.click()
    expect(button).to_have_text("1")
    await_dark(page, client)
    page.keyboard.down("b")
    await_bright(page, client)
    # Another window has the focus, and comes back.
    page.evaluate("dispatchEvent(new Event('blur'))")
    button.press("Enter")
    expect(button).to_have_text("2")


def test_a_wake_by_the_input_device_is_faster_than_the_touch(open_kiosk):
    """The daemon has seen the touch itself, and the page the bright display, before the page gets the touch."""
    page, client = open_kiosk("swallow", *SLEEP)
    await_dark(page, client)
    page.evaluate("""() => new Promise((done) => {
        const wake = document.querySelector("brightness-wake");
        globalThis.woken = import(document.querySelector("script[type=module]").src).then(({ Brightness }) =>
            new Promise((resolve) => new Brightness().subscribe((state) => { if (state?.power.on) resolve(); })));
        done();
    })""")
    with standing_still(page):
        client.post("/v1/activity")
        page.evaluate("woken")
        page.locator("button").click(no_wait_after=True)
    assert page.locator("button").text_content() == "0"
    page.locator("button").click()
    expect(page.locator("button")).to_have_text("1")


def test_a_dimmed_display_takes_the_touch_unless_told_otherwise(open_kiosk):
    for attributes, expected in (("swallow", "1"), ('swallow="dim"', "0"), ("", "1")):
        page, client = open_kiosk(attributes, "--idle-dim", "8:0.1")
        until(lambda: client.state["dim"], "it is dimmed")
        await_state(page, client, "state => state.dim")
        with standing_still(page):
            page.locator("button").click()
        await_bright(page, client)
        assert page.locator("button").text_content() == expected, attributes
        page.close()


def test_activity_is_sent_at_most_every_three_seconds(open_kiosk):
    page, _ = open_kiosk("", "--idle-dim", "600:0.1")
    sent = []
    page.on("request", lambda request: sent.append(request.method) if "/v1/activity" in request.url else None)
    clicked_at = page.evaluate("performance.now()")
    for _ in range(10):
        page.locator("button").click()
    expect(page.locator("button")).to_have_text("10")
    # The page's events come while Playwright is called.
    until(lambda: page.evaluate("1") and sent, "it is sent")
    took = page.evaluate("performance.now()") - clicked_at
    assert 1 <= sent.count("POST") <= 1 + took // 3_000


def test_a_page_without_the_element_sends_nothing_more(open_kiosk):
    page, _ = open_kiosk("", "--idle-dim", "600:0.1")
    sent = []
    page.on("request", lambda request: sent.append(request.url) if "/v1/activity" in request.url else None)
    page.locator("brightness-wake").evaluate("element => element.remove()")
    page.locator("button").click()
    expect(page.locator("button")).to_have_text("1")
    assert sent == []


def test_without_a_daemon_the_page_stays_usable(open_kiosk, start, new_context):
    page, client = open_kiosk("swallow", "--idle-sleep", "3", expects=".*")
    await_dark(page, client)
    page.route("**/v1/**", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    page.locator("button").click()
    expect(page.locator("button")).to_have_text("1")
