# SPDX-License-Identifier: Apache-2.0
"""The dashboard's history, the light in the room, and the simulated room."""

import csv
import json
import re
import signal
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from support import history
from support.browser import GONE
from support.dashboard import make, room, shows
from support.provider import Provider
from support.threads import suspend
from support.until import until


@pytest.fixture
def page(open_page):
    return open_page()


def test_the_chart_shows_the_daemons_history(page, client):
    client.set(0.3, holder="maria", reason="evening")
    client.boost(holder="kiosk-3", reason="qr")
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    events = page.locator(".causes").get_by_role("listitem")
    expect(events.nth(0)).to_contain_text("kiosk-3 ended a boost for qr: 30%")
    expect(events.nth(1)).to_contain_text("kiosk-3 boosted it to 100% for qr")
    expect(events.nth(2)).to_contain_text("maria set it to 30%: evening")
    expect(page.get_by_role("img", name=re.compile(r"now 30%, with (one|\d+) boosts?\."))).to_be_visible()


def test_leases_of_two_clients_with_one_holder_name_are_two_bands(new_context, daemon, client):
    page = new_context().new_page()
    # With a boost of the same name in force.
    page.route("**/v1/history?*", history.answer)
    page.goto(daemon.url)
    chart = page.get_by_role("img", name="Brightness from")
    expect(chart).to_have_attribute("aria-label", re.compile("with 5 boosts"))
    client.boost(holder="kiosk-3")
    expect(chart).to_have_attribute("aria-label", re.compile("with 6 boosts"))


def test_the_chart_shows_the_last_hour_day_or_week(new_context, daemon, client):
    page = new_context().new_page()
    page.route("**/v1/history?*", history.answer)
    page.route("**/v1/history/changes?*", history.answer_changes)
    page.goto(daemon.url)
    chart = page.get_by_role("img", name="Brightness from")
    expect(chart).to_have_attribute("aria-label", "Brightness from 42% to 100%, now 100%, with 5 boosts.")
    expect(page.get_by_text("kiosk-3’s boost for qr ended, its connection closed: 55%")).to_be_visible()
    page.unroute("**/v1/history/changes?*")
    client.set(0.4, holder="otto", reason="noon")
    expect(page.locator(".causes").get_by_role("listitem").first).to_contain_text("otto set it to 40%: noon")
    expect(chart).to_have_attribute("aria-label", "Brightness from 40% to 100%, now 40%, with 5 boosts.")
    values = page.locator(".chart .label")
    chart.hover(position={"x": 300, "y": 50})
    expect(values).to_have_text(re.compile(r"\d\d.*: \d+%"))
    page.mouse.move(0, 0)
    expect(values).to_be_hidden()
    keys = page.get_by_role("slider", name="Time in the chart")
    keys.focus()
    keys.press("ArrowLeft")
    expect(values).to_have_text(re.compile(r": \d+%"))
    keys.press("End")
    expect(values).to_have_text(re.compile(r": 40%"))
    expect(keys).to_have_attribute("aria-valuetext", re.compile(r": 40%"))
    keys.press("Home")
    expect(values).to_have_text(re.compile(r": 42%"))
    for name, seconds in (("Day", 86_400), ("Week", 604_800)):
        # Others may be under way: the page asks again by itself.
        step = f"step={-(-seconds // 360)}&"
        with page.expect_request(lambda request, step=step: step in request.url) as asked:
            page.get_by_text(name, exact=True).click()
        assert "display=simulated" in asked.value.url
        expect(chart).to_be_visible()


def test_the_history_of_a_removed_display_gives_way_to_the_first(new_context, start, connect):
    daemon = start("--display", "simulated:left", expects="not connected")
    client = connect(daemon)
    page = new_context(expects="404").new_page()
    page.goto(daemon.url)
    select = page.get_by_role("combobox", name="Display")
    with Provider(daemon, {"id": "page", "name": "Page", "maximum": 100, "brightness": 1}) as provider:
        expect(select.locator("option")).to_have_text(["Page", "Simulated display left"])
        client.put("/v1/displays/left/brightness", json={"percent": 70})
        with page.expect_response("**/v1/history?*display=page"):
            select.select_option("page")
        client.put("/v1/displays/page/settings", json={"name": "Lobby"})
        expect(select.locator("option")).to_have_text(["Lobby", "Simulated display left"])
        expect(select).to_have_value("page")
        with page.expect_response("**/v1/history?*display=left"):
            provider.call("withdraw", display="page")
    expect(page.locator(".causes").get_by_role("listitem").first).to_contain_text("set it to 70%")
    expect(page.get_by_role("heading", name="History")).to_be_visible()


