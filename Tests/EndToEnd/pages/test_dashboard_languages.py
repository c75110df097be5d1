# SPDX-License-Identifier: Apache-2.0
"""The dashboard in the languages that it is translated to."""

import json
import re

import pytest
from playwright.sync_api import expect

from support import texts
from support.dashboard import displays

LANGUAGES = sorted((texts.FILES / "dashboard/texts").glob("*.js"))


def read(path):
    """Returns the translations of a file, which is an object of JSON strings."""
    body = path.read_text().split("export default ", 1)[1].rstrip().removesuffix(";")
    return json.loads(re.sub(r",\s*}$", "}", body))


def test_the_texts_of_the_dashboard_are_found():
    assert {"Became unavailable", "{0} set it to {1}{2}{3}{4}", "{0}’s"} <= texts.of_modules()
    assert {"Recent changes", "Settings", "This browser"} <= texts.of_page()


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_every_text_is_translated(path):
    translations = read(path)
    assert set(translations) == texts.of_modules() | texts.of_page()
    for english, text in translations.items():
        assert sorted(set(re.findall(r"{\d}", text))) == sorted(set(re.findall(r"{\d}", english))), english


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_every_language_is_offered(path):
    assert f'"{path.stem}"' in (texts.FILES / "dashboard/texts.js").read_text()


