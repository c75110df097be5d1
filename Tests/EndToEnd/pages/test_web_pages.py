# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/reference/javascript.md, the module's types and package, and the reference at /docs, in a browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from support import contract
from support.daemon import ROOT
from support.pages import DOCUMENTS

GUIDE = (ROOT / "docs/reference/javascript.md").read_text()
HTML = re.findall(r"```html\n(<!doctype.*?)```", GUIDE, re.DOTALL)
[IMPORT_MAP] = re.findall(r"```html\n(<script type=\"importmap.*?)```", GUIDE, re.DOTALL)
SCRIPTS = dict(re.findall(r"<!-- file: (\S+) -->\n```js\n(.*?)```", GUIDE, re.DOTALL))


@pytest.fixture
def show(page, pages, daemon):
    """Opens a page of the guide, with the address of the test's daemon."""
    pages.daemons.add(daemon.url)

    def show(html):
        for name, script in SCRIPTS.items():
            pages[f"/{name}"] = script.replace("http://127.0.0.1:8787", daemon.url)
        pages["/page.html"] = html.replace("http://127.0.0.1:8787", daemon.url)
        page.goto(f"{pages.url}/page.html")
        return page

    return show


def test_the_plain_page_shows_and_boosts(show, client, await_holders):
    page = show(HTML[0])
    expect(page.locator("output")).to_have_text("50 %")
    client.set(0.3)
    expect(page.locator("output")).to_have_text("30 %")
    page.get_by_role("button").click()
    await_holders("kiosk-3")
    expect(page.locator("output")).to_have_text("100 %")
    [lease] = client.get("/v1/boost").json()["leases"]
    assert (lease["reason"], lease["until"] is None) == ("qr", False)


def test_the_page_with_an_import_map_shows_the_brightness(page, pages, daemon, client):
    pages.daemons |= {daemon.url, "'unsafe-inline'"}
    pages["/page.html"] = f"<output></output>{IMPORT_MAP}".replace("http://127.0.0.1:8787", daemon.url)
    page.goto(f"{pages.url}/page.html")
    expect(page.locator("output")).to_have_text("50 %")
    client.set(0.3)
    expect(page.locator("output")).to_have_text("30 %")


def test_the_types_and_the_package_are_served(client):
    types = client.get("/brightness.d.ts")
    assert types.text == (DOCUMENTS / "brightness.d.ts").read_text()
    package = client.get("/package.json").json()
    assert package["version"] == contract.DOCUMENT["info"]["version"]
    [entry] = package["exports"].values()
    for file in entry.values():
        assert client.get(file.removeprefix(".")).status_code == 200
    parts = ",".join(re.findall(r"brightness/\{([\w,-]+)\}\.js", GUIDE)).split(",")
    assert sorted(f"{part}.js" for part in parts) == sorted(path.name for path in (DOCUMENTS / "brightness").iterdir())


def test_every_file_is_embedded():
    listed = re.findall(r"each\((\S+?)\)", (DOCUMENTS.parent / "WebAssets.c").read_text())
    files = [str(path.relative_to(DOCUMENTS)) for path in DOCUMENTS.rglob("*") if path.is_file()]
    assert sorted(listed) == sorted([*files, "openapi.yaml", "asyncapi.yaml"])


def test_the_reference_shows_every_operation_and_schema(page, daemon):
    foreign = []
    page.on("request", lambda request: request.url.startswith(daemon.url) or foreign.append(request.url))
    page.goto(f"{daemon.url}/docs")
    for item in contract.DOCUMENT["paths"].values():
        for method, operation in item.items():
            if method in contract.METHODS:
                expect(page.locator(f"#{operation['operationId']}")).to_contain_text(operation["summary"].replace("`", ""))
    for name in contract.DOCUMENT["components"]["schemas"]:
        expect(page.locator(f"#schema-{name} h3")).to_have_text(name)
    setting = page.locator("#setBrightness")
    expect(setting).to_contain_text("PUT")
    expect(setting).to_contain_text(json.dumps({"percent": 50}, separators=(",", ":")))
    expect(page.get_by_role("heading", name="Ownership")).to_be_visible()
    assert foreign == []


def test_the_reference_leads_to_an_operation(page, daemon):
    page.goto(f"{daemon.url}/docs#schema-Problem")
    expect(page.locator("#schema-Problem")).to_be_in_viewport()
    page.get_by_role("navigation").get_by_role("link", name="PUT /v1/brightness").click()
    expect(page.locator("#setDefaultBrightness")).to_be_in_viewport()
    # Nothing else than the named ones is open.
    expect(page.locator("details[open]")).to_have_count(2)


def test_the_dashboard_leads_to_the_reference(open_page):
    page = open_page()
    page.get_by_role("link", name="API").click()
    expect(page.get_by_role("heading", name="API reference")).to_be_visible()
