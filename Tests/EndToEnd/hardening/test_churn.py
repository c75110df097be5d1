# SPDX-License-Identifier: Apache-2.0
"""Half an hour of everything at once: clients come and go, displays change, a panel flaps. SOAK_MINUTES says for how long."""

import json
import os
import random
import statistics
import time

import pytest

from support.backlight import Backlight
from support.remote import Remote
from support.until import until
from support.wire import Connection, request

MINUTES = float(os.environ.get("SOAK_MINUTES") or 30)
MEBIBYTE = 1 << 20
RESIDENTS = 20
VISITORS = 100


class Viewer:
    """Keeps the newest state of each display that its stream reports. Never waits."""

    def __init__(self, port):
        self.connection = Connection(port)
        self.connection.send(request(port, "GET", "/v1/events?types=state,display"))
        self.connection.socket.setblocking(False)
        self.states = {}
        self.rest = b""

    def read(self):
        try:
            while data := self.connection.socket.recv(1 << 20):
                self.rest += data
        except BlockingIOError:
            pass
        *blocks, self.rest = self.rest.split(b"\n\n")
        for block in blocks:
            for line in block.splitlines():
                if line.startswith(b'data: {"id"'):
                    state = json.loads(line[6:])
                    self.states[state["id"]] = state

    def leave(self, chance):
        if chance.random() < 0.5:
            self.connection.reset()
        else:
            self.connection.socket.close()


@pytest.mark.timeout(int(MINUTES * 60) + 300)
def test_nothing_grows_and_every_final_value_is_right(start, connect, backlight):
    other = Backlight(backlight.root, "acpi_video0", 50, 100)
    daemon = start("--shards", "2", "--display", "simulated", "--display", "backlight:acpi_video0", *backlight.options)
    client = connect(daemon)
    client.get("/livez")
    chance = random.Random(1)
    residents = [Viewer(daemon.port) for _ in range(RESIDENTS)]
    for viewer in residents:
        until(lambda viewer=viewer: viewer.read() or viewer.states, "each has a state", 30)
    before = daemon.sockets
    visitors, samples, changes = [], [], 0
    end = time.monotonic() + MINUTES * 60
    second = 0
    while (now := time.monotonic()) < end:
        display = chance.choice(["simulated", "acpi_video0"])
        what = chance.random()
        if what < 0.6:
            client.put(f"/v1/displays/{display}/brightness", json={"brightness": chance.random()})
        elif what < 0.8:
            client.post(f"/v1/displays/{display}/boost", json={"ttl": 0.5, "holder": f"h{chance.randrange(9)}"})
        elif what < 0.9:
            other.step = chance.randrange(1, 100)
        else:
            client.patch("/v1/simulator", json={"unplugged": chance.random() < 0.5})
        changes += 1
        visitors.append(Viewer(daemon.port))
        if chance.random() < 0.1:
            with Remote(daemon) as remote:
                remote.call("set", brightness=chance.random(), display="acpi_video0")
        if len(visitors) > VISITORS:
            visitors.pop(chance.randrange(len(visitors))).leave(chance)
        for viewer in residents:
            viewer.read()
        if int(now) != second:
            second = int(now)
            samples.append(daemon.resident)
        time.sleep(0.02)
    for viewer in visitors:
        viewer.leave(chance)
    client.patch("/v1/simulator", json={"unplugged": False})
    for display in ("simulated", "acpi_video0"):
        path = f"/v1/displays/{display}"
        until(lambda path=path: client.put(f"{path}/brightness", json={"percent": 70}).status_code == 200, "it is set", 30)
        final = until(lambda path=path: (state := client.get(path).json())["boost"] is None and state, "boosts end", 30)
        for viewer in residents:

            def has(viewer=viewer, display=display, revision=final["revision"]):
                viewer.read()
                return viewer.states.get(display, {}).get("revision", 0) >= revision

            until(has, "the last state is published", 30)
            assert viewer.states[display]["brightness"] == 0.7
    until(lambda: daemon.sockets <= before, "every socket is closed", 60)
    quarter = len(samples) // 4
    early, late = statistics.median(samples[quarter : 2 * quarter]), statistics.median(samples[-quarter:])
    print(f"{changes} changes in {MINUTES} min; resident {early / MEBIBYTE:.1f} MiB, at the end {late / MEBIBYTE:.1f}")
    assert late - early < 2 * MEBIBYTE, samples[::60]
