# SPDX-License-Identifier: Apache-2.0
"""The wall clock is set while the daemon runs, as on a machine without a clock battery when NTP answers."""

from datetime import datetime, timedelta, timezone

import pytest

from support.events import Stream
from support.wall_clock import WallClock

DAYS = 86_400


def _left(text):
    """Returns the time until then."""
    return datetime.fromisoformat(text) - datetime.now(timezone.utc)


def _is_about(left, seconds):
    return abs(left - timedelta(seconds=seconds)) < timedelta(seconds=60)


@pytest.mark.parametrize("offset", [-400 * DAYS, 800 * DAYS])
def test_ends_are_reported_by_the_current_wall_clock(start, connect, tmp_path, offset):
    clock = WallClock(tmp_path, offset)
    daemon = start("--auto", "on", env=clock.environment)
    client = connect(daemon)
    client.set(0.4)
    lease = client.boost(ttl=600, holder="kiosk-3")
    assert _is_about(_left(lease["until"]), 600 + offset)
    before = client.state
    with Stream(daemon.port) as stream:
        stream.next("state")
        clock.set(0)
        renewed = stream.next("boost", lambda event: event.data["change"] != "granted").data
        state = stream.next("state").data
    assert (renewed["change"], renewed["lease"]["id"]) == ("renewed", lease["id"])
    assert _is_about(_left(renewed["lease"]["until"]), 600)
    assert state["revision"] > before["revision"]
    assert _is_about(_left(state["boost"]["until"]), 600)
    assert _is_about(_left(state["auto"]["heldUntil"]), 1_800)
    assert state["cause"] == before["cause"]
    assert client.state == state
    (held,) = client.get("/v1/displays/simulated/boost").json()["leases"]
    assert _is_about(_left(held["until"]), 600)
