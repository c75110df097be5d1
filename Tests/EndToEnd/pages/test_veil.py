# SPDX-License-Identifier: Apache-2.0
"""`<brightness-veil>`: a page that is a display, as screenshots of a real browser show it."""

import base64

import pytest
from playwright.sync_api import expect

from support.browser import GONE
from support.fingers import scroll, swipe
from support.picture import colors, luminance
from support.provider import Provider
from support.relay import Relay
from support.until import until

PATH = "/v1/displays/lobby"
VEIL = '<brightness-veil display="lobby" name="Lobby"></brightness-veil>'
PART = '<brightness-veil display="lobby-page"></brightness-veil>'
BUTTON = """<button>0</button>
<script>
const button = document.querySelector("button");
button.addEventListener("click", () => (button.textContent = Number(button.textContent) + 1));
</script>"""
SIZE = {"width": 320, "height": 200}
# Blank: what the button adds is less than the tolerance of `shows`.
DIALOG = "<dialog>text</dialog>"
FULLY = """window.fully = { level: 204, isOn: true, calls: [],
    setScreenBrightness(level) { this.level = level; this.calls.push(level) },
    getScreenBrightness() { return this.level }, getScreenOn() { return this.isOn },
    turnScreenOn() { this.isOn = true; this.calls.push("on") },
    turnScreenOff(keepsAlive) { this.isOn = false; this.calls.push(`off ${keepsAlive}`) } }"""


@pytest.fixture
def lobby(start, connect, pages):
    """A daemon without displays of its own, and a client."""
    daemon = start("--display", "none", expects="not connected|timed out")
    pages.daemons.add(daemon.url)
    return daemon, connect(daemon)


@pytest.fixture
def show(pages, lobby, new_context):
    """Opens a page with a veil."""

    def show(body=VEIL, server=None, module=None, context=None, **options):
        server, path = server or lobby[0].url, "/veil"
        pages.daemons.add(server)
        pages[path] = f"""<!doctype html><html lang="en"><title>Lobby</title><link rel="icon" href="data:,">
            <script type="module" src="{module or server}/brightness.js" blocking="render"></script>{body}"""
        context = context or new_context(viewport=SIZE, expects=f"{GONE}|closed before", **options)
        page = context.new_page()
        page.goto(pages.url + path)
        return page

    return show


def shows(page, level):
    """Waits until the page is this bright; the luminance of a white page is 1."""
    try:
        until(lambda: abs(luminance(page.screenshot()) - level) < 0.03, f"{level} is shown")
    except AssertionError as error:
        raise AssertionError(f"{error}, not {luminance(page.screenshot())}") from None


def provided(client):
    return until(lambda: client.get(PATH).status_code == 200 and client.get(PATH).json(), "it is a display")


def put(client, level):
    """A display that another tab takes over is not available for a moment."""
    until(lambda: client.put(f"{PATH}/brightness", json={"brightness": level}).is_success, "it is available")


def test_the_page_is_as_bright_as_the_display(show, lobby):
    client = lobby[1]
    page = show()
    state = provided(client)
    assert (state["kind"], state["name"], state["brightness"], state["raw"]["maximum"]) == ("provided", "Lobby", 1, 100)
    shows(page, 1)
    put(client, 0.4)
    shows(page, 0.4)
    client.post(f"{PATH}/boost", json={"holder": "qr"}).raise_for_status()
    shows(page, 1)
    client.post(f"{PATH}/restore", json={"holder": "qr"}).raise_for_status()
    shows(page, 0.4)
    # Never black: something can always be seen.
    put(client, 0)
    shows(page, 0.03)
    put(client, 1)
    shows(page, 1)


def test_a_click_passes_and_the_touch_in_the_dark_only_wakes(show, lobby):
    client = lobby[1]
    page = show(VEIL + BUTTON)
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)
    button = page.locator("button")
    button.click()
    expect(button).to_have_text("1")
    client.post(f"{PATH}/sleep", json={"holder": "night", "ttl": 300}).raise_for_status()
    shows(page, 0.03)
    box = button.bounding_box()
    page.mouse.click(box["x"] + 3, box["y"] + 3)
    until(lambda: client.get(PATH).json()["power"]["on"] is True, "it is on")
    state = client.get(PATH).json()
    assert (state["cause"]["kind"], state["sleep"]["overridden"]) == ("external", True)
    shows(page, 0.4)
    expect(button).to_have_text("1")
    button.click()
    expect(button).to_have_text("2")


