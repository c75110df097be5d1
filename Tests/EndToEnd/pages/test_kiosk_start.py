# SPDX-License-Identifier: Apache-2.0
"""The page of the documentation with a daemon that starts before it or after it, is killed, and loses its token."""

import os
import signal

import pytest
from playwright.sync_api import expect

from support.browser import GONE
from support.kiosk import documented, holders
from support.ports import free_port
from support.until import until

ROUNDS = int(os.environ.get("BRIGHTNESSD_ROUNDS", "1"))
SECRET = "kiosk-0123456789abcdef"
EXPECTED = rf"{GONE}|401|ERR_NETWORK"


@pytest.fixture
def recipe(pages):
    """Puts the page to copy on the web server; its address."""

    def recipe(daemon, attributes=""):
        pages.daemons.add(daemon)
        page = documented("Scan me").replace("http://127.0.0.1:8787", daemon)
        for element in ("<brightness-boost", "<brightness-gauge"):
            assert page.count(element) == 1
            page = page.replace(element, f"{element} {attributes}")
        pages["/recipe.html"] = page
        return f"{pages.url}/recipe.html"

    return recipe


@pytest.mark.parametrize("number", range(ROUNDS))
@pytest.mark.parametrize("is_page_first", [True, False], ids=["page-first", "daemon-first"])
def test_a_page_boosts_exactly_while_its_code_is_seen(
    new_context, recipe, start, connect, tmp_path, is_page_first, number
):
    port = free_port()
    tokens = tmp_path / "tokens"
    tokens.write_text(f"kiosk-3:write:{SECRET}\nadmin:admin:{SECRET}-admin\n")
    tokens.chmod(0o600)
    options = ("--listen", f"127.0.0.1:{port}", "--token-file", tokens, "--state-directory", tmp_path / "state")
    page = new_context(expects=EXPECTED).new_page()
    url = recipe(f"http://127.0.0.1:{port}", f'token="{SECRET}"')
    if is_page_first:
        page.goto(url)
        # The module was asked for, in vain.
        page.wait_for_event("requestfailed")
        daemon = start(*options)
    else:
        daemon = start(*options)
        page.goto(url)
    code, top = page.get_by_role("img", name="Code"), page.get_by_text("Scroll down.")

    def boosted(is_boosted):
        client = connect(daemon, headers={"Authorization": f"Bearer {SECRET}-admin"})
        wanted = ["kiosk-3"] if is_boosted else []
        until(lambda: holders(client) == wanted, f"{wanted} hold boosts, not {holders(client)}")
        until(lambda: client.state["percent"] == (100 if is_boosted else 40), "the display shows it")

    def follows_the_view():
        boosted(True)
        top.scroll_into_view_if_needed()
        boosted(False)
        code.scroll_into_view_if_needed()
        boosted(True)

    expect(page.locator("brightness-boost:defined")).to_be_attached()
    boosted(False)
    code.scroll_into_view_if_needed()
    follows_the_view()
    daemon.kill()
    daemon.ended()
    daemon = start(*options)
    follows_the_view()
    lines = tokens.read_text()
    tokens.write_text(lines.replace(f":{SECRET}\n", ":another-0123456789abcdef\n"))
    daemon.terminate(signal.SIGHUP)
    boosted(False)
    tokens.write_text(lines)
    daemon.terminate(signal.SIGHUP)
    follows_the_view()
    page.close()
    boosted(False)


def test_a_page_that_waited_for_hours_boosts(new_context, recipe, start, connect):
    port = free_port()
    page = new_context(expects=EXPECTED).new_page()
    page.clock.install()
    page.goto(recipe(f"http://127.0.0.1:{port}"))
    page.get_by_role("img", name="Code").scroll_into_view_if_needed()
    for _ in range(6):
        page.clock.fast_forward("01:00:00")
        page.wait_for_event("requestfailed")
    daemon = start("--listen", f"127.0.0.1:{port}")
    page.clock.resume()
    client = connect(daemon)
    until(lambda: holders(client) == ["kiosk-3"], "it is boosted")


def test_a_token_is_set_by_attribute_or_by_authorize(new_context, kiosk, pages, start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"kiosk-3:write:{SECRET}\n")
    tokens.chmod(0o600)
    daemon = start("--token-file", tokens)
    pages.daemons.add(daemon.url)
    client = connect(daemon, headers={"Authorization": f"Bearer {SECRET}"})
    module = f"{daemon.url}/brightness.js"
    page = new_context(expects="401").new_page()
    body = '<brightness-boost holder="code">code</brightness-boost><brightness-gauge></brightness-gauge>'
    # As the page to copy loads it: for the browser this is another module than the one without a query.
    page.goto(kiosk(body, module=f"{module}?0"))
    gauge = page.get_by_role("meter")
    expect(gauge).to_have_attribute("aria-valuetext", "unknown; connection lost")
    page.evaluate(f"import('{module}').then(({{ authorize }}) => authorize('{SECRET}'))")
    until(lambda: holders(client) == ["code"], "it is boosted")
    expect(gauge).to_have_attribute("aria-valuenow", "100")
    page.reload()
    expect(gauge).to_have_attribute("aria-valuetext", "unknown; connection lost")
    page.locator("brightness-boost").evaluate(f"boost => boost.setAttribute('token', '{SECRET}')")
    until(lambda: holders(client) == ["code"], "it is boosted")
    expect(gauge).to_have_attribute("aria-valuenow", "100")
