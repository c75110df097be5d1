# SPDX-License-Identifier: Apache-2.0
"""Presets on the dashboard: saved as the displays are, applied, held for an hour, removed and put back."""

import re

import pytest
from playwright.sync_api import expect

from support.until import until


@pytest.fixture
def client(start, connect):
    client = connect(start("--display", "simulated:a", "--display", "simulated:b"))
    client.put("/v1/displays/a/brightness", json={"brightness": 0.4})
    client.put("/v1/displays/b/brightness", json={"brightness": 0.7})
    return client


@pytest.fixture
def page(new_context, client):
    page = new_context().new_page()
    page.goto(str(client.base_url))
    expect(page.get_by_test_id("status")).to_have_text("Live")
    return page


def section(page):
    return page.get_by_role("region", name="Presets")


def save(page, name):
    expect(page.get_by_test_id("everyone")).to_be_visible()
    add = page.get_by_test_id("everyone").get_by_role("button", name="Save as a preset")
    if not add.is_visible():
        page.get_by_role("button", name="More").click()
    add.click()
    dialog = page.get_by_role("dialog", name="Save as a preset")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Save").click()
    return dialog


def baselines(client):
    return [client.get(f"/v1/displays/{id}").json()["baseline"] for id in "ab"]


def test_a_preset_is_saved_applied_and_held(page, client, check_accessibility):
    expect(section(page)).to_be_hidden()
    client.post("/v1/displays/a/boost")
    expect(save(page, "Film")).to_be_hidden()
    row = section(page).get_by_role("listitem")
    values = "Simulated display a 40%, on · Simulated display b 70%, on"
    expect(row.get_by_role("button", name="Apply: Film")).to_have_attribute("title", values)
    check_accessibility(page)
    assert client.get("/v1/presets/Film").json()["displays"]["a"] == {"brightness": 0.4, "on": True}
    client.post("/v1/displays/a/restore", json={"all": True})
    client.put("/v1/displays/all/brightness", json={"brightness": 0.1})
    row.get_by_role("button", name="Apply: Film").click()
    until(lambda: baselines(client) == [0.4, 0.7], "it is applied")
    client.put("/v1/displays/all/brightness", json={"brightness": 0.1})
    row.get_by_role("button", name="Apply for 1 h: Film").click()
    until(lambda: client.get("/v1/displays/b").json()["brightness"] == 0.7, "it is held")
    assert baselines(client) == [0.1, 0.1]
    page.get_by_role("button", name="Restore: Simulated display b").click()
    until(lambda: client.get("/v1/displays/b").json()["brightness"] == 0.1, "it has ended")


def test_a_name_is_needed_and_a_known_one_is_replaced(page, client, check_accessibility):
    dialog = save(page, " ")
    expect(dialog.get_by_role("alert")).to_have_text("Use 1 to 64 characters without “/”.")
    check_accessibility(page)
    dialog.get_by_label("Name").fill("a/b")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_have_text("Use 1 to 64 characters without “/”.")
    dialog.get_by_label("Name").fill("Film")
    expect(dialog).to_contain_text("It will contain the current values of all displays")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    client.put("/v1/displays/a/brightness", json={"brightness": 0.2})
    page.get_by_test_id("everyone").get_by_role("button", name="Save as a preset").click()
    dialog.get_by_label("Name").fill("Film")
    expect(dialog).to_contain_text("The preset of this name will be replaced.")
    dialog.get_by_role("button", name="Save").click()
    expect(section(page).get_by_role("button", name="Apply: Film")).to_have_attribute("title", re.compile("Simulated display a 20%"))


def test_a_removed_preset_can_be_put_back(page, client):
    stored = client.put("/v1/presets/Film", json={"displays": {"all": {"on": False}, "a": {"brightness": 0.3}}}).json()
    row = section(page).get_by_role("listitem")
    expect(row.get_by_role("button", name="Apply: Film")).to_have_attribute("title", "Simulated display a 30% · All displays off")
    row.get_by_role("button", name="Remove: Film").click()
    undo = section(page).get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    expect(row).to_have_count(0)
    assert client.get("/v1/presets").json()["presets"] == []
    undo.click()
    expect(row).to_have_count(1)
    expect(undo).to_be_hidden()
    assert client.get("/v1/presets/Film").json() == stored


def test_one_display_alone_has_no_presets(new_context, start, connect):
    client = connect(start())
    page = new_context().new_page()
    page.goto(str(client.base_url))
    expect(page.get_by_test_id("status")).to_have_text("Live")
    expect(section(page)).to_be_hidden()
