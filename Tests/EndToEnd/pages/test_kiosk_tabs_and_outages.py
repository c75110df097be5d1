# SPDX-License-Identifier: Apache-2.0
"""The kiosk module in several tabs, after crashes, and without a daemon."""

import re

import pytest
from playwright.sync_api import Error, expect

from support.browser import BLOCKED, GONE
from support.kiosk import BOOST, holders
from support.provider import Provider
from support.until import until


def test_a_crashed_tab_releases_its_boost_and_the_others_keep_theirs(context, kiosk, client, await_holders):
    """The first tab reads the stream of all. When its renderer is killed another takes over, within the grace."""
    pages = []
    for holder in ("first", "second", "third"):
        pages.append(context.new_page())
        pages[-1].goto(kiosk(BOOST.format(holder=holder) + "<brightness-gauge></brightness-gauge>"))
        expect(pages[-1].get_by_role("meter")).to_have_attribute("aria-valuenow", "100")
    await_holders("first", "second", "third")
    for victim in (pages[0], pages[2]):
        with pytest.raises(Error):
            victim.goto("chrome://crash")
    await_holders("second")
    client.set(0.3)
    spoken = "100 percent, boosted; 30 percent afterwards"
    expect(pages[1].get_by_role("meter")).to_have_attribute("aria-valuetext", spoken)
    assert holders(client) == ["second"]


def test_seven_tabs_share_one_stream(context, kiosk, client, await_holders):
    """A browser opens six connections to a host. All tabs share one stream, so the seventh works like the first."""
    names = [f"tab-{number}" for number in range(1, 8)]
    tabs = [context.new_page() for _ in names]
    for tab, name in zip(tabs, names):
        tab.goto(kiosk(BOOST.format(holder=name) + "<brightness-gauge></brightness-gauge>"))
    await_holders(*names)
    client.set(0.2)
    for tab in tabs:
        spoken = "100 percent, boosted; 20 percent afterwards"
        expect(tab.get_by_role("meter")).to_have_attribute("aria-valuetext", spoken)
    tabs[6].close()
    await_holders(*names[:6])


def test_a_page_may_have_many_boosts(page, kiosk, client, await_holders):
    names = [f"code-{number}" for number in range(1, 18)]
    page.goto(kiosk("".join(BOOST.format(holder=name).replace("<p>code</p>", "code") for name in names)))
    await_holders(*names)

    def named():
        leases = client.get("/v1/displays/simulated/boost").json()["leases"]
        return [lease["holder"] for lease in leases if "ending" not in lease]

    until(lambda: sorted(named()) == sorted(names), "the stream names every holder")


def test_boosts_without_room_in_the_url_do_not_open_the_stream_again_and_again(page, kiosk, client, await_holders):
    page.clock.install()
    streams = []
    page.on("request", lambda request: "/v1/events" in request.url and streams.append(request.url))
    # The URL has room for seven of them.
    names = [f"{'ж' * 40}{number}" for number in range(10)]
    boosts = "".join(BOOST.format(holder=name).replace("<p>code</p>", "code") for name in names)
    page.goto(kiosk(boosts + "<brightness-gauge></brightness-gauge>"))
    await_holders(*names)

    def is_fed(percent):
        """Every stream begins with events that make the page ask whether it needs another."""
        page.clock.run_for(1_000)
        client.set(percent / 100)
        spoken = f"100 percent, boosted; {percent} percent afterwards"
        expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", spoken)

    is_fed(20)
    count = len(streams)
    for percent in (30, 40, 20, 30):
        is_fed(percent)
    assert len(streams) == count, streams


def test_a_refused_stream_does_not_end_the_one_that_it_was_to_replace(new_context, kiosk, client, await_holders):
    page = new_context(expects="400|brightness.js: ").new_page()
    refused = []

    def refuse(route):
        refused.append(route.request.url)
        problem = {"status": 400, "title": "Invalid request", "detail": "Not this holder."}
        route.fulfill(status=400, json=problem, headers={"Access-Control-Allow-Origin": "*"})

    page.route(re.compile("/v1/events.*holder=second"), refuse)
    page.goto(kiosk(BOOST.format(holder="first") + "<brightness-gauge></brightness-gauge>"))
    meter = page.get_by_role("meter")
    expect(meter).to_have_attribute("aria-valuenow", "100")
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", BOOST.format(holder="second"))
    until(lambda: page.evaluate("1") and len(refused) > 1, "the stream is requested again")
    client.set(0.3)
    expect(meter).to_have_attribute("aria-valuetext", "100 percent, boosted; 30 percent afterwards")
    assert "first" in holders(client)


