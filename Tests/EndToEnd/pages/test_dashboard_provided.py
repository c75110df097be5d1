# SPDX-License-Identifier: Apache-2.0
"""The dashboard's cards of displays that clients provide."""

from playwright.sync_api import expect

from support.provider import Provider
from support.until import until


def test_a_card_names_the_client_that_provides_its_display(start, new_context, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("kiosk-3:write:" + "a" * 32 + "\n")
    tokens.chmod(0o600)
    daemon = start("--display", "none", "--token-file", tokens, "--anonymous", "read")
    page = {"id": "page", "maximum": 100, "brightness": 1}
    with Provider(daemon, page, additional_headers={"Authorization": f"Bearer {'a' * 32}"}) as provider:
        assert provider.state["provider"] == "kiosk-3"
        page = new_context().new_page()
        page.goto(daemon.url)
        expect(page.get_by_test_id("kind")).to_have_text("Provided by kiosk-3")


def test_a_display_that_cannot_be_dimmed_has_only_its_switch(start, connect, new_context):
    daemon = start("--display", "none", expects="not connected")
    client = connect(daemon)
    television = {"id": "tv", "name": "Television", "maximum": None, "switchable": True, "on": True}
    with Provider(daemon, television) as provider:
        page = new_context().new_page()
        page.goto(daemon.url)
        expect(page.get_by_test_id("kind")).to_have_text("Provided by a client · tv")
        for part in ("slider", "boost", "dim"):
            expect(page.get_by_test_id(part)).to_be_hidden()
        expect(page.get_by_role("meter")).to_be_hidden()
        page.get_by_test_id("power").click()
        until(lambda: client.get("/v1/power").json()["on"] is False, "it is off")
        assert provider.applied[-1]["on"] is False
        expect(page.get_by_test_id("power")).to_have_text("On")