def test_the_history_is_saved_as_a_table(page, client):
    client.set(0.3, holder="maria", reason="evening")
    expect(page.locator(".causes").get_by_role("listitem").first).to_contain_text("maria set it to 30%: evening")
    client.put("/v1/power", json={"on": False})
    expect(page.locator(".causes").get_by_role("listitem").first).to_contain_text("switched it off")

    def table(name):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download {name} (CSV)").click()
        with open(download.value.path(), newline="") as file:
            return download.value.suggested_filename, list(csv.DictReader(file))

    name, rows = table("chart")
    assert re.fullmatch(r"simulated \d{4}-.*Z\.csv", name)
    points = [row for row in rows if row["record"] == "point"]
    assert (len(points), points[-1]["on"]) == (361, "false")
    name, rows = table("changes")
    assert re.fullmatch(r"simulated changes \d{4}-.*Z\.csv", name)
    assert (rows[0]["kind"], rows[0]["on"], rows[0]["onBefore"]) == ("api", "false", "true")
    assert (rows[1]["kind"], rows[1]["by"], rows[1]["reason"], rows[1]["baseline"]) == ("api", "maria", "evening", "0.3")
    client.put("/v1/power", json={"on": True})


def test_each_switch_is_in_the_list_and_the_dark_is_in_the_chart(page, client):
    for on in (False, True, False):
        client.put("/v1/power", json={"on": on, "holder": "maria"})
    changes = page.locator(".causes").get_by_role("listitem")
    for number, word in enumerate(("off", "on", "off")):
        expect(changes.nth(number)).to_contain_text(f"maria switched it {word}")
    expect(page.locator(".chart path.dark")).not_to_have_count(0)
    expect(page.locator(".legend")).to_contain_text("Switched off")
    expect(page.get_by_role("img", name=re.compile("now off, with"))).to_be_visible()
    expect(page.get_by_test_id("cause")).to_contain_text("maria switched it off")
    client.put("/v1/power", json={"on": True})


def test_the_list_of_changes_is_the_same_for_an_hour_and_a_week(page, client):
    for percent in (31, 32, 33):
        client.set(percent / 100, holder=f"maria-{percent}")
    changes = page.locator(".causes").get_by_role("listitem")
    for choice in ("Week", "Hour"):
        page.get_by_text(choice, exact=True).click()
        for number, percent in enumerate((33, 32, 31)):
            expect(changes.nth(number)).to_contain_text(f"maria-{percent} set it to {percent}%")


def test_a_tap_shows_the_values_until_the_next_one(new_context, daemon, client):
    page = new_context(has_touch=True, viewport={"width": 390, "height": 844}).new_page()
    page.route("**/v1/history?*", history.answer)
    page.goto(daemon.url)
    chart = page.get_by_role("img", name="Brightness from")
    values = page.locator(".chart .label")
    chart.tap(position={"x": 150, "y": 80})
    expect(values).to_have_text(re.compile(r"\d\d.*: \d+%"))
    # The chart is drawn again.
    client.set(0.3)
    expect(chart).to_have_attribute("aria-label", re.compile("now 30%"))
    expect(values).to_be_visible()


def test_the_first_line_of_the_chart_comes_after_five_seconds(new_context, start):
    page = new_context().new_page()
    page.clock.install()
    page.goto(start().url)
    shows(page, 40)
    nothing, line = page.get_by_text("Nothing was recorded in this time yet."), page.get_by_role("img", name=re.compile("now 40%"))
    # A busy machine may need five seconds to load the page.
    expect(nothing.or_(line)).to_be_visible()
    page.clock.run_for(5_000)
    expect(line).to_be_visible()


def test_the_chart_begins_with_the_part_that_is_known(new_context, daemon, client):
    steps = []

    def answer(route):
        query = {name: value[0] for name, value in parse_qs(urlsplit(route.request.url).query).items()}
        steps.append(int(query["step"]))
        begin = datetime.fromisoformat(query["to"]) - timedelta(minutes=20)
        point = {"at": begin.isoformat(), "brightness": 0.4, "baseline": 0.4, "on": True}
        times = {name: query[name] for name in ("from", "to")}
        route.fulfill(json=times | {"display": "simulated", "step": steps[-1], "points": [point], "leases": []})

    page = new_context().new_page()
    page.route("**/v1/history?*", answer)
    page.goto(daemon.url)
    page.get_by_text("Week").click()
    expect(page.locator(".legend .since")).to_have_text(re.compile(r"since \d+:\d\d"))
    until(lambda: page.evaluate("1") and steps[-1] < 60, "it was asked for finely")


