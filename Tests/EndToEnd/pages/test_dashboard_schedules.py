# SPDX-License-Identifier: Apache-2.0
"""Schedules on the dashboard: the list, the picture of a day, and the form."""

import re

import pytest
from playwright.sync_api import expect

from support.schedules import NIGHT, clock, fault, form, names, picture, put, rows, save, section
from support.until import until
from support.wall_clock import WallClock

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
READER, WRITER = "reader-0123456789", "writer-0123456789"


@pytest.fixture
def serve(start, connect):
    """A daemon whose schedules are in UTC, and a client of it."""

    def serve(*options, **how):
        daemon = start("--time-zone", "UTC", *options, **how)
        return daemon, connect(daemon)

    return serve


@pytest.fixture
def visit(new_context):
    """Opens the dashboard of a daemon in a browser of its own, whose time zone is UTC."""

    def visit(daemon, expects=None, **options):
        page = new_context(expects=expects, **{"timezone_id": "UTC", "locale": "en-GB"} | options).new_page()
        page.goto(daemon.url)
        expect(page.get_by_test_id("status")).to_have_text("Live")
        return page

    return visit


@pytest.fixture
def served(serve):
    return serve()


@pytest.fixture
def client(served):
    return served[1]


@pytest.fixture
def page(served, visit):
    return visit(served[0])


def edit(page, name):
    section(page).get_by_role("button", name=f"Edit: {name}").click()
    return form(page)


def add(page):
    section(page).get_by_role("button", name="New schedule").click()
    return form(page)


