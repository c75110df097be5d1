# SPDX-License-Identifier: Apache-2.0
"""The contents of kiosk pages, and the holders of their boosts."""

import re

from support.daemon import ROOT

BOOST = '<brightness-boost holder="{holder}" reason="qr"><p>code</p></brightness-boost>'


def documented(title):
    """Returns the page with this title that the documents show."""
    pages = re.findall(r"```html\n(<!doctype.*?)```", (ROOT / "docs/how-to/kiosk-page.md").read_text(), re.DOTALL)
    [page] = [page for page in pages if f"<title>{title}</title>" in page]
    return page


def holders(client):
    """Returns the holders of boosts of the default display."""
    leases = client.get("/v1/displays/simulated/boost").json()["leases"]
    return sorted(lease["holder"] for lease in leases)