def test_the_time_without_a_connection_is_not_known(new_context, start, connect):
    daemon = start()
    page = new_context(expects=GONE).new_page()
    page.goto(daemon.url)
    shows(page, 40)
    connect(daemon).set(0.3)
    expect(page.get_by_role("img", name=re.compile("now 30%"))).to_be_visible()
    suspend(daemon.process)
    try:
        expect(page.get_by_role("img", name=re.compile("now not known"))).to_be_visible()
    finally:
        daemon.terminate(signal.SIGCONT)
    expect(page.get_by_role("img", name=re.compile("now 30%"))).to_be_visible()


def test_the_chart_is_hidden_without_a_history(new_context, daemon, client):
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
    expect(page.locator(".causes")).to_be_hidden()


def test_an_estimate_is_stated_and_not_drawn_as_a_second_gauge(new_context, daemon, client):
    """The light of this test's stream, which is not a sensor's."""
    state = client.state | {"auto": {"enabled": True, "heldUntil": None, "waiting": "sensor"}}
    ambient = {"illuminance": 3.2, "level": 0.12, "appearance": "night", "source": "brightness"}
    body = f"event: state\nid: e-{state['revision']}\ndata: {json.dumps(state)}\n\n"
    body += f"event: ambient\ndata: {json.dumps(ambient)}\n\nevent: synced\ndata: {{}}\n\n"
    page = new_context().new_page()
    page.route("**/v1/events*", lambda route: route.fulfill(content_type="text/event-stream", body=body))
    page.goto(daemon.url)
    expect(page.get_by_text("No sensor: estimated from the display’s brightness. It seems to be night.")).to_be_visible()
    expect(page.get_by_text("Waits for a light sensor")).to_be_visible()
    expect(page.get_by_role("meter", name="Ambient light")).to_have_count(0)
    with page.expect_request("**/auto") as asked:
        page.get_by_role("switch", name="Automatic").evaluate("box => box.click()")
    assert asked.value.post_data_json["enabled"] is False
    # It shows the current state, not the requested one.
    expect(page.get_by_role("switch", name="Automatic")).to_be_checked()


def test_the_controls_change_the_simulated_room(page, client):
    def now():
        return client.get("/v1/simulator").json()

    make(client, "day")
    light = room(page).get_by_role("slider", name="From the front")
    expect(light).to_have_attribute("aria-valuetext", "320 lx")
    light.fill("80")
    until(lambda: now()["front"] == 10_000, "it is light in front")
    expect(light).to_have_attribute("aria-valuetext", re.compile(r"10.?000 lx"))
    for name, member in (("Front sensor covered", "frontCovered"), ("Hand near the sensor", "near")):
        box = room(page).get_by_role("checkbox", name=name)
        box.check()
        until(lambda member=member: now()[member], name)
        # Changes by other clients are shown, too.
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
    until(lambda: now()["script"] is None, "it has ended")
    room(page).get_by_role("checkbox", name="Unplugged").check()
    expect(page.get_by_test_id("status")).to_contain_text("not available")
    room(page).get_by_role("checkbox", name="Unplugged").uncheck()
    expect(page.get_by_test_id("status")).to_have_text("Live")


def test_the_sun_can_be_dragged(page, client):
    make(client, "day")
    # Nothing moves any more.
    expect(page.locator("body[data-settled]")).to_have_count(1)
    sun = room(page).locator(".scene .body")
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
    expect(room(page).get_by_role("checkbox", name="Back sensor covered")).to_be_checked()
    make(client, "day")


def test_the_light_is_shown_in_the_room_and_in_the_chart(page, client):
    make(client, "day")
    expect(page.get_by_role("meter", name="Ambient light")).to_have_attribute(
        "aria-valuetext", re.compile(r"^3\d\d lux, day$")
    )
    expect(page.locator(".legend")).to_contain_text("Light")


def test_the_light_is_above_the_brightness_and_has_an_axis(new_context, daemon):
    page = new_context(viewport={"width": 1_280, "height": 900}).new_page()
    # Darker than the display: it was behind its area.
    page.route("**/v1/history?*", lambda route: history.answer(route, illuminance=20))
    page.goto(daemon.url)
    chart = page.get_by_role("img", name="Brightness from")
    paths = "chart => [...chart.querySelectorAll('path')].map((path) => path.classList[0])"
    drawn = chart.evaluate(paths)
    assert drawn.index("light") > max(drawn.index(name) for name in ("raised", "area", "line"))
    thousands = [f"{number} klx" for number in (1, 10, 100)]
    expect(chart.locator("text.light")).to_have_text(["0 lx", "10 lx", "100 lx", *thousands])
    chart.hover(position={"x": 300, "y": 50})
    expect(page.locator(".chart .label")).to_contain_text("20 lx")


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