def test_a_schedule_is_added_by_the_form(page, client):
    expect(section(page)).to_contain_text("No schedule yet.")
    dialog = add(page)
    dialog.get_by_label("Name").fill("night")
    for day in ("Saturday", "Sunday"):
        dialog.get_by_role("checkbox", name=day).uncheck()
    dialog.get_by_label("From: time").fill("21:30")
    dialog.get_by_label("To: time").fill("06:15")
    expect(dialog).to_contain_text("Ends on the next day.")
    dialog.get_by_label("Brightness in percent").fill("15")
    dialog.get_by_label("Transition in seconds").fill("4")
    save(page)
    expect(dialog).to_be_hidden()
    row = rows(page).filter(has_text="night")
    expect(row).to_contain_text("Mon–Fri, 21:30 to 06:15 the next day")
    expect(row).to_contain_text("Dim to 15%, transition 4 s · All displays")
    expect(row).to_contain_text(re.compile("(Begins|Ends) (today|tomorrow|[A-Z][a-z]+day) at [0-9:]{5}"))
    expect(row.get_by_role("button", name="Edit: night")).to_be_focused()
    stored = client.get("/v1/schedules/night").json()
    expected = {"from": "21:30", "to": "06:15", "dim": 0.15, "transition": 4, "days": DAYS[:5], "displays": ["all"]}
    assert {name: stored[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("choice", "percent", "effect"),
    [
        ("Boost to at least", "80", {"boost": 0.8}),
        ("Set brightness once to", "30", {"brightness": 0.3}),
        ("Switch off", None, {"sleep": True}),
    ],
)
def test_each_effect_can_be_chosen(page, client, choice, percent, effect):
    dialog = add(page)
    dialog.get_by_label("Name").fill("other")
    dialog.get_by_label("Effect").select_option(choice)
    if percent:
        dialog.get_by_label("Brightness in percent").fill(percent)
    else:
        expect(dialog.get_by_label("Brightness in percent")).to_be_hidden()
    dialog.get_by_role("radio", name="Selected").check()
    dialog.get_by_role("checkbox", name="Simulated display").check()
    save(page)
    expect(dialog).to_be_hidden()
    stored = client.get("/v1/schedules/other").json()
    assert stored | effect | {"displays": ["simulated"]} == stored


def test_saving_without_a_change_changes_nothing(serve, visit):
    daemon, client = serve("--location", "52.52,13.40")
    rule = {"from": "sunset-00:30", "to": "sunrise+01:05", "boost": 0.255, "days": ["tue", "sun"], "transition": 2.5}
    stored = put(client, "evening", displays=["simulated", "DP-9"], **rule)
    page = visit(daemon)
    row = rows(page)
    expect(row).to_contain_text(re.compile(r"Tue, Sun, 30 min before sunset \(\d\d:\d\d\) to 65 min after sunrise \(\d\d:\d\d\)"))
    expect(row).to_contain_text("Simulated display, DP-9 (not connected)")
    dialog = edit(page, "evening")
    expect(dialog.get_by_label("From: minutes")).to_have_value("30")
    expect(dialog.get_by_label("To: before or after")).to_have_value("after")
    with page.expect_response("**/v1/schedules/evening") as answer:
        save(page)
    assert answer.value.json() == stored
    expect(dialog).to_be_hidden()


def test_a_renamed_schedule_is_stored_before_the_former_is_removed(page, client):
    put(client)
    put(client, "lunch", **{"from": "12:00", "to": "13:00", "boost": 1})
    asked = []
    page.on("request", lambda request: request.method != "GET" and asked.append((request.method, request.url)))
    dialog = edit(page, "night")
    dialog.get_by_label("Name").fill("lunch")
    save(page)
    expect(fault(page, "name")).to_contain_text("Another schedule has this name.")
    assert asked == []
    dialog.get_by_label("Name").fill("late")
    save(page)
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Edit: late")).to_be_focused()
    assert [(method, url.rsplit("/", 1)[1]) for method, url in asked] == [("PUT", "late"), ("DELETE", "night")]
    assert names(client) == ["late", "lunch"]


def test_a_former_name_that_cannot_be_removed_is_reported(new_context, served, client):
    put(client)
    page = new_context(expects="503").new_page()
    page.goto(served[0].url)

    def refuse(route):
        if route.request.method != "DELETE":
            return route.continue_()
        problem = {"type": "/problems/x", "title": "Busy", "status": 503, "detail": "Try again."}
        return route.fulfill(status=503, json=problem)

    page.route("**/v1/schedules/night", refuse)
    dialog = edit(page, "night")
    dialog.get_by_label("Name").fill("late")
    save(page)
    expect(dialog.get_by_role("alert")).to_have_text("It was stored as late, but night could not be removed. Try again.")
    assert names(client) == ["late", "night"]


def test_wrong_input_is_reported_at_its_field_and_nothing_is_lost(served, client, visit):
    page = visit(served[0], expects="422")
    dialog = add(page)
    save(page)
    expect(fault(page, "name")).to_contain_text("Use 1 to 64 characters")
    expect(dialog.get_by_label("Name")).to_be_focused()
    dialog.get_by_label("Name").fill("night/shift")
    dialog.get_by_label("Brightness in percent").fill("140")
    save(page)
    expect(fault(page, "percent")).to_contain_text("100")
    expect(fault(page, "name")).to_contain_text("Use 1 to 64 characters")
    dialog.get_by_label("Name").fill("night")
    dialog.get_by_label("Brightness in percent").fill("25")
    dialog.get_by_label("To: time").fill("22:00")
    dialog.get_by_label("Transition in seconds").fill("3")
    for box in dialog.locator("input[name=days]").all():
        box.uncheck()
    save(page)
    # Of the server, every fault of the body.
    expect(fault(page, "to")).to_contain_text("to must differ from from")
    expect(fault(page, "days")).to_contain_text("days must be an array of different days")
    expect(fault(page, "percent")).to_have_text("")
    expect(dialog.get_by_label("To: time")).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_role("checkbox", name="Monday")).to_be_focused()
    dialog.get_by_role("checkbox", name="Monday").check()
    assert names(client) == []
    dialog.get_by_label("To: kind of time").select_option("Clock time")
    dialog.get_by_label("To: time").fill("")
    save(page)
    expect(fault(page, "to")).to_contain_text("fill out")
    dialog.get_by_label("To: time").fill("06:00")
    save(page)
    expect(dialog).to_be_hidden()
    stored = client.get("/v1/schedules/night").json()
    assert (stored["dim"], stored["transition"], stored["days"], stored["to"]) == (0.25, 3, ["mon"], "06:00")


