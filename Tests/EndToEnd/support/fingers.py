# SPDX-License-Identifier: Apache-2.0
"""Real touch events: the browser decides whether a finger scrolls."""

import time

from .until import until

STEPS = 12


def swipe(page, control, right=0, down=0, at=0.8):
    """Moves a finger that begins on a control, at this part of its width."""
    box = control.bounding_box()
    x, y = box["x"] + at * box["width"], box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    begin = time.time() - 2

    def send(kind, after, *points):
        event = {"type": kind, "timestamp": begin + after, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        session.send("Input.dispatchTouchEvent", event)

    send("touchStart", 0, (x, y))
    # A tap has no moves: it must not take as long as a long press on a slow machine.
    if right or down:
        for step in range(1, STEPS + 1):
            send("touchMove", step / 60, (x + right * step / STEPS, y + down * step / STEPS))
        # It rests before it goes: the page scrolls no further by itself.
        send("touchMove", 1, (x + right, y + down))
    send("touchEnd", 2)
    session.detach()


def scroll(page, control, **how):
    """Scrolls the page with a finger that begins on a control."""
    control.scroll_into_view_if_needed()
    before, most = page.evaluate("[scrollY, document.scrollingElement.scrollHeight - innerHeight]")
    assert most > 200, "there is something to scroll"
    swipe(page, control, down=150 if before > most / 2 else -150, **how)
    until(lambda: abs(page.evaluate("scrollY") - before) > 50, "the page has scrolled")
