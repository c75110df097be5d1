# SPDX-License-Identifier: Apache-2.0
"""The pages behind a proxy that serves the daemon below a path, which it strips."""

from urllib.parse import urljoin

import httpx
import pytest
from playwright.sync_api import expect

from support.dashboard import shows
from support.ports import free_port
from support.proxies import nginx
from support.until import TIMEOUT

SERVER = """server {{
    listen 127.0.0.1:{port};
    location /bright/ {{
        proxy_pass http://127.0.0.1:{daemon}/;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection upgrade;
    }}
}}"""


@pytest.fixture
def address(daemon, tmp_path):
    port = free_port()
    with nginx(tmp_path, port, SERVER.format(port=port, daemon=daemon.port)):
        yield f"http://127.0.0.1:{port}/bright/"


def test_the_dashboard_works(address, new_context, client):
    page = new_context().new_page()
    paths = []
    page.on("response", lambda answer: paths.append((answer.status, answer.url)))
    page.goto(address)
    expect(page.get_by_test_id("status")).to_have_text("Live")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    page.get_by_test_id("boost").click()
    shows(page, 100)
    assert [path for path in paths if path[0] != 200 and path[0] != 201 or not path[1].startswith((address, "data:"))] == []
    links = page.locator("[href], [src]").evaluate_all("all => all.map((link) => link.getAttribute('href') ?? link.getAttribute('src'))")
    with httpx.Client(timeout=TIMEOUT) as browser:
        for link in {link for link in links if not link.startswith(("#", "data:"))}:
            assert browser.get(urljoin(address, link)).status_code == 200, link
        manifest = next(link for link in links if link.endswith("webmanifest"))
        start = browser.get(urljoin(address, manifest)).json()["start_url"]
        assert urljoin(urljoin(address, manifest), start) == address


def test_the_reference_works(address, new_context, client):
    page = new_context().new_page()
    page.goto(f"{address}docs#%")
    expect(page.get_by_role("heading", name="Schemas")).to_be_visible()
    page.get_by_role("link", name="Dashboard").click()
    expect(page.get_by_test_id("status")).to_have_text("Live")


def test_elements_of_other_pages_name_the_path(address, new_context, client, kiosk, pages):
    pages.daemons.add(address.removesuffix("/bright/"))
    page = new_context().new_page()
    page.goto(kiosk(f'<brightness-gauge server="{address}"></brightness-gauge>'))
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "50")
