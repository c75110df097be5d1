# SPDX-License-Identifier: Apache-2.0
"""Clients of the ESPHome server: the library that Home Assistant uses."""

import asyncio
import base64
import os
from concurrent.futures import ThreadPoolExecutor

from aioesphomeapi import APIClient, LightInfo

from .until import TIMEOUT

KEY = base64.b64encode(bytes(range(32))).decode()


def run(coroutine):
    """Runs a coroutine on a thread of its own: the test's may have the loop of a browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Home:
    """A connected client: `async with Home(port) as home`.

    - entities: by the display's name and the entity's own, such as ("Simulated display", "Boost").
    - states: the newest state of each entity, by the same names.
    """

    def __init__(self, port, key=None, keepalive=20.0, host="127.0.0.1"):
        self.client = APIClient(host, port, None, noise_psk=key, client_info="Tests", keepalive=keepalive)
        self.states = {}
        self.received = 0
        self.ended = asyncio.Event()
        self._grown = asyncio.Condition()

    async def __aenter__(self):
        await asyncio.wait_for(self.client.connect(self._stop), TIMEOUT)
        try:
            self.device = await self.client.device_info()
            infos, self.actions = await self.client.list_entities_services()
            owners = {device.device_id: device.name for device in self.device.devices}
            self.entities = {(owners.get(info.device_id, ""), info.name): info for info in infos}
            self._names = {info.key: name for name, info in self.entities.items()}
            self.client.subscribe_states(self._receive)
        except BaseException:
            await self.client.disconnect(force=True)
            raise
        return self

    async def __aexit__(self, *_):
        await self.client.disconnect()

    async def _stop(self, expected):
        self.expected = expected
        self.ended.set()

    def _receive(self, state):
        self.states[self._names[state.key]] = state
        self.received += 1
        asyncio.get_running_loop().create_task(self._notify())

    async def _notify(self):
        async with self._grown:
            self._grown.notify_all()

    async def until(self, condition, what):
        """Waits until `condition(states)` is true."""
        try:
            async with asyncio.timeout(TIMEOUT), self._grown:
                await self._grown.wait_for(lambda: condition(self.states))
        except TimeoutError:
            raise AssertionError(f"never {what}: {self.states}") from None

    @property
    def lights(self):
        """The names of the lights."""
        return [name for name, info in self.entities.items() if isinstance(info, LightInfo)]

    async def light(self, is_on, brightness, name=None):
        """Waits until a light, the first by default, shows this."""
        name = name or self.lights[0]

        def shows(states):
            state = states.get(name)
            return state and state.state == is_on and (brightness is None or abs(state.brightness - brightness) < 0.01)

        await self.until(shows, f"{name} on: {is_on}, at {brightness}")

    def turn(self, name=None, **command):
        """Sends a command of a light, the first by default."""
        info = self.entities[name or self.lights[0]]
        self.client.light_command(info.key, device_id=info.device_id, **command)


def key_file(folder, key=KEY):
    """A file with a key."""
    path = folder / "esphome.key"
    path.write_text(f"{key}\n")
    path.chmod(0o600)
    return path


def options(port, folder=None):
    """The options of a daemon; encrypted if there is a folder for the key."""
    return ["--esphome", f"127.0.0.1:{port}", *(["--esphome-key-file", str(key_file(folder))] if folder else [])]


def new_key():
    return base64.b64encode(os.urandom(32)).decode()
