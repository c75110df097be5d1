# SPDX-License-Identifier: Apache-2.0
"""The module's reports on the console, the requests that it does not retry, and the daemon that a copy of it uses."""

import json
import re

import pytest
from playwright.sync_api import expect

from support.browser import GONE
from support.kiosk import BOOST, documented, holders
from support.until import until

ATTRIBUTES = "server, token, display, brightness, transition, reason, holder"
CASES = {
    'display="nowhere"': ("404", r"nowhere.*\(404\) http://.*/v1/displays lists the displays"),
    'brightness="70"': ("422", r"brightness must be a number from 0 to 1, not 70.* \(422\) Not retried\."),
    'brightness="bright"': (None, '<brightness-boost brightness="bright"> is not a number; the default is used.'),
    'ttl="30"': (None, f'<brightness-boost> has no attribute "ttl". It has {ATTRIBUTES}.'),
    'id="x" class="y" title="z" data-x="1" aria-label="l" hidden': (None, None),
}


@pytest.fixture
def warnings(new_context):
    """An empty page, and the list of the module's warnings on its console."""

    def warnings(expects=None):
        page = new_context(expects=rf"brightness\.js: |{expects}").new_page()
        texts = []
        page.on("console", lambda line: line.text.startswith("brightness.js: ") and texts.append(line.text[15:]))
        return page, texts

    return warnings


@pytest.fixture
def tokens(tmp_path):
    """A token file: `desk` may write, `hall` may read."""
    tokens = tmp_path / "tokens"
    tokens.write_text("desk:write:desk-0123456789abcdef\nhall:read:hall-0123456789abcdef\n")
    tokens.chmod(0o600)
    return tokens


@pytest.mark.parametrize("attributes", CASES)
def test_a_mistake_is_reported_once(warnings, kiosk, client, attributes):
    status, advice = CASES[attributes]
    page, texts = warnings(status)
    page.clock.install()
    sent, answered = [], []
    page.on("request", lambda request: sent.append(request.method))
    page.on("response", lambda response: answered.append(response.request.method))
    page.goto(kiosk(f"<brightness-boost {attributes}>code</brightness-boost>" * 2))
    expected = 0 if "hidden" in attributes else 2

    def settled():
        # The page's clock must not be ahead of the daemon's answers, that of the stream among them.
        until(
            lambda: page.evaluate("1") and len(answered) == len(sent) and sent.count("POST") >= expected,
            "every request has its answer",
        )

    until(lambda: page.evaluate("document.querySelector('brightness-boost:defined') !== null"), "the page is ready")
    # Less than the silence after which the stream is opened again.
    for _ in range(3):
        settled()
        page.clock.run_for(5_000)
    settled()
    assert len(texts) == (advice is not None), texts
    assert not texts or re.search(advice, texts[0]) or advice in texts[0], texts
    if status == "422":
        assert sent.count("POST") == 2, "a boost that can never be granted was requested again"
    if status == "404":
        assert sent.count("POST") > 4, "the display may come later"


def test_a_changed_attribute_requests_a_rejected_boost_again(warnings, kiosk, client, await_holders):
    page, texts = warnings("422")
    page.goto(kiosk('<brightness-boost holder="code" brightness="70">code</brightness-boost>'))
    until(lambda: page.evaluate("1") and texts, "a warning")
    page.locator("brightness-boost").evaluate("boost => boost.setAttribute('brightness', '0.7')")
    await_holders("code")


@pytest.mark.parametrize(
    "how", [("401", ("--token-file",), r"requires a token \(401\)"), ("403", ("--anonymous", "read"), "anonymous")],
    ids=lambda how: how[0],
)
def test_missing_rights_are_reported_once(warnings, kiosk, pages, start, tokens, how):
    status, options, advice = how
    daemon = start(*options, *([tokens] if status == "401" else []))
    pages.daemons.add(daemon.url)
    page, texts = warnings(status)
    body = "<brightness-gauge></brightness-gauge><brightness-boost>code</brightness-boost>"
    page.goto(kiosk(body, f"{daemon.url}/brightness.js"))
    until(lambda: page.evaluate("1") and texts, "a warning")
    page.wait_for_timeout(2_000)
    assert len(set(texts)) == len(texts) and any(re.search(advice, text) for text in texts), texts


def test_a_page_that_may_only_read_follows_changes(warnings, kiosk, pages, start, connect, tokens):
    daemon = start("--token-file", tokens)
    pages.daemons.add(daemon.url)
    page, texts = warnings("403")
    token = 'token="hall-0123456789abcdef"'
    body = f"<brightness-gauge {token}></brightness-gauge><brightness-boost {token}>code</brightness-boost>"
    page.goto(kiosk(body, f"{daemon.url}/brightness.js"))
    until(lambda: page.evaluate("1") and any("403" in text for text in texts), "a warning")
    # A new stream, as after the back/forward cache, is not refused for a boost that the daemon does not grant.
    page.evaluate("for (const name of ['pagehide', 'pageshow']) dispatchEvent(new Event(name))")
    client = connect(daemon, headers={"Authorization": "Bearer desk-0123456789abcdef"})
    for percent in (30, 60):
        client.put("/v1/brightness", json={"percent": percent}).raise_for_status()
        expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", str(percent))


ELEMENTS = ["<brightness-gauge></brightness-gauge>", BOOST.format(holder="code")]


