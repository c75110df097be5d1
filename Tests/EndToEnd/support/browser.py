# SPDX-License-Identifier: Apache-2.0
"""Pages in a real browser that may not complain."""

import re
import shutil
from contextlib import contextmanager

from .until import TIMEOUT

WHOLE = "/usr/bin/chromium"
SHELL = shutil.which("chromium-headless-shell") or WHOLE
"""Debian's Chromium without windows, whose pages take a third of the processor time."""

GONE = (
    r"ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED"
    r"|ERR_INTERNET_DISCONNECTED|503 |\(503\)|does not respond"
)
"""Chromium's messages about a server that is not running, or rejects streams because it stops."""

BLOCKED = """{
    const refuse = () => { throw new DOMException("", "SecurityError") };
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { get: refuse });
    globalThis.BroadcastChannel = class { constructor() { refuse() } };
    const locks = { request: async () => refuse(), query: async () => refuse() };
    Object.defineProperty(Navigator.prototype, "locks", { value: locks });
}"""
"""A script for a page: as in a browser that blocks its storage."""


def launch(playwright, *arguments, program=SHELL):
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox", *arguments], timeout=1_000 * TIMEOUT)


@contextmanager
def quiet_context(browser, expects=None, **options):
    """A context. At its end nothing may have been said on the console of its pages: no error, warning or CSP report.

    - expects: a pattern of console lines that are no surprise.
    - options: of `Browser.new_context`.
    """
    context = browser.new_context(**options)
    context.set_default_timeout(1_000 * TIMEOUT)
    complaints = []

    def hear(line):
        if line.type in ("error", "warning") and not (expects and re.search(expects, line.text)):
            complaints.append(f"{line.text} ({line.location['url']})")

    context.on("console", hear)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context
    context.close()
    assert not complaints, f"pages said on their consoles: {complaints}"
