# SPDX-License-Identifier: Apache-2.0
"""Prints what a first visit costs on a slow line (400 kbit/s, 400 ms): requests, bytes, the first value, the layout's shift.

    BRIGHTNESSD_BINARY=.build/release/brightnessd .venv/bin/python -B Tests/EndToEnd/slow_line.py
"""

from playwright.sync_api import expect, sync_playwright

from support.browser import launch
from support.daemon import Daemon

LINE = {"offline": False, "latency": 400, "downloadThroughput": 400_000 / 8, "uploadThroughput": 400_000 / 8}
SIZES = [(1_280, 760), (800, 480), (390, 844)]
KIOSK = """<!doctype html><script type="module" src="{url}/brightness.js"></script>
<brightness-gauge data-testid="percent"></brightness-gauge>"""
# The page takes its own time: Playwright asks ever more rarely, in the end twice a second.
WATCH = """globalThis.shift = 0;
new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => shift += value)).observe({ type: "layout-shift", buffered: true });
const look = () => {
    const meter = document.querySelector("brightness-gauge")?.shadowRoot?.querySelector("[role=meter]");
    if (meter?.getAttribute("aria-valuenow") === "40") globalThis.first = performance.now() / 1000;
    else requestAnimationFrame(look);
};
look();"""


def visit(browser, daemon, size, kiosk):
    context = browser.new_context(viewport=dict(zip(("width", "height"), size)))
    context.add_init_script(WATCH)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    sizes = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    if kiosk:
        context.route(f"{daemon.url}/kiosk", lambda route: route.fulfill(body=KIOSK.format(url=daemon.url), content_type="text/html"))
    page.goto(f"{daemon.url}/kiosk" if kiosk else daemon.url, wait_until="commit")
    expect(page.get_by_role("meter").first).to_have_attribute("aria-valuenow", "40", timeout=60_000)
    page.wait_for_timeout(3_000)
    print(f"{'kiosk page' if kiosk else 'dashboard':11}{size[0]:5} × {size[1]}: {len(sizes):3} requests, {sum(sizes) / 1000:4.0f} kB, "
          f"first value after {page.evaluate('first'):.2f} s, layout shift {page.evaluate('shift'):.2f}")
    context.close()


daemon = Daemon()
with sync_playwright() as playwright:
    browser = launch(playwright)
    for size in SIZES:
        visit(browser, daemon, size, kiosk=False)
    visit(browser, daemon, SIZES[1], kiosk=True)
daemon.stop()
