# SPDX-License-Identifier: Apache-2.0
"""The module for kiosk pages in a real browser, on pages of another origin than the daemon's."""

import re

from playwright.sync_api import expect

from support.daemon import ROOT
from support.kiosk import BOOST, documented, holders
from support.until import until

FAR = '<div id="top">top</div><svg height="4000"></svg>'


def test_a_boost_follows_scrolling(page, kiosk, client, await_holders):
    page.goto(kiosk(FAR + BOOST.format(holder="kiosk-3")))
    expect(page.locator("brightness-boost:defined")).to_be_attached()
    page.locator("brightness-boost").scroll_into_view_if_needed()
    await_holders("kiosk-3")
    assert client.state["brightness"] == 1
    who = {"by": "kiosk-3", "principal": "anonymous"}
    assert client.state["cause"] | {"at": None} == {"kind": "boost", **who, "reason": "qr", "at": None}
    page.locator("#top").scroll_into_view_if_needed()
    await_holders()
    assert client.state["brightness"] == 0.5


def test_the_page_of_the_documentation_works(page, pages, daemon, client, await_holders):
    pages.daemons.add(daemon.url)
    pages["/page.html"] = documented("Scan me").replace("http://127.0.0.1:8787", daemon.url)
    page.goto(f"{pages.url}/page.html")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "50")
    page.get_by_role("img", name="Code").scroll_into_view_if_needed()
    await_holders("kiosk-3")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "100 percent, boosted; 50 percent afterwards")
    page.get_by_text("Scroll down.").scroll_into_view_if_needed()
    await_holders()


def test_the_example_loads_the_module_like_the_page_of_the_documentation():
    scripts = [re.search("<script>.*</script>", text, re.DOTALL) for text in (documented("Scan me"), (ROOT / "Examples/kiosk.html").read_text())]
    assert scripts[0].group() == scripts[1].group()


def test_content_that_is_not_visible_boosts_nothing(page, kiosk, await_holders):
    unseen = f'<div hidden>{BOOST.format(holder="hidden")}</div>' + FAR + BOOST.format(holder="below")
    empty = '<brightness-boost holder="empty"></brightness-boost>'
    page.goto(kiosk(BOOST.format(holder="seen") + empty + unseen))
    await_holders("seen")
    page.locator("div[hidden]").evaluate("element => element.hidden = false")
    await_holders("seen", "hidden")
    page.locator("div:has(brightness-boost)").evaluate("element => element.hidden = true")
    await_holders("seen")


def test_content_outside_of_its_own_box_counts(page, kiosk, await_holders):
    page.goto(kiosk('<brightness-boost holder="dialog"><dialog>code</dialog></brightness-boost>'))
    expect(page.locator("brightness-boost:defined")).to_be_attached()
    page.locator("dialog").evaluate("dialog => dialog.showModal()")
    await_holders("dialog")
    page.keyboard.press("Escape")
    await_holders()
    page.locator("dialog").evaluate("dialog => dialog.showModal()")
    await_holders("dialog")
    page.locator("dialog").evaluate("dialog => dialog.remove()")
    await_holders()


def test_a_boost_follows_the_tab(tabs, kiosk, await_holders):
    kiosk_tab = tabs.new_page()
    kiosk_tab.goto(kiosk(BOOST.format(holder="tab")))
    await_holders("tab")
    other = tabs.new_page()
    other.bring_to_front()
    await_holders()
    kiosk_tab.bring_to_front()
    await_holders("tab")


def test_a_boost_ends_with_its_element_and_its_page(page, kiosk, client, await_holders):
    page.goto(kiosk(BOOST.format(holder="kiosk-3")))
    await_holders("kiosk-3")
    page.evaluate("globalThis.boost = document.querySelector('brightness-boost'); boost.remove()")
    await_holders()
    page.evaluate("document.body.append(boost)")
    for leave, come_back in ((lambda: page.goto("about:blank"), page.go_back), (page.close, lambda: None)):
        await_holders("kiosk-3")
        leave()
        await_holders()
        # Not `disconnected`: the page releases its boost itself, before the grace of its stream is over.
        assert client.state["cause"]["kind"] == "restore"
        come_back()


