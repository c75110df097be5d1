# SPDX-License-Identifier: Apache-2.0
"""The dashboard with several and with many displays: low cards, the list, its bar, the card with a URL, the wall."""

import re

import pytest
from playwright.sync_api import expect

from support.dashboard import displays, meter, row, rows, shows
from support.provider import Provider
from support.until import until


NAMES = [f"panel-{number}" for number in range(12)]


def percent(client, name):
    return client.get(f"/v1/displays/{name}").json()["percent"]


def test_a_few_displays_have_low_cards_and_the_default_is_marked(open_many):
    options = ("--default-display", "right")
    page, _ = open_many("left", "right", "middle", options=options, viewport={"width": 1_280, "height": 800})
    cards = page.get_by_role("article")
    expect(cards).to_have_count(3)
    expect(page.locator(".badge:visible")).to_have_text(["Default"])
    expect(cards.filter(has=page.locator(".badge:visible"))).to_contain_text("right")
    # One display's card is 528 pixels high.
    for index in range(3):
        assert cards.nth(index).bounding_box()["height"] < 380


def test_a_tab_that_comes_back_loads_no_history_for_a_list(open_many):
    page, _ = open_many(*NAMES)
    expect(rows(page).first).to_be_visible()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))")
    assert not any("/v1/history" in url for url in asked), asked
    expect(page.get_by_role("heading", name="History")).to_be_hidden()


@pytest.mark.parametrize("width", [1_280, 390, 320])
def test_a_few_displays_have_one_bar_for_all_of_them(open_many, check_accessibility, width):
    page, client = open_many("left", "right", "middle", viewport={"width": width, "height": 800}, reduced_motion="reduce")
    names = ("left", "middle", "right")
    client.put("/v1/displays/left/brightness", json={"percent": 60})

    def shown():
        return [percent(client, name) for name in names]

    bar = page.get_by_role("group", name="All displays")
    expect(bar).to_contain_text("All 3 displays")
    bar.get_by_role("button", name="+10%: all").click()
    # The differences stay.
    until(lambda: shown() == [70, 50, 50], "all are brighter")
    bar.get_by_role("button", name="More").click()
    bar.get_by_role("button", name="Dim all").click()
    until(lambda: shown() == [20, 20, 20], "all are dimmed")
    bar.get_by_role("button", name="Restore all").click()
    until(lambda: shown() == [70, 50, 50], "all are restored")
    # It is at the mean.
    expect(bar.get_by_role("slider", name="Brightness of all")).to_have_value("57")
    bar.get_by_role("slider").fill("30")
    until(lambda: shown() == [30, 30, 30], "all are set")
    bar.get_by_role("button", name="Off all").click()
    expect(page.get_by_role("article").filter(has_text="30% when on")).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("article").filter(has_text="30% when on")).to_have_count(0)
    client.put("/v1/displays/left/power", json={"on": False})
    expect(page.get_by_role("article").filter(has_text="30% when on")).to_have_count(1)
    bar.get_by_role("button", name="Off all").click()
    expect(page.get_by_role("article").filter(has_text="30% when on")).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    # Only those that were on.
    expect(page.get_by_role("article").filter(has_text="30% when on")).to_have_count(1)
    bar.get_by_role("button", name="On all").click()
    expect(page.get_by_role("article").filter(has_text="30% when on")).to_have_count(0)
    expect(page.get_by_test_id("message")).to_have_text("Switched on: 3 displays.")
    check_accessibility(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_a_display_that_appears_or_moves_takes_no_focus_from_another(start, connect, new_context):
    daemon = start(*displays("left", "right"), expects="not connected")
    client = connect(daemon)
    page = new_context().new_page()
    page.goto(daemon.url)
    cards = page.get_by_role("article")
    slider = cards.filter(has_text="Simulated display right").get_by_test_id("slider")
    slider.focus()
    slider.evaluate("slider => slider.addEventListener('blur', () => (document.title = 'blurred'))")
    # Displays of this kind come before simulated ones.
    with Provider(daemon, {"id": "page", "maximum": 100, "brightness": 1}):
        expect(cards).to_have_count(3)
        expect(cards.first).to_contain_text("page")
        client.put("/v1/displays/right/settings", json={"position": 1}).raise_for_status()
        expect(cards.first).to_contain_text("Simulated display right")
        expect(slider).to_be_focused()
        expect(page).not_to_have_title("blurred")


def test_one_display_has_no_bar_for_all(open_many):
    page, _ = open_many("left")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_test_id("everyone")).to_be_hidden()


