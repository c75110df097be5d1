# SPDX-License-Identifier: Apache-2.0
"""The dashboard's elements, as a person finds them."""

import re

from playwright.sync_api import expect

from support.until import until


def meter(page):
    return page.get_by_role("meter", name="Brightness of")


def room(page):
    """The section of the room, with the controls of a simulated one."""
    section = page.get_by_role("region", name="Room")
    section.locator("details").evaluate("details => { details.open = true }")
    return section


def make(client, appearance):
    """Makes it day or night in the simulated room."""
    front, back = (320, 180) if appearance == "day" else (2, 1)
    change = {"script": None, "front": front, "back": back, "frontCovered": False, "backCovered": False, "near": False}
    client.patch("/v1/simulator", json=change)
    until(lambda: client.get("/v1/ambient").json().get("appearance") == appearance, f"it is {appearance}")


def shows(page, percent):
    expect(meter(page)).to_have_attribute("aria-valuenow", str(percent))


def displays(*names):
    """The options of simulated displays."""
    return [option for name in names for option in ("--display", f"simulated:{name}")]


def rows(page):
    return page.get_by_test_id("rows").get_by_role("listitem")


def row(page, name):
    return rows(page).filter(has=page.get_by_role("link", name=re.compile(rf" {name}$")))
