# SPDX-License-Identifier: Apache-2.0
"""The dashboard's cards of displays that clients provide."""

from playwright.sync_api import expect

from support.provider import Provider
from support.until import until


def test_a_display_that_cannot_be_dimmed_has_only_its_switch(start, connect, new_context):
    daemon = start("--display", "none", expects="not connected")
    client = connect(daemon)
    television = {"id": "tv", "name": "Television", "steps": None, "switchable": True, "on": True}
    with Provider(daemon, television) as provider:
        page = new_context().new_page()
        page.goto(daemon.url)
        expect(page.get_by_test_id("kind")).to_have_text("Shown by a client · tv")
        for part in ("slider", "boost", "dim"):
            expect(page.get_by_test_id(part)).to_be_hidden()
        expect(page.get_by_role("meter")).to_be_hidden()
        page.get_by_test_id("power").click()
        until(lambda: client.get("/v1/power").json()["on"] is False, "it is off")
        assert provider.applied[-1]["on"] is False
        expect(page.get_by_test_id("power")).to_have_text("On")