def test_ten_displays_are_a_list_with_search_order_and_groups(open_many):
    page, client = open_many(*NAMES)
    expect(rows(page)).to_have_count(12)
    expect(page.get_by_test_id("summary")).to_have_text("12 displays")
    expect(page.get_by_role("article")).to_have_count(0)
    names = page.get_by_test_id("rows").get_by_role("link")
    expect(names).to_have_text([f"Simulated display {name}" for name in NAMES])
    page.get_by_test_id("search").fill("PANEL-1")
    expect(names).to_have_text([f"Simulated display {name}" for name in ("panel-1", "panel-10", "panel-11")])
    expect(page.get_by_test_id("summary")).to_have_text("3 of 12 displays")
    page.get_by_test_id("search").fill("nothing")
    expect(page.get_by_text("No display matches.")).to_be_visible()
    page.get_by_test_id("search").fill("")
    client.patch("/v1/simulator", json={"display": "panel-7", "unplugged": True})
    expect(rows(page).first).to_contain_text("panel-7")
    expect(rows(page).first).to_contain_text("Not available")
    expect(page.get_by_test_id("summary")).to_have_text("12 displays, 1 needs attention")
    page.get_by_label("Sort by").select_option("name")
    expect(names.first).to_have_text("Simulated display panel-0")
    client.put("/v1/displays/panel-4/brightness", json={"percent": 90})
    page.get_by_label("Sort by").select_option("brightness")
    expect(names.first).to_have_text("Simulated display panel-4")
    page.get_by_label("By machine").check()
    expect(page.get_by_role("heading", name="This machine · 12 displays, 1 not available since")).to_be_visible()


def test_a_row_states_who_changed_the_display_last_and_since_when_it_is_missing(open_many):
    page, client = open_many(*NAMES)
    expect(row(page, "panel-2")).to_contain_text(re.compile("Connected, .*40%", re.DOTALL))
    client.put("/v1/displays/panel-2/brightness", json={"percent": 70, "holder": "maria", "reason": "talk"})
    expect(row(page, "panel-2")).to_contain_text(re.compile("maria set it: talk, (just now|\\d+ s ago).*70%", re.DOTALL))
    expect(row(page, "panel-2")).to_contain_text(re.compile("maria set it: talk, ([3-9]|\\d\\d) s ago"))
    client.patch("/v1/simulator", json={"display": "panel-2", "unplugged": True})
    since = "new Date(%r).toLocaleTimeString(navigator.language, {timeStyle: 'short'})"
    state = until(lambda: client.get("/v1/displays/panel-2").json()["unavailable"], "it is missing")
    expect(row(page, "panel-2")).to_contain_text("Not available since " + page.evaluate(since % state["since"]))
    # The row moves to the front, and a click could meet another one.
    row(page, "panel-2").get_by_role("link").press("Enter")
    expect(page.get_by_test_id("force")).to_contain_text("Not available since ")
    expect(page.get_by_test_id("cause")).to_be_hidden()
    expect(page.get_by_test_id("status")).to_have_text("Simulated display panel-2: not available")
    client.patch("/v1/simulator", json={"display": "panel-3", "unplugged": True})
    expect(page.get_by_test_id("status")).to_have_text("2 of 12 displays not available")


