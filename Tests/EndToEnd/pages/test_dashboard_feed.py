# SPDX-License-Identifier: Apache-2.0
"""The dashboard's connection: one stream for all tabs, outages, other displays, the journal, refusals, the token."""

import json
import re

import pytest
from playwright.sync_api import expect

from support.browser import GONE
from support.dashboard import meter, room, shows
from support.provider import Provider
from support.until import until


@pytest.fixture
def page(open_page):
    return open_page()


def test_the_page_reports_an_outage_and_reconnects(new_context, start):
    daemon = start()
    page = new_context(expects=GONE).new_page()
    page.goto(daemon.url)
    expect(page.get_by_test_id("status")).to_have_text("Live")
    daemon.terminate()
    daemon.ended()
    expect(page.get_by_test_id("status")).to_have_text("Connection lost, reconnecting")
    for control in page.locator("main").get_by_role("button").all():
        expect(control).to_have_css("pointer-events", "none")
    start("--listen", f"127.0.0.1:{daemon.port}")
    expect(page.get_by_test_id("status")).to_have_text("Live")
    page.get_by_test_id("boost").click()
    shows(page, 100)
    expect(page.get_by_test_id("message")).to_be_hidden()
    expect(page.locator(".causes").get_by_role("listitem").first).to_contain_text("boosted it to 100%")


def test_tabs_share_one_stream(new_context, open_page, client):
    context = new_context()

    def is_one():
        """Of the daemon's streams: a page opens its stream again if a busy machine is silent for long."""
        counts = re.findall(r'^brightnessd_streams\{.*kind="events".*\} (\d+)$', client.get("/metrics").text, re.MULTILINE)
        return sum(map(int, counts)) == 1

    tabs = [open_page(context) for _ in range(7)]
    until(is_one, "there is one stream")
    tabs[6].get_by_test_id("boost").click()
    for tab in tabs:
        shows(tab, 100)
    # The one that reads it is closed: another takes over.
    tabs[0].close()
    client.set(0.2)
    for tab in tabs[1:]:
        expect(tab.get_by_test_id("baseline")).to_have_text("20%")
    until(is_one, "there is one stream")


def test_the_events_are_on_their_way_before_the_modules(new_context, daemon, client):
    page = new_context().new_page()
    streams, modules = [], []
    page.on("request", lambda request: "/v1/events" in request.url and streams.append(request.url))
    page.route("**/dashboard/dashboard.js", lambda route: modules.append(route))
    with page.expect_response("**/v1/events"):
        page.goto(daemon.url, wait_until="commit")
    until(lambda: page.evaluate("1") and modules, "the module is requested")
    modules.pop().continue_()
    shows(page, 50)
    assert len(streams) == 1


def test_all_displays_have_a_card_in_their_order(new_context, start, connect):
    daemon = start("--display", "simulated:left", "--display", "simulated:right")
    page = new_context().new_page()
    page.goto(daemon.url)
    names = [state["name"] for state in connect(daemon).get("/v1/displays").json()["displays"]]
    expect(page.locator("article h2 > bdi")).to_have_text(names)
    page.get_by_test_id("boost").nth(1).click()
    expect(meter(page).nth(1)).to_have_attribute("aria-valuenow", "100")
    expect(meter(page).nth(0)).not_to_have_attribute("aria-valuenow", "100")
    with page.expect_response("**/v1/history?*display=right") as answered:
        page.get_by_role("combobox", name="Display").select_option("right")
    assert len(answered.value.json()["leases"]) == 1


def test_a_failed_journal_is_reported(new_context, daemon, client):
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
    expect(page.get_by_test_id("status")).to_have_text("Live, but the state file cannot be written: boosts would be lost in a crash")
    expect(page.get_by_test_id("status")).to_have_attribute("title", "The disk is full.")


