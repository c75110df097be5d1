# SPDX-License-Identifier: Apache-2.0
"""What kiosk pages contain, and who holds their boosts."""

BOOST = '<brightness-boost holder="{holder}" reason="qr"><p>code</p></brightness-boost>'


def holders(client):
    """Who holds a boost of the default display."""
    leases = client.get("/v1/displays/simulated/boosts").json()["boosts"]
    return sorted(lease["holder"] for lease in leases)