def test_each_of_several_elements_is_a_holder(page, kiosk, client, await_holders):
    inner = '<brightness-boost id="inner" brightness="0.8" holder="inner">code</brightness-boost>'
    outer = f'<brightness-boost brightness="0.7" holder="outer">outer {inner}</brightness-boost>'
    page.goto(kiosk(outer + '<brightness-boost brightness="0.6" holder="inner">again</brightness-boost>'))
    await_holders("outer", "inner", "inner (2)")
    assert client.state["brightness"] == 0.8
    page.locator("#inner").evaluate("element => element.remove()")
    await_holders("outer", "inner (2)")
    assert client.state["brightness"] == 0.7


def test_a_changed_attribute_changes_the_boost(page, kiosk, client, await_holders):
    page.goto(kiosk('<brightness-boost holder="first" brightness="0.7">code</brightness-boost>'))
    await_holders("first")
    page.locator("brightness-boost").evaluate("element => element.setAttribute('brightness', '0.9')")
    until(lambda: client.state["brightness"] == 0.9, "the boost is 0.9")
    page.locator("brightness-boost").evaluate("element => element.setAttribute('holder', 'second')")
    await_holders("second")


def test_an_attribute_that_changes_during_the_request_changes_the_boost(page, kiosk, client):
    requests = []
    page.route("**/v1/boost", lambda route: route.continue_() if requests else requests.append(route))
    page.goto(kiosk('<brightness-boost holder="first" brightness="0.7">code</brightness-boost>'))
    until(lambda: page.wait_for_timeout(50) or requests, "the boost is requested")
    page.locator("brightness-boost").evaluate("element => element.setAttribute('brightness', '0.9')")
    requests[0].continue_()
    until(lambda: page.wait_for_timeout(50) or client.state["brightness"] == 0.9, "the boost is 0.9")


LISTEN = """addEventListener("boost", ({ target, detail }) => (target.title = `held ${detail.id}`), true);
addEventListener("restore", ({ target, detail }) => (target.title = detail.change), true);"""
UNTIL_IT_IS_IN_VIEW = """boost => new Promise((done) => {
    new IntersectionObserver(([entry]) => entry.isIntersecting && done()).observe(boost);
})"""
UNTIL_IT_IS_OUT_OF_VIEW = """boost => new Promise((done) => {
    new IntersectionObserver(([entry]) => entry.isIntersecting || done()).observe(boost);
})"""


def test_a_boost_that_an_operator_ended_stays_ended_until_seen_again(page, kiosk, client, await_holders):
    # The page's time stands still, since a busy machine may need seconds between the boost and its release.
    page.add_init_script("let time = 0; performance.now = () => time; globalThis.pass = (more) => (time += more);")
    page.add_init_script(LISTEN)
    page.goto(kiosk(BOOST.format(holder="kiosk-3")))
    boost = page.locator("brightness-boost")

    def until_it_holds():
        """The page has a lease and shows it."""
        await_holders("kiosk-3")
        lease = client.get("/v1/displays/simulated/boost").json()["leases"][0]["id"]
        expect(boost).to_have_attribute("title", f"held {lease}")

    until_it_holds()
    # Released at once: that was meant for a page before this one, whose good-bye came late.
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    until_it_holds()
    page.evaluate("pass(5_000)")
    client.post("/v1/restore", json={"all": True})
    expect(boost).to_have_attribute("title", "released")
    assert holders(client) == []
    boost.evaluate("boost => (boost.hidden = true)")
    boost.evaluate(UNTIL_IT_IS_OUT_OF_VIEW)
    boost.evaluate("boost => (boost.hidden = false)")
    await_holders("kiosk-3")


