# SPDX-License-Identifier: Apache-2.0
"""Tokens on the dashboard: signing in and out, read-only people, several tabs."""

import signal

import pytest
from playwright.sync_api import expect

from support.browser import BLOCKED, GONE
from support.daemon import run
from support.dashboard import room, shows
from support.until import until

READER, WRITER = "reader-0123456789", "writer-0123456789"


@pytest.fixture
def guarded(start, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"wall:read:{READER}\nmaria:write:{WRITER}\n")
    tokens.chmod(0o600)
    return start("--token-file", tokens)


@pytest.fixture
def context(new_context):
    return new_context(expects="401|403")


def dialog(page):
    return page.get_by_role("dialog", name="Sign in")


def sign_in(page, token):
    dialog(page).get_by_label("Token").fill(token)
    dialog(page).get_by_role("button", name="Sign in").click()


def settings(page):
    page.get_by_role("button", name="Settings").click()
    return page.get_by_role("dialog", name="Settings")


def test_a_person_signs_in_and_out_and_in_again(context, guarded):
    page = context.new_page()
    page.goto(guarded.url)
    expect(dialog(page)).to_contain_text("Ask the person who runs them for one.")
    # The second one has an invisible character.
    for wrong in ("wrong-0123456789ab", WRITER.replace("-", "-\u200b")):
        sign_in(page, wrong)
        expect(dialog(page)).to_contain_text("The daemon does not accept this token.")
    sign_in(page, WRITER)
    shows(page, 40)
    menu = settings(page)
    expect(menu).to_contain_text("Signed in as maria: may see and change the displays.")
    menu.get_by_role("button", name="Use another token").click()
    sign_in(page, READER)
    expect(page.get_by_test_id("read-only")).to_be_visible()
    settings(page).get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Not signed in")).to_be_visible()
    expect(page.get_by_role("dialog", name="Settings")).to_be_hidden()
    expect(page.locator("article")).to_have_count(0)
    expect(page.get_by_test_id("status")).to_have_text("Not signed in")
    page.reload()
    expect(dialog(page)).to_be_visible()


def test_a_closed_dialog_stays_closed_until_it_is_wanted(context, guarded):
    page = context.new_page()
    page.clock.install()
    page.goto(guarded.url)
    expect(dialog(page)).to_be_visible()
    page.keyboard.press("Escape")
    for _ in range(10):
        with page.expect_response("**/v1/events*"):
            page.clock.fast_forward(16_000)
    expect(dialog(page)).to_be_hidden()
    page.get_by_role("button", name="Sign in").click()
    dialog(page).get_by_role("button", name="Not now").click()
    expect(dialog(page)).to_be_hidden()


def test_a_read_only_person_sees_why_the_controls_are_off(context, guarded, check_accessibility):
    page = context.new_page()
    page.goto(guarded.url)
    sign_in(page, READER)
    expect(page.get_by_test_id("read-only")).to_contain_text("If you have a token for that, use it in the settings.")
    for control in ("boost", "restore", "slider"):
        expect(page.get_by_test_id(control)).to_be_disabled()
    expect(room(page).get_by_role("slider", name="From the front")).to_be_disabled()
    # They look as if they were off.
    expect(page.get_by_test_id("boost")).not_to_have_css("background-color", "rgb(247, 176, 74)")
    expect(page.get_by_test_id("slider")).to_have_css("opacity", "0.5")
    expect(page).to_have_title(f"Brightness · {guarded.url.removeprefix('http://')}")
    expect(page.get_by_test_id("status")).to_have_text("Live")
    check_accessibility(page)


def test_rights_that_cannot_be_read_again_stay_as_they_were(new_context, guarded):
    page = new_context(expects="401|ERR_FAILED").new_page()
    page.goto(guarded.url)
    sign_in(page, READER)
    expect(page.get_by_test_id("read-only")).to_be_visible()
    page.route("**/v1/whoami", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/v1/whoami")):
        page.evaluate("for (const name of ['pagehide', 'pageshow']) dispatchEvent(new Event(name))")
    page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))")
    expect(page.get_by_test_id("read-only")).to_be_visible()
    expect(page.get_by_test_id("boost")).to_be_disabled()


