# SPDX-License-Identifier: Apache-2.0
"""The page at `/`, in a real browser."""

import json
import re
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from support import history
from support.browser import GONE, TIMEOUT
from support.until import until

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
expect.set_options(timeout=TIMEOUT)


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
def page(open_page):
    return open_page()


def meter(page):
    return page.get_by_role("meter", name="Brightness of")


def room(page):
    return page.get_by_role("region", name="Room")


def make(client, appearance):
    """Makes it day or night in the simulated room."""
    front, back = (320, 180) if appearance == "day" else (2, 1)
    change = {"script": None, "front": front, "back": back, "frontCovered": False, "backCovered": False, "near": False}
    client.patch("/v1/simulator", json=change)
    until(lambda: client.get("/v1/ambient").json().get("appearance") == appearance, f"it is {appearance}", within=30)


def shows(page, percent):
    expect(meter(page)).to_have_attribute("aria-valuenow", str(percent))


def test_it_shows_the_current_value_and_every_change(page, client):
    shows(page, 50)
    for percent in (42, 7, 100, 0):
        client.put("/v1/brightness", json={"percent": percent})
        shows(page, percent)
        expect(page.get_by_test_id("baseline")).to_have_text(f"{percent} %")
        expect(page.get_by_test_id("slider")).to_have_value(str(percent))


def test_its_buttons_boost_and_restore(page, client):
    expect(page.get_by_test_id("restore")).to_be_disabled()
    page.get_by_test_id("boost").click()
    shows(page, 100)
    expect(page.get_by_test_id("cause")).to_contain_text("You boosted for dashboard, just now")
    expect(page.get_by_test_id("leases")).to_have_text(re.compile(r"You\s+dashboard\s+4:5\d\s+End"))
    assert client.state["boost"]["leases"] == 1
    page.get_by_test_id("restore").click()
    shows(page, 50)
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(0)
    assert client.state["boost"] is None


def test_it_says_who_boosted_why_and_for_how_long(page, client):
    client.boost(holder="wall", lifespan="lifetime", brightness=0.8)
    client.boost(holder="kiosk-3", reason="qr", ttl=60)
    expect(page.get_by_test_id("cause")).to_have_text(re.compile(r"\s*kiosk-3 boosted for qr, (just now|\d+ s ago)"))
    leases = page.get_by_test_id("leases").get_by_role("listitem")
    expect(leases.first).to_have_text(re.compile(r"wall 80 %\s*until ended"))
    expect(leases.last).to_have_text(re.compile(r"kiosk-3 qr\s*(1:00|0:5\d)"))
    # It counts down, by itself.
    expect(leases.last).to_have_text(re.compile("0:5[0-7]"))
    expect(page.get_by_test_id("cause")).to_have_text(re.compile(r"\d s ago"))
    page.get_by_role("button", name="End the boost of kiosk-3").click()
    expect(leases).to_have_count(1)
    shows(page, 80)
    page.get_by_role("button", name="Restore all").click()
    shows(page, 50)
    assert client.state["boost"] is None


def test_own_boosts_are_restored_and_others_stay(page, client):
    client.boost(holder="kiosk-3", brightness=0.8)
    page.get_by_test_id("boost").click()
    shows(page, 100)
    # The tab is the same holder after a reload.
    page.reload()
    page.get_by_role("button", name="Restore: Simulated display").click()
    shows(page, 80)
    assert client.state["boost"]["leases"] == 1


def test_dragging_the_slider_sends_few_values_and_the_last(page, client):
    sent = []
    page.on("request", lambda request: request.method == "PUT" and sent.append(request.post_data_json["percent"]))
    slider = page.get_by_test_id("slider")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for step in range(100):
        page.mouse.move(box["x"] + box["width"] * (0.5 + step / 250), middle)
    page.mouse.up()
    last = int(slider.input_value())
    assert 80 <= last < 100
    until(lambda: client.state["percent"] == last, f"the brightness is {last} %, not {client.state['percent']}")
    shows(page, last)
    expect(slider).to_have_value(str(last))
    assert sent[-1] == last
    assert len(sent) < 50, "every one of them was sent"


