# SPDX-License-Identifier: Apache-2.0
"""Waiting for changes without an event. The only place that polls; where there is an event, wait for the event."""

import threading
import time

TIMEOUT = 60
"""Seconds: the limit of every wait for what has to happen. Slow machines need a part of it; a broken daemon needs it once."""


def until(condition, what, within=TIMEOUT):
    """Returns the first true value of `condition()`; fails, saying `what`, when `within` seconds pass without one."""
    deadline = time.monotonic() + within
    pause = threading.Event()
    while True:
        if value := condition():
            return value
        assert time.monotonic() < deadline, f"not within {within} s: {what}"
        pause.wait(0.005)