def test_rights_that_cannot_be_read_at_first_are_read_later(new_context, guarded):
    page = new_context(expects="401|ERR_FAILED").new_page()
    page.clock.install()
    page.goto(guarded.url)
    page.route("**/v1/whoami", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/v1/whoami")):
        sign_in(page, READER)
    expect(page.get_by_test_id("status")).to_have_text("Live")
    expect(page.get_by_test_id("read-only")).to_be_hidden()
    page.unroute("**/v1/whoami")
    page.clock.fast_forward(5_000)
    expect(page.get_by_test_id("read-only")).to_be_visible()


def test_a_limited_token_has_controls_for_its_displays_only(context, start, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"hall-kiosk:write[hall*]:{WRITER}\n")
    tokens.chmod(0o600)
    names = ("hall-1", "desk", "hall-2")
    daemon = start("--token-file", tokens, *(part for name in names for part in ("--display", f"simulated:{name}")))
    page = context.new_page()
    page.goto(daemon.url)
    sign_in(page, WRITER)
    desk, hall = (page.get_by_role("article", name=f"Simulated display {name}") for name in ("desk", "hall-2"))
    expect(desk.get_by_test_id("locked")).to_have_text("Your token may change hall* only.")
    expect(hall.get_by_test_id("locked")).to_be_hidden()
    for control in ("boost", "dim", "power", "slider"):
        expect(desk.get_by_test_id(control)).to_be_disabled()
        expect(hall.get_by_test_id(control)).to_be_enabled()
    # The room is the whole machine's.
    expect(room(page).get_by_role("button", name="Sunset")).to_be_disabled()
    page.get_by_role("button", name="Boost all").click()
    expect(page.get_by_test_id("message")).to_have_text("Boosted: 2 of 3 displays.")
    expect(settings(page)).to_contain_text("Signed in as hall-kiosk: may see the displays, and change only hall*.")


def test_tabs_share_the_token(context, guarded):
    first = context.new_page()
    first.goto(guarded.url)
    sign_in(first, WRITER)
    shows(first, 40)
    second = context.new_page()
    second.goto(guarded.url)
    shows(second, 40)
    expect(second.get_by_role("heading", name="History")).to_be_visible()
    expect(dialog(second)).to_be_hidden()
    second.get_by_test_id("boost").click()
    shows(first, 100)
    settings(second).get_by_role("button", name="Sign out").click()
    expect(first.get_by_test_id("status")).to_have_text("Not signed in")


def test_signing_out_signs_out_tabs_with_other_tokens(context, guarded):
    tabs = [context.new_page(), context.new_page()]
    tabs[0].goto(guarded.url)
    sign_in(tabs[0], WRITER)
    shows(tabs[0], 40)
    tabs[1].goto(guarded.url)
    shows(tabs[1], 40)
    settings(tabs[1]).get_by_role("button", name="Use another token").click()
    sign_in(tabs[1], READER)
    expect(tabs[1].get_by_test_id("read-only")).to_be_visible()
    # Each keeps its own.
    expect(tabs[0].get_by_test_id("read-only")).to_be_hidden()
    settings(tabs[1]).get_by_role("button", name="Sign out").click()
    for tab in tabs:
        expect(tab.get_by_test_id("status")).to_have_text("Not signed in")
    tabs[1].reload()
    expect(dialog(tabs[1])).to_be_visible()


def test_signing_in_after_a_token_was_revoked_signs_in_every_tab(new_context, guarded, tmp_path):
    context = new_context(expects=rf"{GONE}|401|403")
    tabs = [context.new_page(), context.new_page()]
    tabs[0].goto(guarded.url)
    sign_in(tabs[0], WRITER)
    tabs[1].goto(guarded.url)
    for tab in tabs:
        shows(tab, 40)
    tokens = tmp_path / "tokens"
    tokens.write_text(tokens.read_text().replace(WRITER, "another-0123456789"))
    guarded.terminate(signal.SIGHUP)
    for tab in tabs:
        expect(dialog(tab)).to_contain_text("The daemon does not accept this token.")
    sign_in(tabs[0], "another-0123456789")
    for tab in tabs:
        expect(dialog(tab)).to_be_hidden()
        expect(tab.get_by_test_id("status")).to_have_text("Live")
    tabs[1].get_by_test_id("boost").click()
    shows(tabs[0], 100)


def test_a_person_stays_signed_in_until_signing_out(context, guarded):
    page = context.new_page()
    page.goto(guarded.url)
    # A password manager may fill it in.
    expect(dialog(page).get_by_label("Token")).to_have_attribute("autocomplete", "current-password")
    dialog(page).get_by_label("Stay signed in").check()
    sign_in(page, WRITER)
    shows(page, 40)
    page.close()
    # The storage of a tab ends with the tab.
    page = context.new_page()
    page.goto(guarded.url)
    shows(page, 40)
    settings(page).get_by_role("button", name="Sign out").click()
    page.close()
    page = context.new_page()
    page.goto(guarded.url)
    expect(dialog(page)).to_be_visible()
    assert WRITER not in page.evaluate("JSON.stringify(localStorage)")


def test_signing_out_leaves_nothing_on_the_screen(context, guarded, connect):
    client = connect(guarded, headers={"Authorization": f"Bearer {WRITER}"})
    client.set(0.3, holder="erika", reason="secret")
    tabs = [context.new_page(), context.new_page()]
    tabs[0].goto(guarded.url)
    sign_in(tabs[0], WRITER)
    tabs[1].goto(guarded.url)
    for tab in tabs:
        expect(tab.locator(".causes")).to_contain_text("erika set it to 30%: secret")
        expect(tab.get_by_role("heading", name="Room")).to_be_visible()
    menu = settings(tabs[0])
    menu.get_by_role("button", name="Sign out").click()
    for tab in tabs:
        expect(tab.get_by_role("heading", name="Not signed in")).to_be_visible()
        for name in ("History", "Room", "Schedules", "Recent changes"):
            expect(tab.get_by_role("heading", name=name)).to_be_hidden()
        expect(tab.get_by_role("article")).to_have_count(0)
        until(lambda tab=tab: "erika" not in tab.locator("body").inner_html(), "her name is gone")
    expect(tabs[0].locator("#who")).to_be_hidden()
    # Parts that one person may see are there again for the next.
    tabs[0].get_by_role("button", name="Sign in").click()
    sign_in(tabs[0], READER)
    expect(tabs[0].locator(".causes")).to_contain_text("erika set it to 30%: secret")
    expect(tabs[0].get_by_role("heading", name="Room")).to_be_visible()


def test_a_message_goes_away_or_is_dismissed(context, start, connect):
    daemon = start()
    connect(daemon).put("/v1/schedules/night", json={"from": "22:00", "to": "07:00", "dim": 0.2}).raise_for_status()
    page = context.new_page()
    page.goto(daemon.url)
    problem = {"status": 403, "title": "No", "detail": "Not now."}
    page.route("**/v1/schedules/night", lambda route: route.fulfill(status=403, json=problem))
    page.get_by_role("button", name="Pause: night").click()
    expect(page.get_by_test_id("message")).to_have_text("Not now.")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_test_id("message")).to_be_hidden()
    expect(page.get_by_role("button", name="Pause: night")).to_be_focused()