def test_the_slider_sets_what_a_boost_goes_back_to(page, client):
    client.boost(holder="kiosk-3")
    expect(page.get_by_text("Goes back to", exact=True).first).to_be_visible()
    page.get_by_test_id("slider").fill("30")
    expect(meter(page)).to_have_attribute("aria-valuetext", "100 percent, boosted; 30 percent afterwards")
    client.post("/v1/restore", json={"all": True})
    shows(page, 30)


def test_it_works_by_keyboard(page, client):
    expect(page.get_by_role("button", name="Got it")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Got it")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("boost")).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, 100)
    # The gauge is ahead of the buttons by a frame, and a disabled one is not in the order.
    restore = page.get_by_role("button", name="Restore: Simulated display")
    expect(restore).to_be_enabled()
    page.keyboard.press("Tab")
    expect(restore).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, 50)
    page.get_by_test_id("slider").focus()
    page.keyboard.press("ArrowRight")
    shows(page, 51)


def test_it_says_when_it_is_not_live_and_heals(new_context, start):
    daemon = start()
    page = new_context(expects=GONE).new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("Live")
    daemon.terminate()
    daemon.ended()
    expect(page.get_by_test_id("status")).to_have_text("Connection lost, trying again")
    page.get_by_test_id("boost").click()
    expect(page.get_by_test_id("message")).to_have_text("The server does not answer.")
    start("--listen", f"127.0.0.1:{daemon.port}")
    expect(page.get_by_test_id("status")).to_have_text("Live")
    page.get_by_test_id("boost").click()
    shows(page, 100)
    expect(page.get_by_test_id("message")).to_be_hidden()


def test_tabs_share_one_stream(new_context, open_page, client):
    context = new_context()
    streams = []
    context.on("request", lambda request: "/v1/events" in request.url and streams.append(request.url))
    tabs = [open_page(context) for _ in range(7)]
    assert len(streams) == 1
    tabs[6].get_by_test_id("boost").click()
    for tab in tabs:
        shows(tab, 100)
    # The one that reads it is closed: another takes over.
    tabs[0].close()
    client.set(0.2)
    for tab in tabs[1:]:
        expect(tab.get_by_test_id("baseline")).to_have_text("20 %")
    assert len(streams) == 2


def test_all_displays_have_a_card_in_their_order(new_context, start, connect):
    daemon = start("--display", "simulated:left", "--display", "simulated:right")
    page = new_context().new_page()
    page.goto(daemon.url)
    names = [state["name"] for state in connect(daemon).get("/v1/displays").json()["displays"]]
    expect(page.locator("article h2")).to_have_text(names)
    page.get_by_test_id("boost").nth(1).click()
    expect(meter(page).nth(1)).to_have_attribute("aria-valuenow", "100")
    expect(meter(page).nth(0)).not_to_have_attribute("aria-valuenow", "100")
    with page.expect_response("**/v1/history?*display=right") as answered:
        page.get_by_role("combobox", name="Display").select_option("right")
    assert len(answered.value.json()["boosts"]) == 1


def test_a_journal_that_fails_is_said_to(new_context, daemon, client):
    page = new_context().new_page()
    failing = {"ready": True, "unavailable": [], "journal": {"state": "failing", "detail": "The disk is full."}}
    # A stream that stays open, unlike one of `page.route`.
    page.add_init_script(
        """const ask = fetch;
        const events = (text) => new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode(text)) });
        window.fetch = async (url, ...how) => (`${url}`.includes("/v1/events") ? new Response(events(%s)) : ask(url, ...how));"""
        % json.dumps(f"event: health\ndata: {json.dumps(failing)}\n\n")
    )
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("Live, but boosts would not survive a crash")
    expect(page.get_by_test_id("status")).to_have_attribute("title", "The disk is full.")


def test_a_display_that_is_gone_is_said_to_be(new_context, start, backlight):
    daemon = start(*backlight.options)
    page = new_context().new_page()
    page.goto(daemon.url)
    shows(page, 42)
    backlight.unplug()
    expect(page.get_by_test_id("status")).to_contain_text("not available")
    backlight.plug()
    expect(page.get_by_test_id("status")).to_have_text("Live")
    backlight.step = 96
    shows(page, 10)
    expect(page.get_by_test_id("cause")).to_contain_text("Another program changed it")


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
    client.boost(holder="<img src=x onerror=alert(1)>", reason="<script>alert(1)</script>")
    expect(page.get_by_test_id("cause")).to_contain_text("<img src=x onerror=alert(1)> boosted for <script>")
    expect(page.get_by_test_id("leases")).to_contain_text("<img src=x")
    assert page.locator("img[src=x]").count() == 0