def test_an_absent_display_is_reported(new_context, start, backlight):
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
            const socket = new WebSocket(location.origin.replace("http", "ws") + "/v1/ws?types=state");
            const messages = [];
            socket.onerror = reject;
            socket.onmessage = ({data}) => {
                if (JSON.parse(data).method == "synced") return;
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
    assert (first["method"], first["params"]["percent"]) == ("state", 50)
    [answer] = [message for message in changed if "result" in message]
    [event] = [message for message in changed if "method" in message]
    assert answer == {"jsonrpc": "2.0", "result": client.state, "id": 1}
    assert event == {"jsonrpc": "2.0", "method": "state", "params": client.state}
    assert end == {"code": 1000, "wasClean": True}


def test_a_rejected_request_is_reported(new_context, open_page, start):
    daemon = start("--anonymous", "read")
    page = new_context(expects="403").new_page()
    page.goto(daemon.url)
    # Refused since the page was loaded.
    page.route("**/v1/whoami", lambda route: route.fulfill(json={"principal": "anonymous", "name": None, "scope": "write"}))
    page.goto(daemon.url)
    page.get_by_test_id("boost").click()
    expect(page.get_by_role("alert")).to_contain_text("--anonymous read, or BRIGHTNESSD_ANONYMOUS=read")


def test_the_page_is_fed_by_the_stream_and_polls_nothing(new_context, daemon, client):
    """In three minutes, in which much changes, it asks for nothing but its stream, which it opens again when that is silent for
    19 s, and once with each stream."""
    page = new_context().new_page()
    page.clock.install()
    asked = []
    page.goto(daemon.url)
    shows(page, 50)
    expect(page.get_by_role("img", name="now 50%")).to_be_visible()
    page.on("request", lambda request: asked.append(request.url.removeprefix(daemon.url).split("?")[0]))
    for percent in (20, 70):
        client.set(percent / 100)
        shows(page, percent)
        page.clock.run_for(1_000)
        expect(page.get_by_role("img", name=f"now {percent}%")).to_be_visible()
    boost = client.boost(holder="kiosk-3")
    shows(page, 100)
    client.patch("/v1/simulator", json={"near": True})
    expect(room(page).get_by_role("checkbox", name="Hand near the sensor")).to_be_checked()
    client.patch("/v1/simulator", json={"near": False, "unplugged": True})
    expect(page.get_by_test_id("status")).to_contain_text("not available")
    client.patch("/v1/simulator", json={"unplugged": False})
    client.delete(f"/v1/displays/simulated/leases/{boost['id']}")
    for _ in range(18):
        page.clock.run_for(10_000)
    shows(page, 70)
    # The list of changes is read after each of them, not by the clock: there were six, and their beginnings and ends.
    assert asked.count("/v1/history/changes") <= 12 + asked.count("/v1/history"), asked
    asked = [path for path in asked if path != "/v1/history/changes"]
    # Once a connection: the history, and who this page is to the daemon.
    for path in set(asked):
        assert path in ("/v1/events", "/v1/history", "/v1/whoami", "/v1/brightness"), path
        assert asked.count(path) <= asked.count("/v1/events"), asked


def test_displays_that_come_and_go_cost_no_requests(new_context, start):
    daemon = start(expects="not connected")
    page = new_context().new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(daemon.url).split("?")[0]))
    page.goto(daemon.url)
    shows(page, 40)
    names = [f"page-{number}" for number in range(5)]
    with Provider(daemon) as provider:
        for name in names:
            provider.call("provide", id=name, maximum=100, brightness=1)
        expect(page.get_by_role("article")).to_have_count(6)
        for name in names:
            provider.call("withdraw", display=name)
        expect(page.get_by_role("article")).to_have_count(1)
    assert asked.count("/v1/whoami") <= asked.count("/v1/events"), asked


def test_a_lease_that_ended_during_an_outage_is_not_shown(new_context, daemon, client):
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


def test_a_tab_from_the_back_forward_cache_forgets_a_lease_that_ended(new_context, open_page, client):
    client.boost(holder="kiosk-3")
    context = new_context()
    tabs = [open_page(context) for _ in range(2)]
    leases = [tab.get_by_test_id("leases").get_by_role("listitem") for tab in tabs]
    for shown in leases:
        expect(shown).to_have_count(1)
    # The other one reads the stream from then on, and goes on after what both know.
    with tabs[1].expect_request("**/v1/events?last_event_id=*"):
        tabs[0].evaluate("dispatchEvent(new Event('pagehide'))")
    client.post("/v1/restore", json={"all": True})
    expect(leases[1]).to_have_count(0)
    expect(leases[0]).to_have_count(1)
    tabs[0].evaluate("dispatchEvent(new Event('pageshow'))")
    expect(leases[0]).to_have_count(0)
    shows(tabs[0], 50)


def test_the_page_asks_for_a_token_and_sends_it(new_context, daemon, client):
    """The daemon has no tokens yet: what is between it and this page wants one."""

    def guard(route):
        if route.request.headers.get("authorization") == "Bearer s3cret":
            return route.continue_()
        problem = {"type": "/problems/x", "title": "Token required", "status": 401, "detail": "Send a token."}
        return route.fulfill(status=401, content_type="application/problem+json", body=json.dumps(problem))

    context = new_context(expects="401")
    context.route("**/v1/**", guard)
    page = context.new_page()
    page.goto(daemon.url)
    dialog = page.get_by_role("dialog", name="Sign in")
    expect(dialog).to_contain_text("Only people with a token")
    dialog.get_by_label("Token").fill("wrong")
    dialog.get_by_role("button", name="Sign in").click()
    dialog.get_by_label("Token").fill("s3cret")
    dialog.get_by_role("button", name="Sign in").click()
    expect(page.get_by_test_id("status")).to_have_text("Live")
    page.get_by_test_id("boost").click()
    shows(page, 100)
    page.reload()
    shows(page, 100)
    assert page.evaluate("sessionStorage['brightness.token']") == "s3cret"
    assert page.evaluate("Object.keys(localStorage).sort()") == ["brightness.boosted", "brightness.holder"]
