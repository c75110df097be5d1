# SPDX-License-Identifier: Apache-2.0
"""Home Assistant on the dashboard: its clients, and the window in which it makes its key."""

import asyncio
import threading
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from support import esphome
from support.esphome import KEY, Home
from support.ports import free_port


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def options(port, tmp_path):
    return ["--esphome", f"0.0.0.0:{port}", "--state-directory", str(tmp_path / "state")]


def section(page):
    return page.get_by_test_id("home-assistant")


def open_page(new_context, daemon, **options):
    page = new_context(**options).new_page()
    page.goto(daemon.url)
    return page


@contextmanager
def connected(port, key):
    """A client that is connected while the test uses a browser."""
    leaves = threading.Event()

    async def stay():
        async with Home(port, key):
            await asyncio.to_thread(leaves.wait)

    client = threading.Thread(target=asyncio.run, args=(stay(),))
    client.start()
    try:
        yield
    finally:
        leaves.set()
        client.join()


def test_without_a_server_for_it_nothing_is_shown(open_page):
    expect(section(open_page())).to_be_hidden()


def test_a_person_lets_home_assistant_make_its_key(new_context, start, options, port, check_accessibility):
    page = open_page(new_context, start(*options))
    without, waiting = (section(page).get_by_text(text) for text in ["Not paired", "could pair first"])
    allow, stop = (page.get_by_role("button", name=name) for name in ["Allow pairing", "Cancel pairing"])

    def shows(*parts):
        for part in (without, waiting, allow, stop):
            expect(part).to_be_visible(visible=part in parts)
        check_accessibility(page)

    expect(section(page).get_by_role("status")).to_have_text("Not connected.")
    shows(without, allow)
    expect(without).to_contain_text(f"add the ESPHome integration within five minutes (host: the address of this machine, port: {port})")
    allow.click()
    shows(waiting, stop)
    expect(waiting).to_contain_text(f"(host: the address of this machine, port: {port})")
    stop.click()
    shows(without, allow)
    allow.click()
    shows(waiting, stop)

    async def make():
        async with Home(port) as home:
            assert await home.client.noise_encryption_set_key(KEY.encode())

    esphome.run(make())
    shows()
    with connected(port, KEY):
        expect(section(page).get_by_role("status")).to_have_text("Connected.")
        shows()
        with connected(port, KEY):
            expect(section(page).get_by_role("status")).to_have_text("2 connections.")
    expect(section(page).get_by_role("status")).to_have_text("Not connected.")


def test_clients_and_refused_keys_are_counted(new_context, start, port, tmp_path):
    daemon = start(*esphome.options(port, tmp_path))
    page = open_page(new_context, daemon, locale="de-DE")
    expect(section(page)).to_contain_text("Nicht verbunden.")
    expect(section(page).get_by_role("button")).to_have_count(0)

    async def refused():
        async with Home(port, esphome.new_key()):
            pass

    for _ in range(2):
        with pytest.raises(Exception, match="(?i)key"):
            esphome.run(refused())
    expect(section(page)).to_contain_text("2 Verbindungen wurden abgelehnt.")