def test_a_refusal_is_said(new_context, open_page, start):
    daemon = start("--anonymous", "read")
    page = new_context(expects="403").new_page()
    page.goto(daemon.url)
    page.get_by_test_id("boost").click()
    expect(page.get_by_role("alert")).to_contain_text("--anonymous read")


def test_the_history_is_the_daemons(page, client):
    client.set(0.3, holder="maria", reason="evening")
    client.boost(holder="kiosk-3", reason="qr")
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    events = page.get_by_role("list").last.get_by_role("listitem")
    expect(events.nth(0)).to_contain_text("kiosk-3 restored it")
    expect(events.nth(1)).to_contain_text("kiosk-3 boosted for qr")
    expect(events.nth(2)).to_contain_text("maria set it: evening")
    expect(page.get_by_role("img", name=re.compile(r"now 30 %, with \d+ boosts?\."))).to_be_visible()


def test_the_chart_shows_the_last_hour_day_or_week(new_context, daemon, client):
    page = new_context().new_page()
    page.route("**/v1/history?*", history.answer)
    page.goto(daemon.url)
    chart = page.get_by_role("img", name="Brightness from")
    expect(chart).to_have_attribute("aria-label", "Brightness from 42 % to 100 %, now 100 %, with 5 boosts.")
    expect(page.get_by_text("kiosk-3’s boost for qr ended: its page is gone")).to_be_visible()
    client.set(0.4, holder="otto", reason="noon")
    expect(page.get_by_role("list").last.get_by_role("listitem").first).to_contain_text("otto set it: noon")
    expect(chart).to_have_attribute("aria-label", "Brightness from 40 % to 100 %, now 40 %, with 5 boosts.")
    chart.hover(position={"x": 300, "y": 50})
    expect(page.get_by_text(re.compile(r"\d\d.*: \d+ %"))).to_be_visible()
    for name, seconds in (("Day", 86_400), ("Week", 604_800)):
        # Others may be under way: the page asks again by itself.
        step = f"step={-(-seconds // 360)}&"
        with page.expect_request(lambda request, step=step: step in request.url) as asked:
            page.get_by_text(name, exact=True).click()
        assert "display=simulated" in asked.value.url
        expect(chart).to_be_visible()


def test_what_it_shows_comes_from_the_stream_and_it_polls_nothing(new_context, daemon, client):
    """In three minutes, in which much changes, it asks for nothing but its stream, which it opens again when that is silent for
    40 s, and once with each stream."""
    page = new_context().new_page()
    page.clock.install()
    asked = []
    page.goto(daemon.url)
    shows(page, 50)
    expect(page.get_by_role("img", name="now 50 %")).to_be_visible()
    page.on("request", lambda request: asked.append(request.url.removeprefix(daemon.url).split("?")[0]))
    for percent in (20, 70):
        client.set(percent / 100)
        shows(page, percent)
        page.clock.run_for(1_000)
        expect(page.get_by_role("img", name=f"now {percent} %")).to_be_visible()
    boost = client.boost(holder="kiosk-3")
    shows(page, 100)
    client.patch("/v1/simulator", json={"near": True})
    expect(room(page).get_by_role("checkbox", name="A hand is near")).to_be_checked()
    client.patch("/v1/simulator", json={"near": False, "unplugged": True})
    expect(page.get_by_test_id("status")).to_contain_text("not available")
    client.patch("/v1/simulator", json={"unplugged": False})
    client.delete(f"/v1/displays/simulated/boosts/{boost['id']}")
    for _ in range(18):
        page.clock.run_for(10_000)
    shows(page, 70)
    # Once a connection: the history, and who this page is to the daemon.
    for path in set(asked):
        assert path in ("/v1/events", "/v1/history", "/v1/whoami"), path
        assert asked.count(path) <= asked.count("/v1/events"), asked