def test_the_language_is_that_of_the_browser(new_context, daemon, client):
    client.set(0.4, holder="maria", reason="Abend")
    page = new_context(locale="de-AT").new_page()
    page.goto(daemon.url)
    expect(page.get_by_role("meter", name="Helligkeit von")).to_have_attribute("aria-valuenow", "40")
    assert page.locator("html").get_attribute("lang") == "de"
    expect(page.get_by_role("heading", name="Letzte Änderungen")).to_be_visible()
    expect(page.locator(".causes").get_by_role("listitem").first).to_contain_text(
        re.compile("maria: auf 40\u00a0?% gesetzt: Abend")
    )
    expect(page.get_by_test_id("boost")).to_have_text("Boost für 5 min")
    page.get_by_test_id("boost").click()
    expect(page.get_by_test_id("leases")).to_contain_text(re.compile(r"Du Boost,\s*noch [45] min"))
    page.get_by_role("button", name="Einstellungen").click()
    expect(page.get_by_label("Dein Name")).to_have_attribute("placeholder", "Dieser Browser")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_language_is_english_otherwise(new_context, daemon, client, locale):
    page = new_context(locale=locale).new_page()
    page.goto(daemon.url)
    expect(page.get_by_role("heading", name="Recent changes")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "en"


OUTSIDE = """() => [...document.querySelectorAll("button, input, select, a, p, h2, h3")]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
    .map(({ outerHTML }) => outerHTML)"""
CUT = "buttons => buttons.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)"
WIDTHS = "parts => parts.map(part => part.getBoundingClientRect().width)"


@pytest.mark.parametrize("count", [1, 3, 12])
def test_german_fits_into_320_pixels(new_context, start, connect, count, check_accessibility):
    names = [f"panel-{number}" for number in range(count)]
    daemon = start(*displays(*names), "--auto", "on")
    client = connect(daemon)
    client.put("/v1/schedules/night", json={"from": "22:00", "to": "07:00", "dim": 0.2})
    client.put("/v1/presets/Film", json={"displays": {"all": {"brightness": 0.3, "on": True}}})
    client.post("/v1/displays/panel-0/boost", json={"holder": "kiosk-3"})
    client.put("/v1/displays/panel-0/power", json={"on": False})
    page = new_context(locale="de-DE", viewport={"width": 320, "height": 640}).new_page()
    page.goto(daemon.url)
    expect(page.get_by_role("button", name="Anwenden: Film", exact=True)).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320
    assert page.evaluate(OUTSIDE) == []
    assert page.get_by_role("button").evaluate_all(CUT) == []
    # Next to a gauge and a button few letters fit into a line.
    assert min(page.locator(".leases:visible li > span").evaluate_all(WIDTHS), default=100) >= 100
    check_accessibility(page)
    page.get_by_role("button", name="Neuer Zeitplan").click()
    dialog = page.get_by_role("dialog", name="Neuer Zeitplan")
    dialog.get_by_label("Wirkung").select_option("brightness")
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")


@pytest.mark.parametrize("width", [320, 1_280])
def test_no_button_of_a_german_row_is_cut(new_context, start, width):
    daemon = start(*displays(*(f"panel-{number}" for number in range(12))))
    page = new_context(locale="de-DE", viewport={"width": width, "height": 800}).new_page()
    page.goto(daemon.url)
    page.get_by_role("button", name="Boost: Simulated display panel-3").click()
    rows = page.get_by_test_id("rows")
    expect(rows.get_by_role("button", name="Zurücksetzen: Simulated display panel-3")).to_be_enabled()
    expect(rows.get_by_text(re.compile("100\u00a0%"))).to_be_visible()
    assert rows.locator("button, .level").evaluate_all(CUT) == []


def test_the_gauges_are_translated(new_context, daemon, client):
    client.set(0.4)
    page = new_context(locale="de-DE").new_page()
    page.goto(daemon.url)
    gauge = page.get_by_role("meter", name="Helligkeit von Simulated display")
    expect(gauge).to_have_attribute("aria-valuetext", re.compile("40\u00a0%"))
    expect(page.get_by_role("meter", name="Umgebungslicht").locator(".caption")).to_have_text("Tag")
    client.boost()
    expect(gauge.locator(".caption")).to_have_text(re.compile("dann 40\u00a0%"))
    client.put("/v1/power", json={"on": False})
    expect(gauge.locator(".number")).to_have_text("Aus")
    expect(gauge.locator(".caption")).to_have_text(re.compile("100\u00a0%, sobald an"))
    page.goto(f"{daemon.url}/#wall")
    expect(page.get_by_test_id("wall-summary")).to_have_text("Live · ein Display · 0 mit Boost · 1 aus · 0 brauchen Aufmerksamkeit")
    client.put("/v1/power", json={"on": True})


def test_the_light_has_the_numbers_of_the_language(new_context, daemon, client):
    ambient = {"illuminance": 3.2, "level": 0.12, "appearance": "night", "source": "sensor"}
    body = f"event: state\nid: e-1\ndata: {json.dumps(client.state)}\n\n"
    body += f"event: ambient\ndata: {json.dumps(ambient)}\n\nevent: synced\ndata: {{}}\n\n"
    page = new_context(locale="de-DE").new_page()
    page.route("**/v1/events*", lambda route: route.fulfill(content_type="text/event-stream", body=body))
    page.goto(daemon.url)
    gauge = page.get_by_role("meter", name="Umgebungslicht")
    expect(gauge.locator(".number")).to_have_text("3,2lx")
    expect(gauge).to_have_attribute("aria-valuetext", re.compile("^3,2 Lux, Nacht"))


def test_the_names_of_buttons_are_translated(new_context, start, connect):
    daemon = start(*displays("left", "right"))
    client = connect(daemon)
    page = new_context(locale="de-DE").new_page()
    page.goto(daemon.url)
    page.get_by_role("button", name="Mehr").click()
    for name in ("Boost", "Dimmen", "Aus", "An", "Zurücksetzen"):
        expect(page.get_by_role("button", name=f"{name}: alle", exact=True)).to_be_visible()
    client.post("/v1/displays/left/sleep", json={"ttl": 60, "holder": "kiosk-3"})
    expect(page.get_by_role("button", name="Ausschalten von kiosk-3 beenden")).to_be_visible()
    page.get_by_role("button", name="Dimmen für 5 min: Simulated display right").click()
    expect(page.get_by_role("button", name="Dimmen von dir beenden")).to_be_visible()


def test_times_of_the_sun_are_words(new_context, start, connect):
    daemon = start("--location", "52.52,13.40")
    connect(daemon).put("/v1/schedules/dusk", json={"from": "sunset-00:30", "to": "sunrise", "dim": 0.2})
    page = new_context(locale="de-DE").new_page()
    page.goto(daemon.url)
    text = re.compile(r"Jeden Tag, 30 min vor Sonnenuntergang \(\d\d:\d\d\) bis Sonnenaufgang \(\d\d:\d\d\)")
    expect(page.get_by_role("region", name="Zeitpläne")).to_contain_text(text)