def test_a_finger_that_scrolls_passes_and_in_the_dark_only_wakes(show, lobby):
    client = lobby[1]
    page = show(VEIL + '<svg height="150"></svg>' + BUTTON + '<svg height="900"></svg>', has_touch=True)
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)
    button = page.locator("button")
    scroll(page, button)
    page.evaluate("scrollTo(0, 0)")
    client.post(f"{PATH}/sleep", json={"holder": "night", "ttl": 300}).raise_for_status()
    shows(page, 0.03)
    swipe(page, button, down=-150)
    until(lambda: client.get(PATH).json()["power"]["on"] is True, "it is on")
    shows(page, 0.4)
    assert page.evaluate("scrollY") == 0
    scroll(page, button)
    state = client.get(PATH).json()
    assert (state["brightness"], state["baseline"]) == (0.4, 0.4)
    expect(button).to_have_text("0")


@pytest.mark.parametrize(
    ("markup", "script"),
    [
        (DIALOG, "document.querySelector('dialog').showModal()"),
        ('<div popover>text</div>', "document.querySelector('[popover]').showPopover()"),
        ("", "document.documentElement.requestFullscreen()"),
    ],
)
def test_nothing_is_above_it(show, lobby, markup, script):
    client = lobby[1]
    page = show(VEIL + markup)
    provided(client)
    put(client, 0.1)
    shows(page, 0.1)
    page.evaluate(f"() => void {script}")
    page.wait_for_timeout(500)
    assert luminance(page.screenshot()) < 0.13


def test_no_frame_after_a_reload_is_brighter(show, lobby):
    client = lobby[1]
    page = show()
    provided(client)
    put(client, 0.2)
    shows(page, 0.2)
    session = page.context.new_cdp_session(page)
    frames = []

    def keep(frame):
        frames.append(luminance(base64.b64decode(frame["data"])))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    for _ in range(20):
        page.reload()
        page.wait_for_timeout(150)
    # A busy browser draws fewer.
    until(lambda: page.reload() and len(frames) >= 20, "enough frames")
    session.send("Page.stopScreencast")
    assert max(frames) < 0.23, frames


def test_without_the_daemon_it_is_bright_after_a_minute_and_with_it_dark_again(start, connect, show, tmp_path, pages):
    options = ("--display", "none", "--state-directory", tmp_path)
    daemon = start(*options)
    client = connect(daemon)
    # With a copy of the module: the daemon's would be gone with it.
    veil = f'<brightness-veil display="lobby" server="{daemon.url}"></brightness-veil>'
    page = show(veil, server=daemon.url, module=f"{pages.url}/copy")
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)
    page.clock.install()
    page.reload()
    shows(page, 0.4)
    until(lambda: client.get(PATH).json()["available"], "it is provided")
    daemon.stop()
    # The page's clock goes on while the daemon stops and the picture is taken.
    page.clock.fast_forward(30_000)
    page.wait_for_timeout(300)
    shows(page, 0.4)
    page.clock.fast_forward(32_000)
    shows(page, 1)
    # Nor does a reload make it dark.
    page.reload()
    shows(page, 1)
    again = start(*options, "--listen", f"127.0.0.1:{daemon.port}")
    page.clock.fast_forward(20_000)
    until(lambda: connect(again).get(PATH).status_code == 200, "it is provided")
    shows(page, 0.4)


def test_a_page_that_reloads_itself_without_the_daemon_does_not_stay_dark(start, connect, show, pages):
    daemon = start("--display", "none")
    client = connect(daemon)
    veil = f'<brightness-veil display="lobby" server="{daemon.url}"></brightness-veil>'
    page = show(veil, server=daemon.url, module=f"{pages.url}/copy")
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)
    daemon.kill()
    page.clock.install()
    for _ in range(2):
        page.reload()
        shows(page, 0.4)
        page.clock.fast_forward(25_000)
    page.reload()
    page.clock.fast_forward(25_000)
    shows(page, 1)


def test_a_network_that_is_cut_is_noticed(show, lobby):
    daemon, client = lobby
    with Relay(daemon.port) as relay:
        page = show(server=f"http://127.0.0.1:{relay.port}")
        provided(client)
        put(client, 0.4)
        shows(page, 0.4)
        page.clock.install()
        page.reload()
        until(lambda: client.get(PATH).json()["available"], "it is provided")
        shows(page, 0.4)
        relay.swallow()
        for _ in range(8):
            page.clock.fast_forward(11_000)
            page.wait_for_timeout(50)
        shows(page, 1)


def test_of_two_tabs_both_are_dark_and_one_is_left(show, lobby, new_context):
    client = lobby[1]
    context = new_context(viewport=SIZE)
    first, second = show(context=context), show(context=context)
    provided(client)
    put(client, 0.4)
    for page in (first, second):
        shows(page, 0.4)
    client.put(f"{PATH}/power", json={"on": False}).raise_for_status()
    shows(first, 0.03)
    client.put(f"{PATH}/power", json={"on": True}).raise_for_status()
    second.close()
    put(client, 0.6)
    shows(first, 0.6)
    first.close()
    until(lambda: not client.get(PATH).json()["available"], "nobody provides it")


