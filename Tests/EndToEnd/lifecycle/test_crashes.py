# SPDX-License-Identifier: Apache-2.0
"""The real daemon, killed with SIGKILL at random moments of a stream of leases of all kinds, releases and changes; after
each start the panel is right, and lit unless a sleep is in force. `KILLS` says how often (200 unless set), `KILL_SEED` which moments.
"""

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from support.backlight import Backlight
from support.client import RESULT
from support.daemon import Daemon
from support.emulation import native
from support.until import TIMEOUT, until

KILLS = int(os.environ.get("KILLS", 80))
SEED = int(os.environ.get("KILL_SEED", random.randrange(2**32)))
HOLDERS = [f"kiosk-{number}" for number in range(4)]
# Every step below has three digits, so that a file that stands for sysfs holds a number at every instant.
MAXIMUM = 999
LEVELS = {"boost": [0.5, 0.6, 0.7, 0.8, 0.9, 1], "dim": [0.25, 0.55, 0.85], "wake": [None], "sleep": [None]}
BASELINES = [0.2, 0.3, 0.4]


class Book:
    """The last response that one client got, and its requests without a response: either may be in force."""

    def __init__(self, first):
        self.confirmed = first
        self.asked = []

    def ask(self, value, send):
        """Whether a response came."""
        self.asked.append(value)
        try:
            response = send()
        except httpx.TransportError:
            return False
        assert response.status_code in (200, 201), response.text
        self.confirmed, self.asked = value, []
        return True

    @property
    def possible(self):
        return [self.confirmed, *self.asked]

    def learn(self, value):
        assert value in self.possible or any(is_near(value, each) for each in self.possible), (value, self.possible)
        self.confirmed, self.asked = value, []


def is_near(value, other):
    """Whether two baselines are the same step."""
    return isinstance(value, float) and isinstance(other, float) and abs(value - other) < 0.5 / MAXIMUM


def hold(url, holder, books, random):
    """Takes and releases leases until the daemon is gone."""
    with httpx.Client(base_url=url, headers=RESULT, timeout=TIMEOUT, verify=False) as client:
        while True:
            kind = random.choice(list(LEVELS))
            book = books[holder, kind]
            if random.random() < 0.5:
                level = random.choice(LEVELS[kind])
                body = {"holder": holder, "ttl": 3_600} | ({"brightness": level} if level else {})
                is_confirmed = book.ask((level,), lambda: client.post(f"/v1/{kind}", json=body))
            else:
                body = {"holder": holder, "kind": kind}
                is_confirmed = book.ask(None, lambda: client.post("/v1/restore", json=body))
            if not is_confirmed:
                return


def change(url, book, random):
    """Sets the baseline until the daemon is gone."""
    with httpx.Client(base_url=url, headers=RESULT, timeout=TIMEOUT, verify=False) as client:
        is_told = True
        while is_told:
            body = {"brightness": random.choice(BASELINES)}
            is_told = book.ask(body["brightness"], lambda: client.put("/v1/brightness", json=body))


def look(client, backlight, baseline, books):
    """The daemon and the panel show what clients got as responses, or requested."""
    until(lambda: client.get("/v1/brightness").json()["raw"]["value"] == backlight.step, "the panel shows what is said")
    state = client.get("/v1/brightness").json()
    leases = client.get(f"/v1/displays/{state['id']}/leases").json()["leases"]
    held = {(lease["holder"], lease["kind"]): (lease.get("brightness"),) for lease in leases}
    for key, book in books.items():
        book.learn(held.get(key))
    baseline.learn(state["baseline"])
    levels = {kind: [level for (_, other), (level,) in held.items() if other == kind] for kind in LEVELS}
    is_on = bool(levels["wake"]) or not levels["sleep"]
    power = backlight.folder / "bl_power"
    until(lambda: power.read_text().strip() == ("0" if is_on else "4"), "the panel is switched")
    shown = {"on": is_on, "baseline": True, "switchable": True}
    until(lambda: client.get("/v1/brightness").json()["power"] == shown, "the state says so")
    if is_on:
        step = round(min([max([baseline.confirmed, *levels["boost"]]), *levels["dim"]]) * MAXIMUM)
        until(lambda: backlight.step == step, f"the panel is at {step}")
    assert not any(lease["overridden"] for lease in leases)


def is_restored(backlight, baseline):
    """Whether the panel is lit and at its baseline."""
    is_lit = (backlight.folder / "bl_power").read_text().strip() == "0"
    return is_lit and backlight.step == round(baseline.confirmed * MAXIMUM)


@native("its starts take the emulator longer than its time limit")
def test_the_panel_is_right_after_each_of_many_kills(tmp_path):
    print(f"KILL_SEED={SEED}")
    seeds = random.Random(SEED)
    backlight = Backlight(tmp_path / "sys", step=400, maximum=MAXIMUM)
    options = [*backlight.options, "--state-directory", tmp_path / "state"]
    baseline, books = Book(400 / MAXIMUM), {(holder, kind): Book(None) for holder in HOLDERS for kind in LEVELS}
    with ThreadPoolExecutor(len(HOLDERS) + 1) as clients:
        for number in range(KILLS):
            daemon = Daemon(*options)
            with httpx.Client(base_url=daemon.url, headers=RESULT, timeout=TIMEOUT, verify=False) as client:
                look(client, backlight, baseline, books)
                if number % 10 == 9:
                    client.post("/v1/restore", json={"all": True}).raise_for_status()
                    for book in books.values():
                        book.confirmed = None
                    assert is_restored(backlight, baseline)
            at_work = [clients.submit(change, daemon.url, baseline, random.Random(seeds.random()))]
            for holder in HOLDERS:
                at_work.append(clients.submit(hold, daemon.url, holder, books, random.Random(seeds.random())))
            time.sleep(seeds.uniform(0, 0.15))
            daemon.kill()
            for client in at_work:
                client.result(TIMEOUT)
        daemon = Daemon(*options)
        with httpx.Client(base_url=daemon.url, headers=RESULT, timeout=TIMEOUT, verify=False) as client:
            look(client, backlight, baseline, books)
        daemon.stop()
    assert (backlight.folder / "bl_power").read_text().strip() == "0"
    assert backlight.step == round(baseline.confirmed * MAXIMUM)
