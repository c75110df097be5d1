# SPDX-License-Identifier: Apache-2.0
"""The contents of kiosk pages, and the holders of their boosts."""

BOOST = '<brightness-boost holder="{holder}" reason="qr"><p>code</p></brightness-boost>'


def holders(client):
    """Returns the holders of boosts of the default display."""
    leases = client.get("/v1/displays/simulated/boosts").json()["boosts"]
    return sorted(lease["holder"] for lease in leases)