def test_a_name_may_be_what_a_person_writes(page, client):
    dialog = add(page)
    dialog.get_by_label("Name").fill(" Gute Nacht, Zoë 🌙 ")
    save(page)
    expect(dialog).to_be_hidden()
    assert names(client) == ["Gute Nacht, Zoë 🌙"]
    dialog = edit(page, "Gute Nacht, Zoë 🌙")
    dialog.get_by_label("Name").fill("夜")
    save(page)
    expect(dialog).to_be_hidden()
    assert names(client) == ["夜"]


def test_the_daemons_warning_about_an_absent_display_is_shown(page, client):
    put(client, **NIGHT, displays=["simulated", "left"])
    dialog = edit(page, "night")
    save(page)
    expect(dialog).to_be_hidden()
    expect(page.get_by_test_id("message")).to_contain_text("This machine has no display left now.")


def test_an_unreachable_daemon_loses_no_input(served, client, visit):
    page = visit(served[0], expects="ERR_INTERNET_DISCONNECTED|does not respond")
    dialog = add(page)
    dialog.get_by_label("Name").fill("night")
    page.context.set_offline(True)
    save(page)
    expect(dialog.get_by_role("alert")).to_have_text("The daemon does not respond.")
    page.context.set_offline(False)
    save(page)
    expect(dialog).to_be_hidden()
    assert names(client) == ["night"]


def test_a_paused_schedule_shows_it_and_stays_paused_when_it_is_edited(page, client):
    put(client, **{"from": clock(-5), "to": clock(30), "dim": 0.2})
    row = rows(page)
    in_force = row.get_by_text("In force")
    expect(in_force).to_be_visible()
    expect(picture(page).locator(".band")).not_to_have_count(0)
    row.get_by_role("button", name="Pause: night").click()
    resume = row.get_by_role("button", name="Resume: night")
    expect(resume).to_be_focused()
    expect(row).to_contain_text("Paused")
    expect(in_force).to_be_hidden()
    expect(picture(page).locator(".band")).to_have_count(0)
    edit(page, "night").get_by_label("Name").fill("evening")
    save(page)
    # Another name is another schedule first, then the old one is removed.
    expect(row.filter(has_text="evening")).to_have_count(1)
    expect(row).to_have_count(1)
    assert client.get("/v1/schedules/evening").json()["paused"] is True
    row.get_by_role("button", name="Resume: evening").click()
    expect(in_force).to_be_visible()


def test_a_removed_schedule_can_be_put_back(page, client):
    stored = put(client, **{"from": clock(60), "to": clock(120), "dim": 0.2})
    row = rows(page)
    row.get_by_role("button", name="Remove: night").click()
    undo = section(page).get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    expect(section(page)).to_contain_text("Removed night.")
    expect(row).to_have_count(0)
    assert names(client) == []
    undo.click()
    expect(page.get_by_role("button", name="Edit: night")).to_be_focused()
    expect(undo).to_be_hidden()
    assert client.get("/v1/schedules/night").json() == stored
    row.get_by_role("button", name="Remove: night").click()
    expect(row).to_have_count(0)
    put(client, **NIGHT | {"dim": 0.4})
    # Somebody else has added one of this name: undoing would replace it.
    expect(row).to_contain_text("Dim to 40%")
    expect(undo).to_be_hidden()


def test_two_browsers_and_curl_see_each_others_changes(served, client, visit):
    one, two = visit(served[0]), visit(served[0])
    put(client)
    for page in (one, two):
        expect(rows(page)).to_contain_text("Dim to 20%")
    dialog = edit(one, "night")
    dialog.get_by_label("Brightness in percent").fill("35")
    save(one)
    expect(rows(two)).to_contain_text("Dim to 35%")
    put(client, "now", **{"from": clock(-5), "to": clock(30), "dim": 0.6})
    expect(rows(one).filter(has_text="now").get_by_text("In force")).to_be_visible()
    client.delete("/v1/schedules/night")
    client.delete("/v1/schedules/now")
    for page in (one, two):
        expect(section(page)).to_contain_text("No schedule yet.")


