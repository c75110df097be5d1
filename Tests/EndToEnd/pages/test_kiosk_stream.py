# SPDX-License-Identifier: Apache-2.0
"""The events that a kiosk page subscribes to: those of the displays and types that it shows, and no others."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from support.client import Client
from support.daemon import Daemon
from support.dashboard import displays
from support.provider import Provider

GAUGE = "<brightness-gauge display='{}'></brightness-gauge>"


@pytest.fixture(scope="module")
def daemon():
    daemon = Daemon("--display", "simulated:left", "--display", "simulated:right")
    yield daemon
    daemon.stop()


@pytest.fixture
def client(daemon):
    with Client(daemon) as client:
        yield client


@pytest.fixture
def streams(context):
    """The queries of the streams that were requested."""
    queries = []

    def take(request):
        url = urlsplit(request.url)
        if url.path == "/v1/events":
            queries.append(parse_qs(url.query, keep_blank_values=True))

    context.on("request", take)
    return queries


def set_brightness(client, display, value):
    client.put(f"/v1/displays/{display}/brightness", json={"brightness": value}).raise_for_status()


def wants(query):
    return sorted(query["types"][0].split(",")), query.get("display", [])


def test_a_gauge_receives_the_states_of_its_display(page, kiosk, client, streams):
    set_brightness(client, "right", 0.3)
    page.goto(kiosk(GAUGE.format("right")))
    meter = page.get_by_role("meter")
    expect(meter).to_have_attribute("aria-valuenow", "30")
    assert [wants(query) for query in streams] == [(["default", "display", "state"], ["right"])]
    set_brightness(client, "right", 0.6)
    expect(meter).to_have_attribute("aria-valuenow", "60")


def test_a_gauge_without_a_display_has_the_default_one_after_one_request(page, kiosk, client, streams):
    set_brightness(client, "left", 0.4)
    page.goto(kiosk("<brightness-gauge></brightness-gauge>"))
    meters = page.get_by_role("meter")
    expect(meters).to_have_attribute("aria-valuenow", "40")
    # From now on its id is known.
    page.evaluate("document.body.insertAdjacentHTML('beforeend', `" + GAUGE.format("left") + "`)")
    expect(meters.nth(1)).to_have_attribute("aria-valuenow", "40")
    assert [wants(query) for query in streams] == [(["default", "display", "state"], [""])]


def test_a_gauge_shows_the_first_display_once_there_is_one(page, kiosk, pages, start):
    daemon = start("--display", "none")
    pages.daemons.add(daemon.url)
    page.goto(kiosk("<brightness-gauge></brightness-gauge>", module=f"{daemon.url}/brightness.js"))
    meter = page.get_by_role("meter")
    expect(meter).to_have_attribute("aria-valuetext", "unknown")
    with Provider(daemon, {"id": "page", "maximum": 100, "brightness": 0.6}):
        expect(meter).to_have_attribute("aria-valuenow", "60")


def test_an_empty_id_is_the_default_display_or_none(start, connect, client):
    assert [state["id"] for state in client.get("/v1/displays?display=").json()["displays"]] == ["left"]
    assert connect(start("--display", "none")).get("/v1/displays?display=").json()["displays"] == []


def test_a_page_that_shows_more_gets_a_wider_stream_and_misses_nothing(page, kiosk, client, streams):
    set_brightness(client, "left", 0.4)
    set_brightness(client, "right", 0.3)
    page.goto(kiosk(GAUGE.format("left")))
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "40")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', `" + GAUGE.format("right") + "`)")
    meters = page.get_by_role("meter")
    expect(meters.nth(1)).to_have_attribute("aria-valuenow", "30")
    assert wants(streams[-1])[1] == ["left", "right"]
    assert "last_event_id" not in streams[-1]
    for display, meter in (("left", meters.nth(0)), ("right", meters.nth(1))):
        set_brightness(client, display, 0.8)
        expect(meter).to_have_attribute("aria-valuenow", "80")


def test_a_page_that_shows_many_displays_in_turn_gets_a_stream_of_all(page, kiosk, pages, start, streams):
    """Whose URL would otherwise become longer than the daemon accepts."""
    names = [f"{'hall' * 15}-{number:02}" for number in range(30)]
    daemon = start(*displays(*names))
    pages.daemons.add(daemon.url)
    page.goto(kiosk(GAUGE.format(names[0]), module=f"{daemon.url}/brightness.js"))
    meter = page.get_by_role("meter")
    for name in names:
        page.locator("brightness-gauge").evaluate("(gauge, name) => gauge.setAttribute('display', name)", name)
        expect(meter).to_have_attribute("aria-valuetext", "40 percent")
    assert "display" in streams[0] and "display" not in streams[-1]


def test_tabs_share_a_stream_of_what_they_need_together(context, kiosk, client, streams):
    set_brightness(client, "left", 0.4)
    set_brightness(client, "right", 0.3)
    tabs = {}
    for display, shown in (("left", "40"), ("right", "30")):
        tabs[display] = context.new_page()
        tabs[display].goto(kiosk(GAUGE.format(display)))
        expect(tabs[display].get_by_role("meter")).to_have_attribute("aria-valuenow", shown)
    assert [wants(query)[1] for query in streams] == [["left"], ["left", "right"]]
    # The other tab becomes the reader, and goes on after what it knows.
    tabs["left"].close()
    set_brightness(client, "right", 0.7)
    expect(tabs["right"].get_by_role("meter")).to_have_attribute("aria-valuenow", "70")
    assert wants(streams[-1])[1] == ["left", "right"]
    assert "last_event_id" in streams[-1]


def test_a_display_that_is_missing_keeps_no_other_from_being_shown(new_context, kiosk, client):
    set_brightness(client, "left", 0.4)
    page = new_context(expects="404").new_page()
    page.goto(kiosk(GAUGE.format("missing") + GAUGE.format("left")))
    meters = page.get_by_role("meter")
    expect(meters.nth(1)).to_have_attribute("aria-valuenow", "40")
    expect(meters.nth(0)).to_have_attribute("aria-valuetext", "unknown")


def test_a_display_that_is_shown_after_another_one_is_gone_has_its_state(new_context, daemon, kiosk, client):
    set_brightness(client, "right", 0.3)
    page = new_context(expects="404").new_page()
    meters = page.get_by_role("meter")
    with Provider(daemon, {"id": "page", "maximum": 100, "brightness": 1}) as provider:
        page.goto(kiosk(GAUGE.format("page") + GAUGE.format("left")))
        expect(meters.nth(0)).to_have_attribute("aria-valuenow", "100")
        provider.call("withdraw", display="page")
    # Connected again, the page gets a stream of all displays.
    with page.expect_response(lambda response: "/v1/events" in response.url and response.status == 200):
        page.evaluate("for (const name of ['pagehide', 'pageshow']) dispatchEvent(new Event(name))")
    page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", GAUGE.format("right"))
    expect(meters.nth(2)).to_have_attribute("aria-valuenow", "30")


def test_the_ambient_light_alone_brings_no_state_of_a_display(page, kiosk, client, streams):
    page.goto(kiosk("<brightness-gauge show='ambient'></brightness-gauge>"))
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "320 lux, day")
    assert [wants(query) for query in streams] == [(["ambient", "default"], [])]