def test_a_lease_that_ended_while_it_was_not_connected_is_not_shown(new_context, daemon, client):
    client.boost(holder="kiosk-3")
    context = new_context(expects=GONE)
    page = context.new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("leases")).to_contain_text("kiosk-3")
    context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    client.post("/v1/restore", json={"all": True})
    context.set_offline(False)
    with page.expect_request("**/v1/events?last_event_id=*"):
        page.evaluate("dispatchEvent(new Event('pageshow'))")
    expect(page.get_by_test_id("leases").get_by_role("listitem")).to_have_count(0)
    shows(page, 50)


def test_without_a_history_there_is_none(new_context, daemon, client):
    page = new_context(expects="404").new_page()
    asked = []

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(status=404, content_type="application/problem+json", body='{"status":404,"detail":"None."}')

    page.route("**/v1/history?*", answer)
    page.goto(daemon.url)
    shows(page, 50)
    client.set(0.3)
    shows(page, 30)
    expect(page.get_by_role("heading", name="History")).to_be_hidden()
    expect(page.get_by_test_id("message")).to_be_hidden()
    assert len(asked) == 1


def test_the_rooms_light_chooses_the_colours(new_context, daemon, client):
    """The light of this test's stream, which is no sensor's."""
    state = client.state | {"auto": {"enabled": True, "heldUntil": None}}
    ambient = {"illuminance": 3.2, "level": 0.12, "appearance": "night", "source": "brightness"}
    body = f"event: brightness\nid: e-{state['revision']}\ndata: {json.dumps(state)}\n\n"
    body += f"event: ambient\ndata: {json.dumps(ambient)}\n\n"
    page = new_context(color_scheme="light").new_page()
    page.route("**/v1/events*", lambda route: route.fulfill(content_type="text/event-stream", body=body))
    page.goto(daemon.url)
    expect(page.get_by_role("meter", name="Light in the room")).to_have_attribute("aria-valuenow", "12")
    expect(page.get_by_text("No sensor")).to_be_visible()
    with page.expect_request("**/auto") as asked:
        page.get_by_role("switch", name="Automatic").click()
    assert asked.value.post_data_json["enabled"] is False
    # It shows what is so, and not what was asked for.
    expect(page.get_by_role("switch", name="Automatic")).to_be_checked()
    expect(page.locator("html")).to_have_css("background-color", "rgb(18, 20, 24)")
    expect(page.locator("html")).to_have_attribute("data-appearance", "night")


def test_the_simulated_room_obeys_its_controls(page, client):
    def now():
        return client.get("/v1/simulator").json()

    make(client, "day")
    light = room(page).get_by_role("slider", name="From the front")
    expect(light).to_have_attribute("aria-valuetext", "320 lx")
    light.fill("80")
    until(lambda: now()["front"] == 10_000, "it is light in front")
    expect(light).to_have_attribute("aria-valuetext", re.compile(r"10.?000 lx"))
    for name, member in (("Front one covered", "frontCovered"), ("A hand is near", "near")):
        box = room(page).get_by_role("checkbox", name=name)
        box.check()
        until(lambda member=member: now()[member], name)
        # What somebody else changes is shown, too.
        client.patch("/v1/simulator", json={member: False, "slider": 0.8 if member == "near" else 0.6})
        expect(box).not_to_be_checked()
    room(page).get_by_role("slider", name="Set by hand").fill("33")
    shows(page, 33)
    expect(page.get_by_test_id("cause")).to_contain_text("Changed in the simulated room")
    sunset = room(page).get_by_role("button", name="Sunset")
    sunset.click()
    expect(sunset).to_have_attribute("aria-pressed", "true")
    sunset.click()
    expect(sunset).to_have_attribute("aria-pressed", "false")
    assert now()["script"] is None
    room(page).get_by_role("checkbox", name="Is unplugged").check()
    expect(page.get_by_test_id("status")).to_contain_text("not available")
    room(page).get_by_role("checkbox", name="Is unplugged").uncheck()
    expect(page.get_by_test_id("status")).to_have_text("Live")


