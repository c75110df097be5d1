# SPDX-License-Identifier: Apache-2.0
"""Ports that stay free between two programs that listen on them in turn."""

import random
import socket

PORTS = range(15_000, 32_000)
"""Below the ports that the kernel picks by itself."""

_reservations = []


def free_port():
    """A port that nothing uses, on any address, and that no other test process of this machine gets."""
    while True:
        port = random.choice(PORTS)
        reservation = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            # An abstract name has one owner, until its process ends.
            reservation.bind(f"\0brightnessd-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("", port))
        except OSError:
            reservation.close()
            continue
        _reservations.append(reservation)
        return port