def test_a_boost_wanted_again_during_its_own_release_comes_back(page, kiosk, client, await_holders):
    releases = []
    page.route("**/v1/restore", lambda route: releases.append(route))
    page.clock.install()
    page.add_init_script(LISTEN)
    page.goto(kiosk(BOOST.format(holder="kiosk-3") + "<brightness-gauge></brightness-gauge>"))
    boost = page.locator("brightness-boost")
    expect(boost).to_have_attribute("title", re.compile("held"))
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "100")
    # Long enough for an operator's release to count.
    page.clock.fast_forward(5_000)
    boost.evaluate("boost => (boost.hidden = true)")
    until(lambda: page.wait_for_timeout(50) or releases, "the release is requested")
    boost.evaluate("boost => (boost.hidden = false)")
    boost.evaluate(UNTIL_IT_IS_IN_VIEW)
    released = releases[0].fetch()
    # The event of the release precedes this one.
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "50")
    assert holders(client) == []
    releases[0].fulfill(response=released)
    await_holders("kiosk-3")


def test_a_boost_of_all_displays_is_released_after_an_operator_ended_it_on_one(page, kiosk, pages, start, connect):
    daemon = start("--display", "simulated:a", "--display", "simulated:b")
    pages.daemons.add(daemon.url)
    client = connect(daemon)
    page.clock.install()
    page.add_init_script(LISTEN)
    boost = '<brightness-boost display="all" holder="kiosk-3"><p>code</p></brightness-boost>'
    gauge = '<brightness-gauge display="a"></brightness-gauge>'
    page.goto(kiosk(boost + gauge, module=f"{daemon.url}/brightness.js"))

    def boosted():
        return [name for name in "ab" if client.get(f"/v1/displays/{name}").json()["boost"]]

    until(lambda: boosted() == ["a", "b"], "both are boosted")
    expect(page.locator("brightness-boost")).to_have_attribute("title", re.compile("^held "))
    # The page renews its boost when its stream begins, and takes an end within three seconds of that for a late good-bye.
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "100")
    page.clock.fast_forward(5_000)
    client.post("/v1/displays/a/restore", json={"all": True})
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "40")
    assert boosted() == ["b"]
    # Nor does a new connection boost it again.
    with page.expect_response("**/v1/events*"):
        page.evaluate("for (const name of ['pagehide', 'pageshow']) dispatchEvent(new Event(name))")
    page.wait_for_timeout(500)
    assert boosted() == ["b"]
    expect(page.locator("brightness-boost")).to_have_attribute("title", re.compile("^held "))
    page.locator("brightness-boost").evaluate("boost => (boost.hidden = true)")
    until(lambda: boosted() == [], "none is boosted")
    expect(page.locator("brightness-boost")).to_have_attribute("title", "released")


def test_the_gauge_follows_changes_by_others(page, kiosk, client):
    page.goto(kiosk("<brightness-gauge></brightness-gauge>"))
    meter = page.get_by_role("meter", name="Brightness of Simulated display")
    for percent in (42, 7, 100, 0):
        client.put("/v1/brightness", json={"percent": percent})
        expect(meter).to_have_attribute("aria-valuenow", str(percent))
    expect(meter.locator("span").first).to_have_text("0%")


def test_the_gauge_states_that_a_stand_in_is_an_estimate_and_gives_a_tip(page, kiosk, client):
    try:
        client.patch("/v1/simulator", json={"sensors": False})
        page.goto(kiosk('<brightness-gauge show="ambient"></brightness-gauge>'))
        meter = page.get_by_role("meter", name="Ambient light")
        expect(meter).to_have_attribute("aria-valuetext", re.compile(r"^\d+ percent, estimated, (day|night)$"))
        tip = page.get_by_text("if a desktop adjusts it. Otherwise add a sensor.")
        expect(tip).to_be_visible()
    finally:
        client.patch("/v1/simulator", json={"sensors": True})
    expect(meter).to_have_attribute("aria-valuetext", re.compile(r"^[\d.]+ lux, (day|night)$"))
    expect(tip).to_be_hidden()