ABSENT = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })"


@pytest.mark.parametrize("script", [ABSENT, BLOCKED], ids=["absent", "denied"])
def test_a_page_without_locks_has_a_stream_of_its_own(tabs, kiosk, client, await_holders, script):
    """As pages of insecure origins, and those whose storage the browser blocks. It is closed while the page is hidden."""
    tab = tabs.new_page()
    tab.add_init_script(script)
    tab.goto(kiosk(BOOST.format(holder="insecure") + "<brightness-gauge></brightness-gauge>"))
    await_holders("insecure")
    meter = tab.get_by_role("meter")
    expect(meter).to_have_attribute("aria-valuenow", "100")
    tabs.new_page().bring_to_front()
    await_holders()
    expect(meter).to_have_class(re.compile("lost"))
    client.set(0.3)
    tab.bring_to_front()
    await_holders("insecure")
    expect(meter).to_have_attribute("aria-valuetext", "100 percent, boosted; 30 percent afterwards")


def test_a_restarted_daemon_gets_its_boosts_back(new_context, pages, kiosk, start, connect):
    first = start()
    pages.daemons.add(first.url)
    page = new_context(expects=GONE).new_page()
    page.clock.install()
    page.goto(kiosk(BOOST.format(holder="kiosk-3") + "<brightness-gauge></brightness-gauge>", module=f"{first.url}/brightness.js"))
    client = connect(first)
    until(lambda: holders(client) == ["kiosk-3"], "it is boosted")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "100")
    # Long enough for an operator's release to count, which a stop is not.
    page.clock.fast_forward(5_000)
    first.terminate()
    first.ended()
    second = start("--listen", f"127.0.0.1:{first.port}")
    client = connect(second)
    until(lambda: holders(client) == ["kiosk-3"], "it is boosted again")


def test_a_display_that_was_withdrawn_gets_its_boost_back(new_context, pages, kiosk, start, connect):
    daemon = start("--display", "none", expects="not connected")
    client = connect(daemon)
    pages.daemons.add(daemon.url)
    page = new_context(expects="404").new_page()
    page.clock.install()
    lobby = {"id": "lobby", "maximum": 100, "brightness": 0.5}

    def is_boosted():
        return client.get("/v1/displays/lobby").json()["boost"] is not None

    with Provider(daemon, lobby) as provider:
        body = '<brightness-boost display="lobby">code</brightness-boost>'
        page.goto(kiosk(body, module=f"{daemon.url}/brightness.js"))
        until(is_boosted, "it is boosted")
        # Long enough for an operator's release to count.
        page.clock.fast_forward(5_000)
        provider.call("withdraw", display="lobby")
        assert client.get("/v1/displays/lobby").status_code == 404
        provider.call("provide", **lobby)
        until(is_boosted, "it is boosted again")


def test_a_page_works_without_a_daemon(new_context, pages, kiosk, start, connect):
    """A copy of the module next to the page, and a daemon that comes later."""
    daemon = start()
    daemon.terminate()
    daemon.ended()
    pages.daemons.add(daemon.url)
    page = new_context(expects=GONE).new_page()
    server = f'server="{daemon.url}"'
    page.add_init_script("addEventListener('error', (event) => globalThis.problem ??= event.detail, { capture: true })")
    body = f'<brightness-boost holder="late" {server}>code</brightness-boost><brightness-gauge {server}>'
    page.goto(kiosk(body, module="/copy/brightness.js"))
    until(lambda: page.evaluate("globalThis.problem?.title === 'Daemon unreachable'"), "the daemon is unreachable")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "unknown; connection lost")
    daemon = start("--listen", f"127.0.0.1:{daemon.port}")
    client = connect(daemon)
    until(lambda: holders(client) == ["late"], "it is boosted")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "100")