def test_a_schedule_that_is_changed_elsewhere_is_not_changed_in_the_form(page, client):
    put(client)
    dialog = edit(page, "night")
    dialog.get_by_label("Brightness in percent").fill("35")
    put(client, **NIGHT | {"dim": 0.5, "to": "08:00"})
    expect(dialog.get_by_role("status")).to_contain_text("This schedule was changed since you opened it.")
    expect(dialog.get_by_label("Brightness in percent")).to_have_value("35")
    expect(dialog.get_by_label("To: time")).to_have_value("07:00")
    client.delete("/v1/schedules/night")
    expect(dialog.get_by_role("status")).to_contain_text("This schedule was removed since you opened it.")
    save(page)
    expect(rows(page)).to_contain_text("Dim to 35%")
    stored = client.get("/v1/schedules/night").json()
    assert (stored["dim"], stored["to"]) == (0.35, "07:00")
    edit(page, "night")
    expect(dialog.get_by_role("status")).to_have_text("")


def test_the_picture_shows_both_ends_of_an_interval_across_midnight(page, client):
    put(client)
    put(client, "lunch", **{"from": "12:00", "to": "13:00", "boost": 1})
    image = picture(page)
    expect(image).to_have_attribute(
        "aria-label",
        re.compile(
            "^Today: lunch from 12:00 to 13:00; night from 00:00 to 07:00 and from 22:00 to 24:00. "
            r"It is \d\d:\d\d\.$"
        ),
    )
    shares = """lane => {
        const track = lane.querySelector(".track").getBoundingClientRect();
        return [...lane.querySelectorAll(".band")].map((band) => {
            const { left, right } = band.getBoundingClientRect();
            return [left, right].map((x) => 24 * (x - track.left) / track.width);
        });
    }"""
    bands = image.locator(".lane", has_text="night").evaluate(shares)
    assert [pytest.approx(hours, abs=0.1) for hours in ([0, 7], [22, 24])] == bands


PLACE = """async (text) => {
    const { src } = document.querySelector("script[type=module]");
    return (await import(new URL("location-field.js", src))).readLocation(text);
}"""
LOCAL = """async ([schedules, schedule, now]) => {
    const { src } = document.querySelector("script[type=module]");
    const { LocalTime } = await import(new URL("daytime.js", src));
    const local = new LocalTime(schedules);
    const spans = local.spans(schedule, now).map(({ from, to }) => [from, to]);
    return [spans, local.next(schedule)?.toISOString().slice(0, 16)];
}"""
BODY = """async (schedule) => {
    const { src } = document.querySelector("script[type=module]");
    return JSON.parse(JSON.stringify((await import(new URL("schedule-draft.js", src))).bodyOf(schedule)));
}"""
BERLIN = {"sunrise": "2026-11-22T06:41:00.000Z", "sunset": "2026-11-22T15:03:00.000Z"}
POLAR = {"sunrise": None, "sunset": None}


def rule(begin, end, days=DAYS, change=None, at=None):
    next_change = at and {"at": f"{at}:00.000Z", "change": change}
    return {"name": "x", "from": begin, "to": end, "days": days, "next": next_change}


@pytest.mark.parametrize(
    ("schedule", "sun", "spans"),
    [
        # Only the night that began on Saturday reaches into Sunday.
        (rule("22:00", "07:00"), None, [[0, 420], [1320, 1440]]),
        (rule("22:00", "07:00", ["sat"]), None, [[0, 420]]),
        (rule("22:00", "07:00", ["sun"]), None, [[1320, 1440]]),
        (rule("22:00", "07:00", ["mon"]), None, []),
        # An interval of a day less a minute, and one that ends at midnight.
        (rule("10:00", "09:59"), None, [[0, 599], [600, 1440]]),
        (rule("22:00", "00:00"), None, [[1320, 1440]]),
        (rule("sunset-00:30", "23:00"), BERLIN, [[933, 1380]]),
        (rule("06:00", "sunset+01:00"), BERLIN, [[360, 1023]]),
        # An offset that moves the beginning to the day after, or before.
        (rule("sunset+10:00", "03:00", ["sat"]), BERLIN, [[123, 180]]),
        (rule("sunrise-08:00", "23:00", ["mon"]), BERLIN, [[1421, 1440]]),
        (rule("sunset", "23:00"), None, []),
        (rule("sunset", "23:00"), POLAR, []),
    ],
)
def test_spans_of_a_day(quiet_page, schedule, sun, spans):
    # A Sunday in Berlin.
    schedules = {"clockSet": True, "utcOffset": 3_600, "sun": sun, "schedules": []}
    assert quiet_page.evaluate(LOCAL, [schedules, schedule, "2026-11-22T12:00:00Z"])[0] == spans