@pytest.mark.parametrize("width", [1_280, 800, 390, 320])
def test_the_time_at_the_end_of_a_row_is_not_cut(open_many, width):
    page, client = open_many(*NAMES, viewport={"width": width, "height": 800})
    author = {"holder": "kiosk-with-a-long-name", "reason": "a visitor who reads a code"}
    facts = row(page, "panel-2").locator(".facts")
    for count, text, change in (
        (1, "Boosted by kiosk-with-a-long-name for a visitor who reads a code, until ", ("post", "boost", {})),
        (2, "kiosk-with-a-long-name set it: a visitor who reads a code, ", ("put", "brightness", {"percent": 30})),
    ):
        method, resource, body = change
        getattr(client, method)(f"/v1/displays/panel-2/{resource}", json=body | author).raise_for_status()
        expect(facts).to_contain_text(text)
        times = facts.locator("span > span + span")
        expect(times).to_have_count(count)
        outer = facts.bounding_box()
        for box in (time.bounding_box() for time in times.all()):
            assert box["x"] + box["width"] <= outer["x"] + outer["width"] + 1, (box, outer)
            assert box["y"] + box["height"] <= outer["y"] + outer["height"] + 1, (box, outer)


def test_the_grouping_survives_a_reload(open_many):
    page, _ = open_many(*NAMES)
    page.get_by_label("By machine").check()
    page.reload()
    expect(page.get_by_role("heading", name="This machine · 12 displays")).to_be_visible()


def test_a_row_boosts_and_restores(open_many):
    page, client = open_many(*NAMES)
    client.post("/v1/displays/panel-2/boost", json={"holder": "kiosk-3", "reason": "qr"})
    expect(row(page, "panel-2")).to_contain_text(re.compile("Boosted by kiosk-3 for qr, until .*100%", re.DOTALL))
    page.get_by_role("button", name="Boost Simulated display panel-3").click()
    expect(row(page, "panel-3")).to_contain_text("Boosted by you, until")
    restore = page.get_by_role("button", name="Restore Simulated display panel-3")
    restore.focus()
    page.keyboard.press("Enter")
    until(lambda: percent(client, "panel-3") == 40, "it is restored")
    expect(page.get_by_role("button", name="Boost Simulated display panel-3", exact=True)).to_be_focused()


def test_the_focus_stays_with_its_display_when_the_order_changes(open_many):
    page, client = open_many(*NAMES)
    page.get_by_label("Sort by").select_option("brightness")
    boost = page.get_by_role("button", name="Boost Simulated display panel-5", exact=True)
    boost.focus()
    others = [name for name in NAMES if name not in ("panel-5", "panel-7")]
    for name, level, order in (
        ("panel-7", 90, ["panel-7", *NAMES[:7], *NAMES[8:]]),
        ("panel-5", 95, ["panel-5", "panel-7", *others]),
        ("panel-5", 10, ["panel-7", *others, "panel-5"]),
    ):
        client.put(f"/v1/displays/{name}/brightness", json={"percent": level})
        # In the order of the tab key, too.
        links = page.get_by_test_id("rows").get_by_role("link")
        expect(links).to_have_text([f"Simulated display {name}" for name in order])
        expect(boost).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: percent(client, "panel-5") == 100, "it is boosted")