def test_a_page_follows_the_appearance(page, kiosk, daemon, client):
    page.goto(kiosk(""))
    page.evaluate(
        """async (module) => {
            const { AmbientLight } = await import(module);
            const light = new AmbientLight();
            light.subscribe((ambient) => {
                document.documentElement.dataset.appearance = `${light.appearance} ${ambient?.source} ${light.isLive}`;
            });
        }""",
        f"{daemon.url}/brightness.js",
    )
    html = page.locator("html")
    try:
        for lux, appearance in ((1_000, "day"), (1, "night")):
            client.patch("/v1/simulator", json={"front": lux, "back": lux})
            expect(html).to_have_attribute("data-appearance", f"{appearance} sensor true")
    finally:
        client.patch("/v1/simulator", json={"front": 320, "back": 180})


def test_a_palette_follows_the_light_without_a_script(page, kiosk, client):
    page.goto(kiosk("<brightness-palette></brightness-palette>"))
    html = page.locator("html")
    try:
        for lux, appearance, scheme in ((1_000, "day", "light"), (1, "night", "dark")):
            client.patch("/v1/simulator", json={"front": lux, "back": lux})
            expect(html).to_have_attribute("data-appearance", appearance)
            expect(html).to_have_css("color-scheme", scheme)
        page.evaluate("document.querySelector('brightness-palette').remove()")
        expect(html).not_to_have_attribute("data-appearance", re.compile(""))
        expect(html).to_have_css("color-scheme", "normal")
    finally:
        client.patch("/v1/simulator", json={"front": 320, "back": 180})


def test_the_class_sets_boosts_restores_and_rejects(new_context, kiosk, daemon, client):
    page = new_context(expects="422").new_page()
    page.goto(kiosk(""))
    state = page.evaluate(
        """async (module) => {
            const { Brightness, BrightnessError } = await import(module);
            const brightness = new Brightness({ holder: "page" });
            const seen = [];
            const until = (test) => new Promise((resolve) => {
                const stop = brightness.subscribe((state) => { if (state && test(state)) resolve(state); });
            });
            const first = await until(() => true);
            await brightness.set(0.25, { reason: "night" });
            const set = await until((state) => state.brightness === 0.25);
            const lease = await brightness.boost({ brightness: 0.75 });
            const boosted = await until((state) => state.boost);
            await brightness.restore();
            const restored = await until((state) => !state.boost);
            const refused = await brightness.set(2).catch((error) => error instanceof BrightnessError && error.problem);
            brightness.close();
            return { first: first.percent, set: set.cause.by, lease: lease.lifespan, boosted: boosted.percent,
                     restored: restored.percent, refused: refused.status };
        }""",
        f"{daemon.url}/brightness.js",
    )
    assert state == {"first": 50, "set": "page", "lease": "visible", "boosted": 75, "restored": 25, "refused": 422}


def test_request_brightness_increase_is_added_to_screen(page, kiosk, client, await_holders):
    page.goto(kiosk(""))
    until(lambda: page.evaluate("'requestBrightnessIncrease' in screen"), "the page is ready")
    page.evaluate("""async () => {
        globalThis.sentinel = await screen.requestBrightnessIncrease();
        sentinel.onrelease = () => (globalThis.isReleased = true);
    }""")
    assert page.evaluate("sentinel.released") is False
    [holder] = holders(client)
    page.evaluate("sentinel.release()")
    await_holders()
    assert page.evaluate("[sentinel.released, isReleased]") == [True, True]
    # The name is free again.
    page.evaluate("async () => { globalThis.sentinel = await screen.requestBrightnessIncrease(); }")
    await_holders(holder)
