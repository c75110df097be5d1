# SPDX-License-Identifier: Apache-2.0
"""SIGTERM at random moments: of a start, boosts, long polls, WebSocket calls, a panel that hangs, a pause of the process."""

import json
import os
import random
import signal
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from .backlight import Backlight
from .daemon import BINARY, environment
from .ports import free_port
from .remote import HANDSHAKE
from .until import TIMEOUT, until
from .wire import Connection, request

BASELINE, RAISED = 40, 100


class Stop:
    """One daemon with two backlights, `aa` and `bb`, that is raised and then stopped. A scene is a method of no argument.

    - seed: decides every moment.
    """

    def __init__(self, folder, seed):
        self.random = random.Random(seed)
        self.port = free_port()
        self.panels = [Backlight(folder / "sys", name, step=BASELINE, maximum=RAISED) for name in ("aa", "bb")]
        self.arguments = [
            BINARY, "serve", "--listen", f"127.0.0.1:{self.port}", "--state-directory", folder / "state",
            "--sysfs-root", folder / "sys", "--display", "backlight:aa", "--display", "backlight:bb",
            *(word for number in range(40) for word in ("--display", f"simulated:s{number}")),
        ]  # fmt: skip
        self.log = folder / "log"
        self.open = ExitStack()

    def start(self):
        with self.log.open("a") as log:
            self.process = subprocess.Popen(list(map(str, self.arguments)), stderr=log, env=environment())

    def connect(self):
        return self.open.enter_context(Connection(self.port))

    def boost(self):
        """Raises both; waits until the daemon listens."""

        def boosted():
            assert self.process.poll() is None, self.log.read_text()
            try:
                with Connection(self.port) as client:
                    body = json.dumps({"ttl": 600}).encode()
                    return client.request("POST", "/v1/displays/all/boost", body=body).status == 200
            except ConnectionRefusedError:
                return False

        until(boosted, "the daemon serves")
        assert [panel.step for panel in self.panels] == [RAISED, RAISED]

    def wait(self, most):
        time.sleep(self.random.uniform(0, most))

    def send(self, head, body=b""):
        """Sends a request on its own connection, without reading the response."""
        connection = self.connect()
        connection.send(head + body)
        return connection

    def long_polls(self):
        with Connection(self.port) as client:
            etag = client.request("GET", "/v1/brightness").headers["etag"]
        for _ in range(20):
            self.send(request(self.port, "GET", "/v1/brightness?wait=50", {"If-None-Match": etag}))

    def calls(self):
        body = b'{"jsonrpc":"2.0","method":"get","params":{"display":"all"},"id":1}'
        # With a mask that changes nothing.
        frame = b"\x81" + bytes([0x80 | len(body)]) + bytes(4) + body
        sockets = [self.send(request(self.port, "GET", "/v1/ws", HANDSHAKE)) for _ in range(10)]
        for connection in sockets:
            assert connection.head().status == 101
        for connection in sockets:
            connection.send(frame * 48)

    # Scenes. Each returns the panels that must be at their baseline at the end.

    def start_scene(self):
        """A start that goes on with the boosts of a daemon that was killed."""
        self.start()
        self.boost()
        self.process.kill()
        self.process.wait()
        self.start()
        self.wait(0.5)
        if self.blocks_sigterm:
            self.end()
            return self.panels
        # It has not begun: nothing was touched, and nothing can be promised.
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(TIMEOUT) in (0, -signal.SIGTERM)
        return []

    @property
    def blocks_sigterm(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        [mask] = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk:")]
        return mask >> (signal.SIGTERM - 1) & 1

    def boost_scene(self):
        """Boosts and restores all the time, of which one is under way."""
        self.start()
        self.boost()
        heads = [
            request(self.port, "POST", f"/v1/displays/{name}/{what}", body=body)
            for name in ("aa", "bb")
            for what, body in (("boost", b'{"holder":"a","ttl":600}'), ("restore", b'{"holder":"a"}'), ("boost", b"{}"))
        ]
        connections = [self.connect() for _ in range(4)]
        until_then = time.monotonic() + self.random.uniform(0, 0.3)
        while time.monotonic() < until_then:
            for connection in connections:
                connection.send(self.random.choice(heads))
            for connection in connections:
                connection.response()
        for connection in connections:
            connection.send(self.random.choice(heads))
        self.end()
        return self.panels

    def long_poll_scene(self):
        self.start()
        self.boost()
        self.long_polls()
        self.wait(0.1)
        self.end()
        return self.panels

    def call_scene(self):
        self.start()
        self.boost()
        self.long_polls()
        self.calls()
        self.wait(0.1)
        self.end()
        return self.panels

    def hanging_scene(self):
        self.start()
        self.boost()
        file = self.panels[1].folder / "brightness"
        file.unlink()
        os.mkfifo(file)
        self.wait(2)
        self.end()
        return self.panels[:1]

    def paused_scene(self):
        self.start()
        self.boost()
        self.long_polls()
        self.calls()
        self.process.send_signal(signal.SIGTERM)
        self.wait(0.05)
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(2.5)
        self.process.send_signal(signal.SIGCONT)
        self.end(is_asked=True)
        return self.panels

    def end(self, is_asked=False):
        asked = time.monotonic()
        if not is_asked:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(TIMEOUT)
        self.took = time.monotonic() - asked
        assert code == 0, f"exit code {code}"

    took = 0.0


SCENES = (
    Stop.start_scene, Stop.boost_scene, Stop.long_poll_scene, Stop.call_scene, Stop.hanging_scene, Stop.paused_scene,
)  # fmt: skip


def stop(folder, number):
    """Plays one round. Returns the name of its scene, and the time from SIGTERM (SIGCONT after a pause) to the daemon's end."""
    folder.mkdir()
    scene = SCENES[number % len(SCENES)]
    round = Stop(folder, number)
    try:
        with round.open:
            for panel in scene(round):
                assert panel.step == BASELINE, f"{panel.name} is at {panel.step}"
    except Exception as error:
        raise AssertionError(f"round {number}, {scene.__name__}: {error!r}\n{round.log.read_text()}") from error
    finally:
        round.process.kill()
        round.process.wait()
    return scene.__name__, round.took