def test_the_bar_acts_on_all_or_on_the_selected(open_many):
    page, client = open_many(*NAMES)
    everything = lambda: [percent(client, name) for name in NAMES]  # noqa: E731
    page.get_by_role("button", name="Boost all").click()
    expect(page.get_by_test_id("message")).to_have_text("Boosted: 12 displays.")
    until(lambda: everything() == [100] * 12, "all are boosted")
    page.get_by_role("button", name="Restore all").click()
    until(lambda: everything() == [40] * 12, "all are restored")
    for name in ("panel-1", "panel-5"):
        page.get_by_role("checkbox", name=f"Select Simulated display {name}", exact=True).check()
    expect(page.get_by_role("group", name="Many displays").get_by_test_id("scope")).to_have_text("2 selected")
    page.get_by_role("slider", name="Brightness of 2 selected").fill("70")
    until(lambda: everything() == [70 if name in ("panel-1", "panel-5") else 40 for name in NAMES], "two are set")
    page.get_by_role("checkbox", name="Select every display found").uncheck()
    page.get_by_role("checkbox", name="Select every display found").check()
    expect(page.get_by_role("group", name="Many displays").get_by_test_id("scope")).to_have_text("12 selected")
    page.get_by_role("checkbox", name="Select every display found").uncheck()
    page.get_by_test_id("search").fill("panel-11")
    expect(page.get_by_role("group", name="Many displays").get_by_test_id("scope")).to_have_text("1 found")
    page.get_by_role("button", name="Boost 1 found").click()
    until(lambda: percent(client, "panel-11") == 100, "the found one is boosted")
    assert percent(client, "panel-10") == 40


def select(page, *names):
    for name in names:
        page.get_by_role("checkbox", name=f"Select Simulated display {name}", exact=True).check()


def test_a_display_that_fails_does_not_keep_the_bar_from_the_other_selected_ones(open_many):
    page, client = open_many(*NAMES, expects="409|503")
    client.patch("/v1/simulator", json={"display": "panel-1", "unplugged": True})
    expect(row(page, "panel-1")).to_contain_text("Not available")
    chosen = [name for name in NAMES if name != "panel-0"]
    select(page, *chosen)
    page.get_by_role("slider", name="Brightness of 11 selected").fill("70")
    expect(page.get_by_test_id("message")).to_have_text("Set: 10 of 11 displays.")
    until(lambda: all(percent(client, name) == 70 for name in chosen[1:]), "the others are set")
    assert percent(client, "panel-0") == 40


def test_the_bar_stops_at_a_rejected_token_and_reports_it(open_many):
    page, client = open_many(*NAMES, expects="403")
    select(page, *NAMES)
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=403, json={"status": 403, "title": "No", "detail": "Not now."})

    page.route("**/brightness", refuse)
    page.get_by_role("button", name="+10%: 12 selected").click()
    expect(page.get_by_test_id("message")).to_have_text("Not now.")
    expect(page.get_by_role("button", name="+10%: 12 selected")).to_be_enabled()
    assert len(asked) <= 4


def test_the_end_of_a_long_action_leaves_the_focus_where_a_person_has_moved_it(open_many):
    page, client = open_many(*NAMES)
    select(page, "panel-1")
    pending = []
    page.route("**/brightness", lambda route: pending.append(route))
    page.get_by_role("button", name="+10%: 1 selected").click()
    until(lambda: page.wait_for_timeout(50) or pending, "it is requested")
    search = page.get_by_test_id("search")
    search.focus()
    pending[0].continue_()
    expect(page.get_by_test_id("message")).to_have_text("Changed: one display.")
    expect(search).to_be_focused()


