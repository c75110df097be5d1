# SPDX-License-Identifier: Apache-2.0
"""A real Home Assistant, in the root that `make try-home-assistant` makes."""

import json
import os
import signal
import subprocess
import time
from contextlib import contextmanager

import httpx
from websockets.sync.client import connect

from .ports import free_port
from .until import until

ROOT = os.environ.get("BRIGHTNESSD_HOME_ASSISTANT")
PROGRAMS = "/opt/home-assistant/bin"
"""In there; its Python has Pillow."""
TIMEOUT = 90
"""Seconds. A start takes about 15, and a client that lost its server waits between its tries."""

CONFIGURATION = """\
http:
  server_host: 127.0.0.1
  server_port: {port}
zeroconf:
homeassistant:
  name: Lobby
  unit_system: metric
  time_zone: Europe/Berlin
input_number:
  lux:
    min: 0
    max: 100000
input_boolean:
  door:
  lobby:
template:
  - sensor:
      - name: Desk illuminance
        unique_id: desk
        device_class: illuminance
        unit_of_measurement: lx
        state: "{{{{ states('input_number.lux') }}}}"
  - binary_sensor:
      - name: Door motion
        unique_id: door
        state: "{{{{ states('input_boolean.door') }}}}"
      - name: Lobby motion
        unique_id: lobby
        state: "{{{{ states('input_boolean.lobby') }}}}"
automation:
  - {automation}
"""
ONBOARDED = {
    "version": 4,
    "minor_version": 1,
    "key": "onboarding",
    "data": {"done": ["core_config", "analytics", "integration"]},
}
"""Only the user is missing: the other steps would set up integrations of the internet."""


