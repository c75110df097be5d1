# SPDX-License-Identifier: Apache-2.0
"""Every surface, byte by byte: the scripted day must leave the daemon as `surfaces` has it. `make golden` writes it."""

import difflib
import os
import time
from datetime import datetime, timezone
from pathlib import Path

from support.backlight import Backlight
from support.ports import free_port
from support.wall_clock import WallClock

from .day import ADMIN, TOKENS, Day

NOW = datetime(2026, 6, 1, 10, tzinfo=timezone.utc)
KEPT = Path(__file__).with_name("surfaces")


def test_the_day_leaves_every_surface_as_it_is_kept(start, connect, broker, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(TOKENS)
    tokens.chmod(0o600)
    port = free_port()
    clock = WallClock(tmp_path, round(NOW.timestamp() - time.time()))
    options = ("--shards", "1", "--display", "simulated:panel", "--display", "simulated:fence", "--group", "both=*")
    daemon = start(
        *options, "--token-file", tokens, "--mqtt", broker.url(), "--esphome", f"127.0.0.1:{port}", env={"TZ": "UTC", "CLOCK_UNSYNCHRONIZED": "1"} | clock.environment
    )
    daemon.line("MQTT: connected")
    client = connect(daemon, headers={"Authorization": f"Bearer {ADMIN}"})
    client.await_light()
    day = Day(daemon, broker, {"broker": broker.port, "esphome": port, "folder": tmp_path})
    day.esphome_port = port
    day.play()
    daemon.stop()
    day.end()
    if os.environ.get("GOLDEN") == "write":
        KEPT.mkdir(exist_ok=True)
        for name, lines in day.surfaces.items():
            (KEPT / f"{name}.txt").write_text("\n".join(lines).rstrip("\n") + "\n")
    for name, lines in day.surfaces.items():
        lines = "\n".join(lines).rstrip("\n").splitlines()
        kept = (KEPT / f"{name}.txt").read_text().splitlines()
        difference = "\n".join(difflib.unified_diff(kept, lines, f"kept/{name}", f"now/{name}", lineterm="", n=1))
        assert not difference, f"{difference}\nIf the change is wanted: make golden, and commit what it writes."