@pytest.mark.parametrize("width", [1_280, 390])
def test_a_card_opens_beside_the_list_and_has_a_url(open_many, width):
    page, client = open_many(*NAMES, viewport={"width": width, "height": 800})
    row(page, "panel-3").get_by_role("link").click()
    expect(page).to_have_url(re.compile("#displays/panel-3$"))
    expect(page.get_by_role("article", name="Simulated display panel-3")).to_be_visible()
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(page.get_by_test_id("rows")).to_be_visible(visible=width > 1_000)
    page.get_by_test_id("boost").click()
    shows(page, 100)
    page.reload()
    shows(page, 100)
    page.go_back() if width > 1_000 else page.get_by_role("link", name="All displays").click()
    expect(page.get_by_role("article")).to_have_count(0)
    expect(page.get_by_test_id("rows")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_scrolls_the_page_and_opens_a_display_at_its_top(open_many, width):
    page, _ = open_many(*(f"panel-{number}" for number in range(40)), viewport={"width": width, "height": 700}, has_touch=True)
    expect(rows(page).first).to_be_visible()
    scroller = page.get_by_test_id("scroller")
    assert scroller.evaluate("list => getComputedStyle(list).overflowY") == "visible"
    assert page.evaluate("document.scrollingElement.scrollHeight") > 40 * 80
    # Only the rows in view exist.
    assert rows(page).count() < 30
    page.evaluate("scrollTo(0, 2000)")
    expect(row(page, "panel-20")).to_be_visible()
    # The row is the target, and not only its name.
    row(page, "panel-20").click(position={"x": 60, "y": 75})
    expect(page).to_have_url(re.compile("#displays/panel-20$"))
    heading = page.get_by_role("article").get_by_role("heading", name="panel-20")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    page.wait_for_function("scrollY === 0")
    page.get_by_role("link", name="All displays").click()
    expect(row(page, "panel-20").get_by_role("link")).to_be_focused()
    expect(row(page, "panel-20")).to_be_in_viewport()
    row(page, "panel-20").get_by_role("button", name="Boost").click()
    expect(page).to_have_url(re.compile("#$"))
    expect(row(page, "panel-20").locator(".level")).to_have_text("100%")


@pytest.mark.parametrize(("width", "place"), [(1_280, "rows"), (390, "rows"), (320, "rows"), (1_280, "wall")])
def test_a_long_name_is_cut_in_the_middle(open_many, width, place):
    names = [f"north-lobby-of-the-main-building-panel-{number}" for number in range(12)]
    page, _ = open_many(*names, path="/#wall" if place == "wall" else "/", viewport={"width": width, "height": 800})
    shown = page.locator(".tile .name" if place == "wall" else ".row .name")
    expect(shown.first).to_be_visible()
    for index in range(3):
        head, end = shown.nth(index).locator("span").all()
        box, outer = end.bounding_box(), shown.nth(index).bounding_box()
        assert end.text_content() in shown.nth(index).text_content() and end.text_content()[-1].isdigit()
        assert box["width"] > 40 and box["x"] + box["width"] <= outer["x"] + outer["width"] + 1, (box, outer)
        if width < 500:
            assert head.evaluate("head => head.scrollWidth > head.clientWidth"), "it fits"
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def tiles(page):
    return page.get_by_role("main", name="Wall").get_by_role("listitem")


def test_the_wall_shows_displays_without_controls(open_many):
    page, client = open_many(*NAMES, path="/#wall", viewport={"width": 820, "height": 420})
    expect(tiles(page)).to_have_count(12)
    expect(page.get_by_test_id("wall-summary")).to_have_text("Live · 12 displays · 0 boosted · 0 need attention")
    client.patch("/v1/simulator", json={"display": "panel-9", "unplugged": True})
    expect(tiles(page).first).to_contain_text("panel-9")
    expect(tiles(page).first).to_contain_text("Not available since")
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator("main:not([hidden])")).to_have_count(1)
    assert page.evaluate("document.scrollingElement.scrollHeight") <= 420
    page.get_by_role("link", name="Close").click()
    expect(page.get_by_test_id("rows")).to_be_visible()


def test_one_display_fits_on_the_wall_of_a_phone(open_many):
    page, _ = open_many("lobby", path="/#wall", viewport={"width": 320, "height": 640})
    expect(tiles(page)).to_contain_text("40%")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320
    box = tiles(page).locator(".level").evaluate("level => [level.scrollWidth, level.clientWidth]")
    assert box[0] <= box[1]
    # The line above is higher there.
    page.wait_for_function(
        """() => {
            const [line, tile] = ["#wall h1", ".tile"].map((one) => document.querySelector(one).getBoundingClientRect());
            const fits = document.scrollingElement.scrollHeight <= innerHeight;
            return line.height > 40 && line.bottom <= tile.top && fits;
        }"""
    )