class HomeAssistant:
    """Home Assistant with a new configuration and a user. Ready when the constructor returns.

    - automation: its only one.
    """

    def __init__(self, folder, automation):
        self.folder = folder
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        (folder / ".storage").mkdir(parents=True)
        (folder / ".storage/onboarding").write_text(json.dumps(ONBOARDED))
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=port, automation=json.dumps(automation)))
        self.client = httpx.Client(base_url=self.url, verify=False, timeout=TIMEOUT)
        self.start()
        self._make_user()

    def start(self):
        with (self.folder / "output").open("ab") as output:
            self.process = subprocess.Popen(
                ["chroot", ROOT, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", f"HOME={self.folder}"]
                + [f"{PROGRAMS}/hass", "--config", str(self.folder), "--skip-pip"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        self._wait()

    def _wait(self):
        try:
            until(self._runs, "Home Assistant runs")
        except BaseException:
            self.process.kill()
            raise

    def _runs(self):
        assert self.process.poll() is None, self.output
        try:
            if "authorization" not in self.client.headers:
                return self.client.get("/api/onboarding").is_success
            # It answers already while it sets up its integrations.
            return self.client.get("/api/core/state").json()["state"] == "RUNNING"
        except httpx.TransportError:
            return False

    def _make_user(self):
        client_id = f"{self.url}/"
        user = {"client_id": client_id, "name": "Maria", "username": "maria", "password": "maria", "language": "en"}
        code = self.post("/api/onboarding/users", user)["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": client_id}
        response = self.client.post("/auth/token", data=grant)
        response.raise_for_status()
        self.tokens = response.json() | {"hassUrl": self.url, "clientId": client_id}
        self.client.headers["Authorization"] = f"Bearer {self.tokens['access_token']}"
        self._wait()

    def stop(self):
        """SIGTERM, after which it writes what it keeps."""
        self.process.send_signal(signal.SIGTERM)
        try:
            assert self.process.wait(TIMEOUT) == 0, self.output
        finally:
            self.process.kill()
            self.process.wait()

    @property
    def output(self):
        return (self.folder / "output").read_text(errors="replace")

    def get(self, path):
        response = self.client.get(path)
        assert response.is_success, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def post(self, path, body):
        response = self.client.post(path, json=body)
        assert response.is_success, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def call(self, service, **data):
        """Calls an action, such as `light.turn_on`."""
        self.post(f"/api/services/{service.replace('.', '/')}", data)

    def refusal(self, service, **data):
        """Calls an action that must fail; the message that a person sees."""
        domain, name = service.split(".")
        answer = self.ask(type="call_service", domain=domain, service=name, service_data=data)
        assert not answer["success"], answer
        return answer["error"]["message"]

    def flow(self, **values):
        """Starts a config flow of ESPHome and answers its first step; the next step."""
        step = self.post("/api/config/config_entries/flow", {"handler": "esphome"})
        return self.answer(step, **values)

    def answer(self, step, **values):
        """Answers a step of a config flow; the next one."""
        return self.post(f"/api/config/config_entries/flow/{step['flow_id']}", values)

    def flows(self, source):
        """The config flows of ESPHome that Home Assistant has begun by itself, from `zeroconf` or for `reauth`."""
        flows = self.command(type="config_entries/flow/progress")
        return [flow for flow in flows if flow["handler"] == "esphome" and flow["context"]["source"] == source]

    @property
    def entries(self):
        """The set-up devices of ESPHome."""
        return [entry for entry in self.get("/api/config/config_entries/entry") if entry["domain"] == "esphome"]

    def remove_entries(self):
        for entry in self.entries:
            self.client.delete(f"/api/config/config_entries/entry/{entry['entry_id']}").raise_for_status()

    @property
    def devices(self):
        """The devices by their names."""
        return {device["name"]: device for device in self.command(type="config/device_registry/list")}

    @property
    def states(self):
        """The states by their entities' ids."""
        return {state["entity_id"]: state for state in self.get("/api/states")}

    def until(self, entity, condition, what):
        """Waits until `condition(state)` is true of an entity; its state."""
        deadline = time.monotonic() + TIMEOUT
        with self.socket() as socket:
            socket.send(json.dumps({"id": 1, "type": "subscribe_entities", "entity_ids": [entity]}))
            while True:
                response = self.client.get(f"/api/states/{entity}")
                state = response.json() if response.is_success else None
                if state and condition(state):
                    return state
                try:
                    socket.recv(deadline - time.monotonic())
                except TimeoutError:
                    raise AssertionError(f"never {what}: {state}") from None

    @contextmanager
    def socket(self):
        """A WebSocket that may send commands."""
        with connect(self.url.replace("http", "ws") + "/api/websocket", max_size=None) as socket:
            assert json.loads(socket.recv(TIMEOUT))["type"] == "auth_required"
            socket.send(json.dumps({"type": "auth", "access_token": self.tokens["access_token"]}))
            assert json.loads(socket.recv(TIMEOUT))["type"] == "auth_ok"
            yield socket

    def ask(self, **command):
        """The answer to a command of the WebSocket."""
        with self.socket() as socket:
            socket.send(json.dumps({"id": 1} | command))
            return json.loads(socket.recv(TIMEOUT))

    def command(self, **command):
        """The result of a command of the WebSocket."""
        answer = self.ask(**command)
        assert answer["success"], answer
        return answer["result"]

    def log_in(self, context):
        """Lets the pages of a browser's context be those of the user, without a sidebar and without icons of the internet."""
        expires = int(time.time() + self.tokens["expires_in"]) * 1_000
        stored = {"hassTokens": json.dumps(self.tokens | {"expires": expires}), "dockedSidebar": '"always_hidden"'}
        for name, value in stored.items():
            context.add_init_script(f"localStorage.setItem({json.dumps(name)}, {json.dumps(value)})")
        empty = {"body": '<svg xmlns="http://www.w3.org/2000/svg"/>', "content_type": "image/svg+xml"}
        context.route("https://brands.home-assistant.io/**", lambda route: route.fulfill(**empty))

    def make_dashboard(self, path, view):
        """Makes a dashboard with one view."""
        options = {"mode": "storage", "require_admin": False, "show_in_sidebar": True}
        self.command(type="lovelace/dashboards/create", url_path=path, title=view["title"], **options)
        self.command(type="lovelace/config/save", url_path=path, config={"views": [view]})


def reduce(picture):
    """Reduces a picture to 128 colours: a third of its size."""
    program = "import sys; from PIL import Image; Image.open(sys.argv[1]).convert('RGB').quantize(128).save(sys.argv[1], optimize=True)"
    subprocess.run(["chroot", ROOT, f"{PROGRAMS}/python", "-c", program, picture], check=True)