def test_of_two_tabs_of_a_pair_both_are_dark_and_one_is_left(start, connect, show, new_context):
    daemon = start("--display", "none", "--pair", "lobby=lobby-page+simulated:tv", expects="not connected|timed out")
    client = connect(daemon)
    context = new_context(viewport=SIZE)
    first, second = (show(PART, server=daemon.url, context=context) for _ in range(2))
    provided(client)
    put(client, 0.4)
    for page in (first, second):
        shows(page, 0.4)
    # The power is the television's: a page that follows it does not go dark.
    client.put(f"{PATH}/power", json={"on": False}).raise_for_status()
    put(client, 0.5)
    shows(first, 0.5)
    client.put(f"{PATH}/power", json={"on": True}).raise_for_status()
    second.close()
    put(client, 0.6)
    shows(first, 0.6)


def test_two_tabs_of_a_pair_that_comes_after_them_follow_it(start, connect, show, new_context):
    daemon = start("--display", "none", "--pair", "lobby=lobby-page+relay", expects="not connected|timed out")
    client = connect(daemon)
    context = new_context(viewport=SIZE)
    frames = []

    def listen(socket):
        socket.on("framereceived", lambda frame: frames.append(frame))

    context.on("page", lambda page: page.on("websocket", listen))
    first, second = (show(PART, server=daemon.url, context=context) for _ in range(2))
    # A title makes the browser's events arrive.
    until(lambda: first.title() and sum('"id":"lobby-page"' in frame for frame in frames) == 2, "both provide it")
    with Provider(daemon, {"id": "relay", "maximum": None, "switchable": True, "on": True}) as relay:
        assert relay.state["id"] == "lobby"
        put(client, 0.4)
        for page in (first, second):
            shows(page, 0.4)
        second.close()
        put(client, 0.6)
        shows(first, 0.6)


def test_a_page_and_its_frame_are_darkened_once(show, lobby, pages):
    client = lobby[1]
    pages["/frame"] = f"""<!doctype html><html lang="en"><title>Frame</title>
        <script type="module" src="{lobby[0].url}/brightness.js"></script>{VEIL}"""
    page = show(VEIL + '<iframe src="/frame" title="Frame" width="300" height="180"></iframe>')
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)
    assert len([display for display in client.get("/v1/displays").json()["displays"]]) == 1


def test_of_two_elements_one_covers_the_page_and_the_other_takes_over(show, lobby):
    client = lobby[1]
    page = show(VEIL + VEIL)
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)
    page.locator("brightness-veil").first.evaluate("veil => veil.remove()")
    put(client, 0.6)
    shows(page, 0.6)


def test_an_element_that_gets_its_display_later_covers_the_page(show, lobby, new_context):
    client = lobby[1]
    page = show("", context=new_context(viewport=SIZE, expects="requires display="))
    page.evaluate("() => document.body.append(document.createElement('brightness-veil'))")
    page.locator("brightness-veil").evaluate("veil => veil.setAttribute('display', 'lobby')")
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)


def test_a_frame_alone_is_darkened(show, lobby, pages):
    client = lobby[1]
    pages["/frame"] = f"""<!doctype html><html lang="en"><title>Frame</title>
        <script type="module" src="{lobby[0].url}/brightness.js"></script>{VEIL}"""
    page = show('<iframe src="/frame" title="Frame" width="300" height="180"></iframe>')
    provided(client)
    put(client, 0.1)
    until(lambda: luminance(page.locator("iframe").screenshot()) < 0.15, "the frame is dark")
    assert luminance(page.screenshot()) > 0.2


def test_warmth_tints_the_dark_page(show, lobby):
    client = lobby[1]
    page = show('<brightness-veil display="lobby" warmth="0.5"></brightness-veil>')
    provided(client)
    shows(page, 1)
    put(client, 0.5)
    until(lambda: colors(page.screenshot())[0] < 0.52, "it is dark")
    red, green, blue = colors(page.screenshot())
    assert abs(red - 0.5) < 0.02 and red > green + 0.03 > blue + 0.06
    # The tint adds no light.
    page.evaluate("document.documentElement.style.background = '#000'")
    until(lambda: luminance(page.screenshot()) < 0.01, "black stays black")


def test_print_and_reduced_motion(show, lobby):
    client = lobby[1]
    page = show(reduced_motion="reduce")
    provided(client)
    put(client, 0.4)
    shows(page, 0.4)
    duration = "getComputedStyle(document.querySelector('brightness-veil').shadowRoot.querySelector('div')).transitionDuration"
    assert page.evaluate(duration) == "0s"
    page.emulate_media(media="print")
    shows(page, 1)