def test_presets_are_not_next_to_an_opened_display(open_many):
    page, client = open_many(*NAMES, path="/#displays/panel-3", viewport={"width": 1_280, "height": 800})
    client.put("/v1/presets/Film", json={"displays": {"all": {"brightness": 0.3}}})
    expect(page.get_by_role("article")).to_be_visible()
    presets = page.get_by_role("button", name="Apply: Film")
    expect(presets).to_be_hidden()
    page.goto(page.url.partition("#")[0])
    expect(presets).to_be_visible()


def test_displays_that_do_not_fit_on_the_wall_take_turns(open_many):
    page, client = open_many(*NAMES, path="/#wall", viewport={"width": 820, "height": 320})
    client.patch("/v1/simulator", json={"display": "panel-9", "unplugged": True})
    seen = set()

    def turn():
        texts = tiles(page).all_text_contents()
        # One that needs attention stays.
        assert not texts or "panel-9" in texts[0] or "panel-9" not in seen
        seen.update(re.search(r"panel-(\d|1[01])(?=\d+%|\D)", text)[0] for text in texts)
        return len(seen) == 12

    expect(tiles(page).first).to_contain_text("panel-9")
    expect(page.get_by_test_id("wall-summary")).to_contain_text(re.compile("1 needs attention · part [12] of 2"))
    assert tiles(page).count() <= 8
    until(turn, "every display has had its turn")


@pytest.mark.parametrize(("count", "least"), [(1, 80), (3, 40), (6, 30), (12, 20)])
def test_the_wall_is_as_large_as_its_displays_allow(open_many, count, least):
    page, _ = open_many(*NAMES[:count], path="/#wall", viewport={"width": 1_280, "height": 800})
    expect(tiles(page)).to_have_count(count)
    # The line above may need another frame.
    page.wait_for_function(
        """(least) => {
            const level = parseFloat(getComputedStyle(document.querySelector(".tile .level")).fontSize);
            const { right, bottom } = [...document.querySelectorAll(".tile")].at(-1).getBoundingClientRect();
            return level >= least && right <= 1_280 && bottom <= 800 && document.scrollingElement.scrollHeight <= 800;
        }""",
        arg=least,
    )


def test_a_wall_without_a_connection_is_red(open_many):
    page, _ = open_many(*NAMES, path="/#wall", expects=".")
    expect(tiles(page)).to_have_count(12)
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    summary = page.get_by_test_id("wall-summary")
    expect(summary).to_contain_text("Connection lost, reconnecting")
    expect(summary).to_have_css("color", "rgb(179, 38, 30)")
    look = "part => getComputedStyle(part).filter"
    assert page.locator("main.wall").evaluate(look) == "none"


def test_a_list_of_many_displays_is_accessible(open_many, check_accessibility):
    page, client = open_many(*NAMES, reduced_motion="reduce")
    client.post("/v1/displays/panel-2/boost", json={"holder": "kiosk-3", "reason": "qr"})
    expect(row(page, "panel-2")).to_contain_text("Boosted by kiosk-3")
    check_accessibility(page)
    page.goto(f"{page.url}#displays/panel-2")
    expect(meter(page)).to_be_visible()
    check_accessibility(page)
    client.patch("/v1/simulator", json={"display": "panel-7", "unplugged": True})
    page.goto(re.sub("#.*", "#", page.url))
    page.get_by_label("By machine").check()
    for width in (1_280, 320):
        page.set_viewport_size({"width": width, "height": 800})
        expect(row(page, "panel-7")).to_contain_text("Not available since")
        check_accessibility(page)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    page.goto(re.sub("#.*", "#wall", page.url))
    expect(page.get_by_role("main", name="Wall")).to_be_visible()
    check_accessibility(page)
