# SPDX-License-Identifier: Apache-2.0
"""Makes docs/images: the dashboard of a real daemon, with the history of an hour that was busier than it can wait for.

    make screenshots
"""

from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from support import history
from support.browser import WHOLE, launch
from support.client import Client
from support.crowd import pretend
from support.daemon import ROOT, Daemon
from support.dashboard import room
from support.until import until
from support.wall_clock import WallClock

IMAGES = ROOT / "docs/images"
PICTURES = {
    "dashboard-light": {"viewport": {"width": 1_120, "height": 660}},
    "dashboard-dark": {"viewport": {"width": 1_120, "height": 660}, "color_scheme": "dark"},
    "dashboard-phone": {"viewport": {"width": 390, "height": 844}},
}
DESKTOP, PHONE = {"width": 1_280, "height": 760}, {"width": 390, "height": 844}
CROWDS = {
    "displays-50": (50, 5, "#displays/machine-003:panel-00003", {"viewport": DESKTOP}),
    "displays-50-phone": (50, 5, "", {"viewport": PHONE, "color_scheme": "dark"}),
    "displays-10000": (10_000, 50, "", {"viewport": DESKTOP, "color_scheme": "dark"}),
    "wall": (10_000, 50, "#wall", {"viewport": DESKTOP, "color_scheme": "dark"}),
}
"""The number of displays, of machines, what is opened, and where."""
SIX = ["entrance", "lobby", "till-1", "till-2", "kitchen", "office"]
ROOMS = {
    "room-day": {"front": 900, "back": 400, "slider": 0.72},
    "room-night": {"front": 0.3, "back": 2, "slider": 0.3, "frontCovered": True},
}
"""How the simulated room is."""
SHOP = {
    "night": {"from": "22:00", "to": "07:00", "dim": 0.2},
    "closed": {"from": "19:00", "to": "08:30", "days": ["mon", "tue", "wed", "thu", "fri"], "sleep": True},
    "dusk": {"from": "sunset-00:30", "to": "22:00", "brightness": 0.35, "transition": 60},
    "opening-hours": {"from": "09:00", "to": "18:30", "boost": 0.8},
}
"""Schedules of a shop."""


def set_clock(page, time):
    """Lets a page show this time. It would correct its clock by the field `Date`, whose clock is not set."""
    page.clock.set_fixed_time(time)
    page.add_init_script("Headers.prototype.get = () => null")


def light(client, front, back, **room):
    """Changes the simulated room, and waits until its sensors have settled."""
    client.patch("/v1/simulator", json={"front": front, "back": back} | room)
    settled = lambda: client.get("/v1/ambient").json().get("illuminance") == max(front, back)  # noqa: E731
    until(settled, "the sensors have settled")


def main():
    IMAGES.mkdir(parents=True, exist_ok=True)
    daemon = Daemon()
    with Client(daemon) as client, sync_playwright() as playwright:
        client.set(0.42, holder="maria", reason="evening")
        client.boost(holder="kiosk-3", reason="qr", ttl=690)
        # The page's clock, and with it the history, is at the time when this boost is as old as the last one of the history.
        later = datetime.now(timezone.utc) + timedelta(minutes=4, seconds=12)
        browser = launch(playwright, program=WHOLE)
        for name, options in PICTURES.items():
            context = browser.new_context(locale="en-GB", device_scale_factor=1.5, reduced_motion="reduce", **options)
            page = context.new_page()
            set_clock(page, later)
            page.route("**/v1/history?*", history.answer)
            page.route("**/v1/history/changes?*", lambda route: history.answer_changes(route, now=later))
            page.route("**/livez", lambda route: route.fulfill(body="ok"))
            page.goto(daemon.url)
            page.locator("#host").evaluate("host => (host.textContent = '127.0.0.1:8787')")
            page.get_by_role("heading", name="History").wait_for()
            page.get_by_role("button", name="End the boost of kiosk-3").wait_for()
            page.mouse.move(0, 0)
            page.screenshot(path=IMAGES / f"{name}.png")
            print(IMAGES / f"{name}.png")
        client.post("/v1/restore", json={"all": True})
        for name, lights in ROOMS.items():
            light(client, **lights)
            context = browser.new_context(
                locale="en-GB", device_scale_factor=1.5, reduced_motion="reduce", viewport={"width": 860, "height": 900}
            )
            page = context.new_page()
            page.goto(daemon.url)
            section = room(page)
            section.get_by_role("button", name="Sunset").wait_for()
            section.screenshot(path=IMAGES / f"{name}.png")
            print(IMAGES / f"{name}.png")
        for name, (count, nodes, fragment, options) in CROWDS.items():
            context = browser.new_context(locale="en-GB", reduced_motion="reduce", **options)
            page = context.new_page()
            pretend(page, count, client.state, nodes)
            page.route("**/v1/history?*", history.answer)
            page.route("**/v1/history/changes?*", history.answer_changes)
            page.goto(daemon.url + "/" + fragment)
            page.locator("#host").evaluate("host => (host.textContent = '127.0.0.1:8787')")
            page.wait_for_timeout(2_000)
            page.screenshot(path=IMAGES / f"{name}.png")
            print(IMAGES / f"{name}.png")
        six(browser)
        schedules(browser)
        browser.close()
    daemon.stop()


def six(browser):
    """Six displays on a desktop."""
    daemon = Daemon(*(option for name in SIX for option in ("--display", f"simulated:{name}")))
    with Client(daemon) as client:
        client.post("/v1/displays/till-1/boost", json={"holder": "kiosk-3", "reason": "qr"})
        client.put("/v1/displays/office/brightness", json={"percent": 65, "holder": "maria", "reason": "evening"})
        page = browser.new_page(locale="en-GB", reduced_motion="reduce", viewport=DESKTOP)
        page.goto(daemon.url)
        page.locator("#host").evaluate("host => (host.textContent = '127.0.0.1:8787')")
        page.get_by_role("button", name="End the boost of kiosk-3").wait_for()
        page.screenshot(path=IMAGES / "displays-6.png")
    daemon.stop()


def schedules(browser):
    """The schedules of a shop in Berlin, on a Monday afternoon."""
    monday = datetime(2026, 11, 23, 15, 20, tzinfo=timezone.utc)
    with TemporaryDirectory() as directory:
        wall = WallClock(Path(directory))
        wall.set((monday - datetime.now(timezone.utc)).total_seconds())
        daemon = Daemon("--time-zone", "Europe/Berlin", "--location", "52.52,13.40", env=wall.environment)
        with Client(daemon) as client:
            for name, rule in SHOP.items():
                client.put(f"/v1/schedules/{name}", json=rule)
            page = browser.new_page(
                locale="en-GB",
                timezone_id="Europe/Berlin",
                device_scale_factor=1.5,
                viewport={"width": 860, "height": 900},
            )
            set_clock(page, monday)
            page.goto(daemon.url)
            section = page.get_by_role("region", name="Schedules")
            section.get_by_role("button", name="Edit: night").wait_for()
            section.screenshot(path=IMAGES / "schedules.png")
            print(IMAGES / "schedules.png")
        daemon.stop()


if __name__ == "__main__":
    main()