def test_the_id_of_another_display_is_refused(start, connect, pages, new_context):
    daemon = start("--display", "simulated:wall")
    client = connect(daemon)
    pages.daemons.add(daemon.url)
    pages["/wall"] = f"""<!doctype html><html lang="en"><title>Wall</title><link rel="icon" href="data:,">
        <script type="module" src="{daemon.url}/brightness.js"></script>
        <script>var refusal; document.addEventListener("error", ({{ detail }}) => (refusal ??= detail?.type), true)</script>
        <brightness-veil display="wall"></brightness-veil>"""
    page = new_context(viewport=SIZE, expects="Display exists").new_page()
    page.goto(f"{pages.url}/wall")
    until(lambda: page.evaluate("window.refusal") == "/problems/display-exists", "it is refused")
    client.put("/v1/displays/wall/brightness", json={"brightness": 0.1}).raise_for_status()
    page.wait_for_timeout(500)
    shows(page, 1)


def test_a_token_that_is_set_later_makes_the_page_a_display(start, connect, show, new_context, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("lobby:write:lobby-0123456789abcdef\n")
    tokens.chmod(0o600)
    daemon = start("--display", "none", "--token-file", tokens, "--anonymous", "read", expects="not connected|timed out")
    page = show(server=daemon.url, context=new_context(viewport=SIZE, expects=f"{GONE}|closed before|requires a token"))
    with page.expect_event("console", lambda line: "requires a token" in line.text):
        page.reload()
    page.evaluate(f"import('{daemon.url}/brightness.js').then(({{ authorize }}) => authorize('lobby-0123456789abcdef'))")
    # The page asks again on the same connection after 30 s only, in vain.
    provided(connect(daemon))


def test_a_page_without_one_costs_nothing(show, lobby):
    page = show("<p>text</p>")
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.reload()
    page.wait_for_timeout(500)
    assert sockets == []
    assert lobby[1].get("/v1/displays").json()["displays"] == []


@pytest.mark.parametrize(
    ("stand_in", "steps", "dimmed", "off"),
    [
        (
            FULLY,
            255, 102, "off true",
        ),
        (
            """window.kioskSatellite = { level: 0.8, calls: [],
                setBrightness(level) { this.level = level; this.calls.push(level) }, getBrightness() { return this.level },
                screenOn() { this.calls.push("on") }, screenOff() { this.calls.push("off") } }""",
            100, 0.4, "off",
        ),
    ],
)  # fmt: skip
def test_on_a_tablet_it_sets_the_backlight(show, lobby, new_context, stand_in, steps, dimmed, off):
    client = lobby[1]
    context = new_context(viewport=SIZE)
    context.add_init_script(stand_in)
    page = show(context=context)
    state = provided(client)
    assert (state["brightness"], state["raw"]["maximum"]) == (0.8, steps)
    put(client, 0.4)
    calls = "(window.fully ?? window.kioskSatellite).calls"
    until(lambda: page.evaluate(calls) == [dimmed], "the backlight is set")
    client.put(f"{PATH}/power", json={"on": False}).raise_for_status()
    client.put(f"{PATH}/power", json={"on": True}).raise_for_status()
    until(lambda: page.evaluate(calls) == [dimmed, off, "on"], "the screen is switched")
    # The page itself stays bright, and a person's change at the tablet is one.
    assert luminance(page.screenshot()) > 0.9
    page.evaluate(f"(window.fully ?? window.kioskSatellite).level = {dimmed} * 1.5")
    until(lambda: client.get(PATH).json()["brightness"] == 0.6, "the change is seen")
    assert client.get(PATH).json()["cause"]["kind"] == "external"
    put(client, 0.4)
    until(lambda: page.evaluate(calls)[-1] == dimmed, "it is set again")


def test_without_the_daemon_a_person_switches_a_tablet_off_for_good(start, connect, show, new_context, pages):
    daemon = start("--display", "none")
    client = connect(daemon)
    context = new_context(viewport=SIZE, expects=f"{GONE}|closed before")
    context.add_init_script(FULLY)
    veil = f'<brightness-veil display="lobby" server="{daemon.url}"></brightness-veil>'
    page = show(veil, server=daemon.url, module=f"{pages.url}/copy", context=context)
    provided(client)
    page.clock.install()
    page.reload()
    until(lambda: client.put(f"{PATH}/power", json={"on": False}).is_success, "it is provided again")
    until(lambda: page.evaluate("fully.isOn") is False, "the screen is off")
    daemon.stop()

    def is_on_later():
        page.clock.fast_forward(10_000)
        page.wait_for_timeout(100)
        return page.evaluate("fully.isOn")

    until(is_on_later, "the screen is on after a minute")
    page.evaluate("fully.isOn = false")
    # Long enough to read the tablet, and for attempts to connect that fail.
    for _ in range(4):
        with page.expect_event("requestfailed"):
            page.clock.fast_forward(20_000)
        page.wait_for_timeout(200)
    assert page.evaluate("fully.isOn") is False
