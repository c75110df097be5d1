# SPDX-License-Identifier: Apache-2.0
"""Ports that stay free between two programs that listen on them in turn."""

import random
import socket
from collections import deque

PORTS = range(15_000, 32_000)
"""Below the ports that the kernel picks by itself."""

MOST = 400
"""How many ports stay reserved: a process that has more than 1,024 descriptors cannot use `select`, as paho does."""

_reservations = deque()


def free_port():
    """A port that nothing uses, on any address, and that no other test process of this machine gets soon."""
    while True:
        port = random.choice(PORTS)
        reservation = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            # An abstract name has one owner, until it is closed.
            reservation.bind(f"\0brightnessd-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("", port))
        except OSError:
            reservation.close()
            continue
        _reservations.append(reservation)
        if len(_reservations) > MOST:
            _reservations.popleft().close()
        return port