def link(daemon, tokens, name, *more):
    return run("link", name, "--token-file", str(tokens), "--listen", f"127.0.0.1:{daemon.port}", *more)


def test_a_link_signs_a_browser_in_for_good(context, guarded, tmp_path):
    tokens = tmp_path / "tokens"
    done = link(guarded, tokens, "maria")
    assert (done.returncode, done.stdout) == (0, f"http://localhost:{guarded.port}/#token={WRITER}\n")
    assert "only this machine can open this link" in done.stderr
    page = context.new_page()
    page.goto(done.stdout.strip())
    shows(page, 40)
    expect(dialog(page)).to_be_hidden()
    assert WRITER not in page.url
    page.go_back()
    assert WRITER not in page.url
    page.close()
    page = context.new_page()
    page.goto(f"http://localhost:{guarded.port}")
    shows(page, 40)
    # In a tab that shows the dashboard already. Anybody may have written a link.
    page.evaluate("location.hash = 'token=nobody-0123456789'")
    expect(page.get_by_test_id("message")).to_have_text("The daemon does not accept the token of this link. You keep your own.")
    assert "nobody" not in page.url
    answers = [False, True]
    page.on("dialog", lambda question: question.accept() if answers.pop(0) else question.dismiss())
    page.evaluate(f"location.hash = 'token={READER}'")
    until(lambda: page.wait_for_timeout(50) or len(answers) == 1, "it asks")
    expect(page.get_by_text("Signed in as maria")).to_have_count(1)
    page.goto("about:blank")
    page.goto(f"http://localhost:{guarded.port}/#token={READER}")
    expect(page.get_by_text("Signed in as wall")).to_have_count(1)
    assert page.evaluate("localStorage['brightness.token']") == READER


def test_a_link_replaces_no_token_that_the_daemon_did_not_reject(new_context, guarded):
    page = new_context(expects="401|503").new_page()
    page.goto(guarded.url)
    sign_in(page, WRITER)
    shows(page, 40)
    problem = {"status": 503, "title": "Busy", "detail": "Too many connections."}
    page.route("**/v1/whoami", lambda route: route.fulfill(status=503, json=problem))
    page.evaluate(f"location.hash = 'token={READER}'")
    expect(page.get_by_test_id("message")).to_have_text("Too many connections.")
    assert page.evaluate("sessionStorage['brightness.token']") == WRITER


def test_a_browser_that_blocks_storage_shows_the_dashboard(new_context, daemon):
    page = new_context().new_page()
    page.add_init_script(BLOCKED)
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("Live")


def test_a_link_that_cannot_be_made_states_why(guarded, tmp_path):
    tokens = tmp_path / "tokens"
    with tokens.open("a") as file:
        file.write(f"kiosk:write:{'#' * 20}\nhashed:read:sha256:{'0' * 64}\n# a comment\n")
    done = link(guarded, tokens, "nobody")
    assert (done.returncode, done.stdout) == (1, "")
    assert 'no token "nobody"; it has wall, maria, kiosk and hashed' in done.stderr
    assert "only the digest" in link(guarded, tokens, "hashed").stderr
    assert "cannot be read" in link(guarded, tmp_path / "none", "wall").stderr
    done = run("link", "wall")
    assert (done.returncode, "name it with --token-file" in done.stderr) == (1, True)
    done = link(guarded, tokens, "kiosk", "--url", "https://kiosk.example/")
    assert (done.stdout, done.stderr) == (f"https://kiosk.example/#token={'%23' * 20}\n", "")
    # Every address: one that other machines may reach, if this machine has one.
    done = run("link", "wall", "--token-file", str(tokens), "--listen", "0.0.0.0:8787")
    assert (done.returncode, done.stdout.endswith(f":8787/#token={READER}\n")) == (0, True)