@pytest.mark.parametrize(
    ("schedule", "offset", "local"),
    [
        (rule("22:00", "07:00", change="begin", at="2026-11-22T21:00"), 3_600, "2026-11-22T22:00"),
        (rule("22:00", "sunrise", change="end", at="2026-11-23T06:42"), 3_600, "2026-11-23T07:42"),
        # Summer time begins, or ends, before the next change.
        (rule("00:00", "07:00", ["wed"], "begin", "2026-03-31T22:00"), 3_600, "2026-04-01T00:00"),
        (rule("00:00", "07:00", ["wed"], "begin", "2026-10-27T23:00"), 7_200, "2026-10-28T00:00"),
    ],
)
def test_the_next_change_has_the_local_time_of_its_rule(quiet_page, schedule, offset, local):
    schedules = {"clockSet": True, "utcOffset": offset, "sun": BERLIN, "schedules": []}
    assert quiet_page.evaluate(LOCAL, [schedules, schedule, "2026-03-27T12:00:00Z"])[1] == local


def test_a_schedule_that_is_put_back_has_the_members_of_a_request(quiet_page):
    body = {"displays": ["all"], "days": DAYS, "from": "22:00", "to": "07:00", "dim": 0.2, "paused": False}
    # An event to a client that is too slow has the number of events that it missed.
    event = body | {"name": "night", "transition": None, "active": False, "next": None, "skipped": 2}
    assert quiet_page.evaluate(BODY, event) == body


def test_times_are_those_of_the_daemons_machine(start, connect, visit):
    daemon = start("--time-zone", "Asia/Tokyo")
    put(connect(daemon))
    page = visit(daemon, timezone_id="America/New_York")
    expect(section(page)).to_contain_text(re.compile(r"times of the daemon’s machine, where it is \d\d:\d\d"))
    expect(rows(page)).to_contain_text(re.compile("(Begins (today|tomorrow) at 22:00|Ends (today|tomorrow) at 07:00)"))
    expect(picture(page)).to_have_attribute("aria-label", re.compile("from 00:00 to 07:00 and from 22:00 to 24:00"))
    here = visit(daemon, timezone_id="Asia/Tokyo")
    expect(rows(here)).to_have_count(1)
    expect(section(here).get_by_text("These are times")).to_be_hidden()


def test_the_form_works_by_keyboard(page, client):
    section(page).get_by_role("button", name="New schedule").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("night")
    page.keyboard.press("Tab")
    expect(form(page).get_by_role("checkbox", name="Monday")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(form(page)).to_be_hidden()
    expect(section(page).get_by_role("button", name="New schedule")).to_be_focused()
    page.keyboard.press("Enter")
    expect(form(page).get_by_label("Name")).to_have_value("")
    page.keyboard.type("night")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: night")).to_be_focused()
    until(lambda: client.get("/v1/schedules/night").json()["days"] == DAYS[1:], "the days")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Pause: night")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(section(page).get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: night")).to_be_focused()
    assert names(client) == ["night"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1_280])