@pytest.mark.parametrize("body", ELEMENTS, ids=["gauge", "boost"])
@pytest.mark.parametrize("source", ["daemon", "copy"])
def test_the_missing_allow_origin_is_reported_once(warnings, kiosk, pages, start, body, source):
    # On loopback alone, pages of every local server are allowed.
    daemon = start("--listen", "0.0.0.0:0", "--anonymous", "write")
    pages.daemons.add(daemon.url)
    page, texts = warnings()
    if source == "copy":
        body = body.replace(" ", f' server="{daemon.url}" ', 1).replace("gauge>", f'gauge server="{daemon.url}">', 1)
    page.goto(kiosk(body, module=f"{daemon.url}/brightness.js" if source == "daemon" else "/copy/brightness.js"))
    until(lambda: page.evaluate("1") and texts, "a warning")
    # The page asks again, and its console stays as it is.
    for _ in range(3):
        page.wait_for_event("response", lambda answer: answer.url.endswith("/livez"))
    assert texts == [
        f"{daemon.url}: Pages of {pages.url} may not use this daemon. "
        f"Start the daemon with --allow-origin {pages.url} to allow it. The request is retried."
    ]


@pytest.mark.parametrize(
    "body", [*ELEMENTS, '<brightness-veil display="lobby"></brightness-veil>'], ids=["gauge", "boost", "veil"]
)
def test_an_unknown_token_is_reported_as_such(warnings, kiosk, pages, start, tokens, body):
    daemon = start("--token-file", tokens)
    pages.daemons.add(daemon.url)
    page, texts = warnings("401|HTTP Authentication failed")
    module = f"{daemon.url}/brightness.js"
    page.goto(kiosk(body.replace(">", ' token="another-0123456789abcdef">', 1), module=module))
    until(lambda: page.evaluate("1") and texts, "a warning")
    page.wait_for_timeout(2_000)
    assert [text[: text.index(".", len(daemon.url))] for text in texts] == [
        f"{daemon.url} does not accept the token (401): the token is unknown or was revoked"
    ]


def test_a_missing_daemon_is_reported_once(warnings, kiosk, pages, start):
    daemon = start()
    daemon.terminate()
    daemon.ended()
    pages.daemons.add(daemon.url)
    page, texts = warnings(GONE)
    page.goto(kiosk(f'<brightness-boost server="{daemon.url}">code</brightness-boost>', module="/copy/brightness.js"))
    until(lambda: page.evaluate("1") and texts, "a warning")
    for _ in range(3):
        page.wait_for_event("requestfailed")
    assert len(texts) == 1
    assert texts[0].startswith(f"{daemon.url} does not respond. Is brightnessd running there?")
    assert f"--allow-origin {pages.url}" in texts[0]


def test_a_copy_talks_to_the_daemon_of_this_machine_or_to_the_named_one(new_context, kiosk, pages, daemon, client):
    pages.daemons.add("http://127.0.0.1:8787")
    page = new_context().new_page()
    asked = []
    allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}

    def answer(route):
        asked.append((route.request.method, route.request.url))
        route.fulfill(headers=allowed, content_type="application/json", body=json.dumps({"id": "x"}))

    page.route("http://127.0.0.1:8787/**", answer)
    page.goto(kiosk("", module="/copy/brightness.js"))
    until(lambda: page.evaluate("'requestBrightnessIncrease' in screen"), "the page is ready")
    page.evaluate("import('/copy/brightness.js').then(({ Brightness }) => new Brightness().boost())")
    assert ("POST", "http://127.0.0.1:8787/v1/boost") in asked
    request = f"screen.requestBrightnessIncrease({{ server: '{daemon.url}' }})"
    page.evaluate(f"{request}.then(held => (globalThis.held = held))")
    until(lambda: len(holders(client)) == 1, "it is boosted")
    page.evaluate("held.release()")
    until(lambda: holders(client) == [], "it is restored")
    make = f"new Brightness({{ server: '{daemon.url}', holder: 'copy' }})"
    page.evaluate(f"import('/copy/brightness.js').then(({{ Brightness }}) => {make}.boost())")
    until(lambda: holders(client) == ["copy"], "it is boosted")


def test_a_server_that_is_not_a_daemon_is_reported(warnings, kiosk, pages):
    page, texts = warnings("501|404")
    page.goto(kiosk(f'<brightness-boost server="{pages.url}">code</brightness-boost>', module="/copy/brightness.js"))
    until(lambda: page.evaluate("1") and any("does not look like brightnessd" in text for text in texts), "a warning")


def test_a_page_without_the_module_boosts_and_follows(page, pages, daemon, client):
    pages.daemons.add(daemon.url)
    plain = documented("Plain").replace("http://127.0.0.1:8787", daemon.url)
    pages["/plain.html"] = plain.replace("<title>", '<link rel="icon" href="data:,"><title>')
    page.goto(f"{pages.url}/plain.html")
    page.locator("output", has_text="50%").wait_for()
    page.get_by_role("button", name="Boost").click()
    page.locator("output", has_text="100%").wait_for()
    assert holders(client) == ["plain"]
    page.get_by_role("button", name="Restore").click()
    page.locator("output", has_text="50%").wait_for()
    page.get_by_role("button", name="Boost").click()
    until(lambda: holders(client) == ["plain"], "it is boosted")
    page.close()
    until(lambda: holders(client) == [], "its stream is closed")