def test_the_sun_can_be_dragged(page, client):
    make(client, "day")
    sun = page.locator(".scene .body")
    sun.scroll_into_view_if_needed()
    scene, box = page.locator(".scene").bounding_box(), sun.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for part in (0.5, 0.3, 0.1):
        page.mouse.move(scene["x"] + scene["width"] * part, scene["y"] + scene["height"] * part)
    page.mouse.up()

    def is_behind():
        light = client.get("/v1/simulator").json()
        return light["back"] > 10_000 > light["front"]

    until(is_behind, "the sun is high, and behind the display")
    expect(room(page).get_by_role("slider", name="From the back")).to_have_attribute("aria-valuetext", re.compile(r"\d\d.?\d00 lx"))
    page.locator("[data-toggle=backCovered]").click()
    expect(room(page).get_by_role("checkbox", name="Back one covered")).to_be_checked()
    make(client, "day")


def test_the_light_is_in_the_room_and_in_the_chart(page, client):
    make(client, "day")
    expect(page.get_by_role("meter", name="Light in the room")).to_have_attribute(
        "aria-valuetext", re.compile(r"^3\d\d lux, day$")
    )
    expect(page.locator(".legend")).to_contain_text("Light")


def test_a_real_display_has_no_simulated_room(new_context, start, backlight):
    daemon = start(*backlight.options)
    context = new_context()
    asked = []
    context.on("request", lambda request: "simulator" in request.url.split("/")[-1] and asked.append(request.url))
    page = context.new_page()
    page.goto(daemon.url)
    expect(room(page)).to_contain_text("No sensor")
    expect(room(page).get_by_role("button", name="Sunset")).to_be_hidden()
    assert [url for url in asked if not url.endswith(".js")] == []


def test_it_asks_for_a_token_and_sends_it(new_context, daemon, client):
    """The daemon has no tokens yet: what is between it and this page wants one."""

    def guard(route):
        if route.request.headers.get("authorization") == "Bearer s3cret":
            return route.continue_()
        problem = {"type": "/problems/x", "title": "A token is needed", "status": 401, "detail": "Send a token."}
        return route.fulfill(status=401, content_type="application/problem+json", body=json.dumps(problem))

    context = new_context(expects="401")
    context.route("**/v1/**", guard)
    page = context.new_page()
    page.goto(daemon.url)
    dialog = page.get_by_role("dialog", name="A token is needed")
    expect(dialog).to_contain_text("Send a token.")
    dialog.get_by_label("Token").fill("wrong")
    dialog.get_by_role("button", name="Go on").click()
    dialog.get_by_label("Token").fill("s3cret")
    dialog.get_by_role("button", name="Go on").click()
    expect(page.get_by_test_id("status")).to_have_text("Live")
    page.get_by_test_id("boost").click()
    shows(page, 100)
    page.reload()
    shows(page, 100)
    assert page.evaluate("sessionStorage['brightness.token']") == "s3cret"
    assert page.evaluate("Object.keys(localStorage)") == ["brightness.tips"]


def test_a_tip_is_shown_once(page):
    tip = page.get_by_role("complementary", name="Tip")
    expect(tip).to_contain_text("Then it goes back by itself.")
    page.reload()
    shows(page, 50)
    expect(tip).to_be_hidden()
    page.get_by_test_id("boost").click()
    expect(tip).to_contain_text("the slider sets what it goes back to")
    page.get_by_role("button", name="Got it").click()
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1_200, 320])
def test_it_is_accessible(open_page, client, scheme, width):
    """axe-core finds nothing, and nothing has to be scrolled sideways."""
    client.boost(holder="kiosk-3", reason="qr")
    # The page follows the room, and not what the person prefers.
    make(client, "day" if scheme == "light" else "night")
    page = open_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    expect(page.get_by_test_id("leases")).to_contain_text("kiosk-3")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(room(page).get_by_role("button", name="Sunset")).to_be_visible()
    expect(page.locator("html")).to_have_css("color-scheme", scheme)
    page.evaluate(AXE)
    violations = page.evaluate("axe.run().then(({ violations }) => violations)")
    assert [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations] == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_it_is_small_and_asks_nobody_else(new_context, daemon, client):
    context = new_context()
    answers = []
    context.on("response", lambda answer: answers.append(answer))
    page = context.new_page()
    page.goto(daemon.url)
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    assert {answer.url.startswith((f"{daemon.url}/", "data:")) for answer in answers} == {True}
    files = [answer for answer in answers if re.search(r"(/|\.js|\.css)$", answer.url)]
    assert all(answer.headers["content-security-policy"].startswith(POLICY) for answer in files)
    assert sum(len(answer.body()) for answer in files) < 150 * 1_024