def test_the_section_and_the_form_are_accessible(served, client, visit, check_accessibility, scheme, width):
    put(client)
    for name, effect in {"a": {"boost": 0.8}, "b": {"sleep": True}, "c": {"brightness": 0.3}}.items():
        put(client, name, **{"from": clock(-5), "to": clock(30)}, **effect)
    page = visit(served[0], color_scheme=scheme, viewport={"width": width, "height": 900})
    expect(rows(page)).to_have_count(4)
    rows(page).last.get_by_role("button", name="Remove").click()
    expect(section(page).get_by_role("button", name="Undo")).to_be_visible()
    check_accessibility(page)
    dialog = add(page)
    dialog.get_by_label("To: kind of time").select_option("Sunset")
    dialog.get_by_role("radio", name="Selected").check()
    save(page)
    expect(fault(page, "name")).not_to_have_text("")
    check_accessibility(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")


@pytest.mark.parametrize("width", [320, 1_280])
def test_64_schedules_with_long_names_fit(served, client, visit, check_accessibility, width):
    for number in range(64):
        put(client, f"{number:02}-{'very-long-name-' * 4}"[:64], **NIGHT)
    page = visit(served[0], viewport={"width": width, "height": 900})
    expect(rows(page)).to_have_count(64)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    wide = "panels => panels.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length"
    assert page.locator(".panel, .plan").evaluate_all(wide) == 0
    expect(picture(page)).to_have_attribute("aria-label", re.compile("and 56 others|; 56 others"))
    check_accessibility(page)


@pytest.mark.parametrize("token", [READER, WRITER])
def test_only_an_administrator_may_change_schedules(start, connect, new_context, tmp_path, token):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"wall:read:{READER}\nmaria:write:{WRITER}\nroot:admin:admin-0123456789\n")
    tokens.chmod(0o600)
    daemon = start("--token-file", tokens)
    put(connect(daemon, headers={"Authorization": "Bearer admin-0123456789"}))
    page = new_context(expects="401").new_page()
    page.goto(daemon.url)

    def sign_in(token):
        dialog = page.get_by_role("dialog", name="Sign in")
        dialog.get_by_label("Token").fill(token)
        dialog.get_by_role("button", name="Sign in").click()

    sign_in(token)
    expect(rows(page)).to_contain_text("Dim to 20%")
    expect(section(page)).to_contain_text("If you have a token with the scope “admin”, use it in the settings.")
    expect(section(page).get_by_role("button")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Use another token").click()
    sign_in("admin-0123456789")
    expect(section(page).get_by_role("button", name="Edit: night")).to_be_visible()
    expect(section(page).get_by_text("You may not change schedules")).to_be_hidden()


def test_a_clock_that_is_not_set_is_reported(serve, visit, tmp_path):
    wall = WallClock(tmp_path)
    wall.set(-40 * 365 * 86_400)
    daemon, client = serve(env=wall.environment | {"CLOCK_UNSYNCHRONIZED": "1"})
    put(client)
    page = visit(daemon)
    expect(section(page)).to_contain_text("The daemon’s clock is not set yet. No schedule is in force until it is.")
    expect(rows(page)).to_contain_text("Waits until the daemon’s clock is set")
    expect(picture(page)).to_have_attribute("aria-label", re.compile("22:00 to 24:00.$"))
    wall.set(0)
    expect(section(page).get_by_text("is not set yet")).to_be_hidden()
    expect(picture(page)).to_have_attribute("aria-label", re.compile("It is"))


def place(page):
    return form(page).get_by_label("Location of the machine")


def test_the_form_asks_for_the_place_when_the_sun_is_chosen(serve, visit):
    daemon, client = serve()
    page = visit(daemon)
    dialog = add(page)
    kind = dialog.get_by_label("From: kind of time")
    expect(place(page)).to_be_hidden()
    kind.select_option("Sunset")
    expect(dialog).to_contain_text("Sunrise and sunset need the location of the machine.")
    expect(place(page)).to_be_visible()
    kind.select_option("Clock time")
    expect(place(page)).to_be_hidden()
    kind.select_option("Sunset")
    dialog.get_by_label("Name").fill("dusk")
    for wrong in ("", "Berlin", "91, 0", "52.52"):
        place(page).fill(wrong)
        save(page)
        expect(fault(page, "location")).to_have_text("Enter latitude and longitude, such as 52.52, 13.40.")
        expect(place(page)).to_be_focused()
    assert (names(client), client.get("/v1/location").json()["source"]) == ([], None)
    place(page).fill("52.5163, 13.3777")
    save(page)
    expect(dialog).to_be_hidden()
    assert client.get("/v1/location").json() == {"latitude": 52.52, "longitude": 13.38, "source": "set"}
    expect(rows(page)).to_contain_text(re.compile(r"At sunset \(\d\d:\d\d\)|sunset \(\d\d:\d\d\)"))


@pytest.mark.parametrize(
    ("text", "latitude", "longitude"),
    [
        ("52.52,13.40", 52.52, 13.4),
        ("-33.87, 151.21", -33.87, 151.21),
        ("52.52 13.40", 52.52, 13.4),
        ("53.5503° N, 10.0006° E", 53.5503, 10.0006),
        ("53°33'02.0\"N 9°59'35.0\"E", 53.5506, 9.9931),
        ("53° 33′ N, 10° 0′ O", 53.55, 10),
        ("33.87S, 70.65W", -33.87, -70.65),
        # German decimals.
        ("52,52; 13,40", 52.52, 13.4),
        ("52,52, 13,40", 52.52, 13.4),
        ("53,5511 9,9937", 53.5511, 9.9937),
        ("52.52, 13.40, 5", None, None),
        ("Hamburg", None, None),
        ("53N", None, None),
        ("10, 200", None, None),
    ],
)
def test_a_place_is_read_as_maps_show_it(quiet_page, text, latitude, longitude):
    place = quiet_page.evaluate(PLACE, text)
    if latitude is None:
        assert place is None
    else:
        assert [round(place[name], 4) for name in ("latitude", "longitude")] == [latitude, longitude]


def test_the_sun_gives_way_to_a_time_of_the_clock(serve, visit):
    daemon, client = serve("--location", "52.52,13.40")
    put(client, "dusk", **{"from": "sunset", "to": "23:00", "dim": 0.5})
    page = visit(daemon)
    dialog = edit(page, "dusk")
    dialog.get_by_label("From: kind of time").select_option("Clock time")
    # That of today.
    expect(dialog.get_by_label("From: time")).to_have_value(client.get("/v1/schedules").json()["sun"]["sunset"][11:16])
    dialog.get_by_label("From: time").fill("")
    save(page)
    expect(fault(page, "from")).not_to_be_empty()
    dialog.get_by_label("From: time").fill("19:30")
    save(page)
    expect(dialog).to_be_hidden()
    assert client.get("/v1/schedules/dusk").json()["from"] == "19:30"


def test_a_place_that_is_known_can_be_changed(serve, visit):
    daemon, client = serve("--location", "52.52,13.40")
    client.put("/v1/schedules/dusk", json={"from": "sunset", "to": "23:59", "dim": 0.5})
    page = visit(daemon)
    dialog = edit(page, "dusk")
    expect(place(page)).to_be_hidden()
    expect(dialog).to_contain_text(re.compile(r"Today the sun rises at \d\d:\d\d and sets at \d\d:\d\d\."))
    dialog.get_by_role("button", name="Change the location").click()
    expect(place(page)).to_be_focused()
    expect(place(page)).to_have_value("52.52, 13.40")
    place(page).fill("-33.87, 151.21")
    save(page)
    expect(dialog).to_be_hidden()
    assert client.get("/v1/location").json() == {"latitude": -33.87, "longitude": 151.21, "source": "set"}


def test_the_browser_fills_in_where_it_is(serve, new_context):
    daemon, client = serve()
    context = new_context(geolocation={"latitude": 48.8566, "longitude": 2.3522}, permissions=["geolocation"], locale="en-GB")
    page = context.new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("Live")
    dialog = add(page)
    dialog.get_by_label("To: kind of time").select_option("Sunrise")
    dialog.get_by_role("button", name="Where this browser is").click()
    expect(place(page)).to_have_value("48.86, 2.35")
    context.clear_permissions()
    place(page).fill("")
    dialog.get_by_role("button", name="Where this browser is").click()
    expect(fault(page, "location")).to_contain_text("The browser does not report its location.")


def test_sunset_without_a_place_is_reported(serve, connect, visit, tmp_path):
    state = ("--state-directory", tmp_path / "state")
    daemon, client = serve("--location", "52.52,13.40", *state)
    put(client, "evening", **{"from": "sunset", "to": "23:00", "dim": 0.5})
    daemon.stop()
    daemon, _ = serve(*state)
    page = visit(daemon)
    expect(rows(page)).to_contain_text("Never begins: sunrise and sunset need the location of the machine.")
    expect(picture(page)).to_have_attribute("aria-label", re.compile("evening not at all"))
