# SPDX-License-Identifier: Apache-2.0
"""One scripted day against a daemon, and every byte that left it, with times, ids and ports replaced by names."""

import json
import re
import threading

from aioesphomeapi import ButtonInfo, EventInfo

from support import esphome
from support.broker import MQTTClient
from support.events import parse
from support.provider import Provider
from support.remote import Remote
from support.until import TIMEOUT
from support.wire import Connection, request

ADMIN, KIOSK, READER = "admin-0123456789a", "kiosk-0123456789a", "read-0123456789ab"
TOKENS = f"boss:admin:{ADMIN}\nkiosk:write[panel]:{KIOSK}\nwall:read:{READER}\n"
WHO = {"boss": ADMIN, "kiosk": KIOSK, "wall": READER, "stranger": None}
FENCE = "fence"
"""A display whose changes are not recorded: its event shows that the events before it have arrived."""
NOISE = {"simulator", "ambient", "health"}
"""Events that come when they like. Their documents are read once."""
LEFT_OUT = {"date", "content-length", "connection"}
READS = [
    "/v1", "/v1/brightness", "/v1/displays", "/v1/displays/panel", "/v1/displays/panel/settings",
    "/v1/displays/nothing", "/v1/leases", "/v1/displays/panel/leases", "/v1/displays/all/leases", "/v1/presets",
    "/v1/schedules", "/v1/location", "/v1/ambient", "/v1/simulator", "/v1/whoami", "/v1/groups", "/livez",
    "/readyz", "/v1/nothing", "/problems/invalid-body", "/v1/brightness?wait=a", "/v1/displays?tag=a",
    "/v1/history?from=x", "/v1/configuration", "/v1/nodes",
]  # fmt: skip
DAY = [
    # who, method, path, body, header fields, names of events that follow in their own time
    ("boss", "PUT", "/v1/brightness", {"percent": 40}, {}, ()),
    ("boss", "PATCH", "/v1/brightness", {"delta": 0.1}, {}, ()),
    ("boss", "PUT", "/v1/brightness", {"raw": 20}, {}, ()),
    ("boss", "PUT", "/v1/displays/panel/settings", {"name": "Lobby", "curve": "perceptual", "position": 1}, {}, ()),
    ("kiosk", "POST", "/v1/boost", {"reason": "qr", "ttl": 3000}, {}, ()),
    ("kiosk", "POST", "/v1/boost", {"holder": "door", "brightness": 0.7, "ttl": 3000}, {}, ()),
    ("boss", "PUT", "/v1/brightness", {"brightness": 0.3}, {}, ()),
    ("boss", "POST", "/v1/displays/panel/dim", {"brightness": 0.1, "ttl": 3000}, {}, ()),
    ("kiosk", "POST", "/v1/restore", {}, {}, ()),
    ("kiosk", "POST", "/v1/restore", {"holder": "door"}, {}, ()),
    ("boss", "POST", "/v1/displays/all/restore", {"all": True}, {}, ()),
    ("boss", "POST", "/v1/sleep", {"ttl": 3000}, {}, ()),
    ("boss", "POST", "/v1/wake", {"ttl": 3000}, {}, ()),
    ("boss", "POST", "/v1/restore", {}, {}, ()),
    ("boss", "PUT", "/v1/power", {"on": False}, {}, ()),
    ("boss", "PUT", "/v1/power", {"on": True}, {}, ()),
    ("boss", "PUT", "/v1/presets/film", {"displays": {"panel": {"brightness": 0.2}}}, {}, ("preset",)),
    ("kiosk", "POST", "/v1/presets/film/apply", {}, {}, ()),
    ("kiosk", "POST", "/v1/presets/nothing/apply", {}, {}, ()),
    ("boss", "PUT", "/v1/location", {"latitude": 52.52, "longitude": 13.4}, {}, ()),
    ("boss", "PUT", "/v1/schedules/night", {"from": "20:00", "to": "06:00", "dim": 0.2}, {}, ("schedule",)),
    ("boss", "PATCH", "/v1/schedules/night", {"paused": True}, {}, ("schedule",)),
    ("boss", "GET", "/v1/schedules", None, {}, ()),
    ("boss", "DELETE", "/v1/schedules/night", None, {}, ("schedule",)),
    ("boss", "DELETE", "/v1/presets/film", None, {}, ("preset",)),
    # Wrong requests of each kind.
    ("stranger", "GET", "/v1/brightness", None, {}, ()),
    ("wall", "PUT", "/v1/brightness", {"percent": 50}, {}, ()),
    ("kiosk", "PUT", "/v1/displays/fence/brightness", {"percent": 50}, {}, ()),
    ("boss", "PUT", "/v1/brightness", {"percent": 101}, {}, ()),
    ("boss", "PUT", "/v1/brightness", {"brightness": 70}, {}, ()),
    ("boss", "PUT", "/v1/brightness", {"brightnes": 0.5}, {}, ()),
    ("boss", "PUT", "/v1/brightness", {}, {}, ()),
    ("boss", "PUT", "/v1/brightness", "{", {}, ()),
    ("boss", "PUT", "/v1/brightness", "[1]", {}, ()),
    ("boss", "POST", "/v1/boost", {"ttl": -1}, {}, ()),
    ("boss", "POST", "/v1/boost", {"ttl": "1m"}, {}, ()),
    ("boss", "POST", "/v1/boost?display=nothing", {}, {}, ()),
    ("boss", "DELETE", "/v1/brightness", None, {}, ()),
    ("boss", "GET", "/v1/brightness", None, {"Accept": "image/png"}, ()),
    ("boss", "GET", "/v1/brightness", None, {"Host": "evil.example"}, ()),
    ("boss", "PUT", "/v1/brightness", {"percent": 50}, {"Origin": "http://evil.example"}, ()),
    ("boss", "PUT", "/v1/brightness", {"percent": 50}, {"Content-Type": "text/plain"}, ()),
    ("boss", "PUT", "/v1/brightness", {"percent": 50}, {"If-Match": '"00000000-1"'}, ()),
    ("boss", "OPTIONS", "/v1/boost", None, {}, ()),
    ("boss", "HEAD", "/v1/brightness", None, {}, ()),
]
CALLS = [
    ("set", {"brightness": 0.35}),
    ("move", {"delta": 0.1}),
    ("boost", {"ttl": 600, "holder": "socket"}),
    ("restore", {"holder": "socket"}),
    ("get", {}),
    ("nothing", {}),
    ("set", {"brightness": 7}),
    ("set", {"brightnes": 0.5}),
    ("boost", {"display": "nothing"}),
]
COMMANDS = [
    ("panel/set", {"percent": 45}),
    ("panel/set", {"percent": 450}),
    ("panel/boost", {"ttl": 600}),
    ("panel/restore", {}),
    ("nothing/set", {"percent": 45}),
    ("panel/set", "{"),
]
PROVIDED = {"id": "page", "name": "Page", "maximum": 100, "brightness": 0.5}


class Names:
    """Replaces what differs from run to run. Ids are numbered in the order in which they are met."""

    def __init__(self, **known):
        self._known = {str(value): f"<{name}>" for name, value in known.items()}
        self._ids = {}

    def __call__(self, text):
        for value, name in self._known.items():
            text = re.sub(rf"(?<![0-9a-zA-Z]){re.escape(value)}(?![0-9a-zA-Z])", name, text)
        text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "<time>", text)
        text = re.sub(r"\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT", "<date>", text)
        text = re.sub(r"\b[0-9a-f]{32}\b", lambda found: self._ids.setdefault(found[0], f"<id {len(self._ids) + 1}>"), text)
        text = re.sub(r'"[0-9a-f]{16}"', '"<content>"', text)
        return re.sub(r'("version": ?")[^"]*', r"\1<version>", text)


class Recorder:
    """The events of one connection, sorted within a step, of the states of a display only the newest."""

    def __init__(self, read):
        self._new = []
        self._seen = threading.Condition()
        threading.Thread(target=self._run, args=(read,), daemon=True).start()

    def _run(self, read):
        for name, data in read():
            if name in NOISE:
                continue
            with self._seen:
                self._new.append((name, data))
                self._seen.notify_all()

    def step(self, is_fence, names):
        """The events up to the fence, and at least one of each of these names."""

        def are_here():
            return any(is_fence(*event) for event in self._new) and {*names} <= {name for name, _ in self._new}

        with self._seen:
            assert self._seen.wait_for(are_here, TIMEOUT), f"no event of {names}, or of the fence: {self._new}"
            events, self._new = self._new, []
        newest = {(name, data.get("id") if "revision" in data else json.dumps(data)): data for name, data in events}
        # The last state of a display may be replaced by its removal before it is sent.
        left_out = {FENCE, *(data["id"] for data in newest.values() if data.get("change") == "removed")}
        newest = {
            key: data for key, data in newest.items()
            if data.get("display") != FENCE and not (data.get("id") in left_out and "revision" in data)
        }
        return sorted(f"{name} {json.dumps(data)}" for (name, _), data in newest.items())


class Day:
    """Plays the day; `surfaces` has the lines of each file."""

    def __init__(self, daemon, broker, ports):
        self.daemon = daemon
        self.broker = broker
        self.surfaces = {"http": [], "events": [], "websocket": [], "mqtt": [], "esphome": [], "metrics": [], "log": []}
        with Connection(daemon.port) as connection:
            epoch = connection.request("GET", "/v1/brightness", self._as("boss")).headers["etag"].strip('"').split("-")[0]
        self.names = Names(epoch=epoch, port=daemon.port, **ports)
        self._level = 0

    @staticmethod
    def _as(who):
        return {"Authorization": f"Bearer {WHO[who]}"} if WHO[who] else {}

    def _ask(self, who, method, path, body, fields=()):
        with Connection(self.daemon.port) as connection:
            text = body if body is None or isinstance(body, str) else json.dumps(body)
            text = text.encode() if text is not None else None
            connection.send(request(self.daemon.port, method, path, self._as(who) | dict(fields), text))
            return connection.response(method)

    def _note(self, who, method, path, body, fields, response):
        text = "" if body is None else f" {body if isinstance(body, str) else json.dumps(body)}"
        shown = "".join(f" {name}: {value}" for name, value in fields.items())
        lines = [f"== {who}: {method} {path}{text}{shown}", str(response.status)]
        lines += [f"{name}: {value}" for name, value in response.headers.items() if name not in LEFT_OUT]
        self.surfaces["http"] += [self.names(line) for line in lines] + [self.names(response.body.decode().rstrip("\n")), ""]

    def play(self):
        for path in READS:
            self._note("boss", "GET", path, None, {}, self._ask("boss", "GET", path, None))
        self._open()
        for who, method, path, body, fields, names in DAY:
            self._note(who, method, path, body, fields, self._ask(who, method, path, body, fields))
            self._record(f"{who}: {method} {path}", names)
        for method, params in CALLS:
            answer = self._remote_call(method, params)
            self.surfaces["websocket"] += [f"== call {method} {json.dumps(params)}", self.names(json.dumps(answer))]
            self._record(f"call {method}")
        for topic, payload in COMMANDS:
            self._command(topic, payload)
            self._record(f"topic {topic}")
        with Provider(self.daemon, PROVIDED, additional_headers=self._as("boss")) as page:
            self._record("a client provides a display", ("display",))
            self._note("boss", "GET", "/v1/displays/page", None, {}, self._ask("boss", "GET", "/v1/displays/page", None))
            page.call("withdraw", display="page")
            self._record("it withdraws the display", ("display",))
        esphome.run(self._home())
        self._retained()
        metrics = self._ask("boss", "GET", "/metrics", None).body.decode()
        self.surfaces["metrics"] = sorted(line for line in metrics.splitlines() if line.startswith("# "))

    def end(self):
        """After the daemon's end: its notices, in the order of the alphabet, because threads write them.

        Changes are logged at a limited rate, so they are left out.
        """
        notices = (line.partition("notice: ")[2] for line in self.daemon.lines if line)
        self.surfaces["log"] = sorted({self.names(line) for line in notices if line})

    def _open(self):
        connection = Connection(self.daemon.port, timeout=600)
        connection.send(request(self.daemon.port, "GET", "/v1/events", self._as("boss")))
        self._note("boss", "GET", "/v1/events", None, {}, connection.head())

        def events():
            try:
                for chunk in connection.chunks():
                    for block in chunk[:-2].split(b"\n\n"):
                        event = parse(block, validates=False)
                        if isinstance(event.data, dict):
                            yield event.name, event.data
            except (AssertionError, OSError):
                return

        self.remote = Remote(self.daemon, "/v1/ws", validates=False, additional_headers=self._as("boss"))
        self._answers = {}
        self._answered = threading.Condition()

        def messages():
            while True:
                try:
                    message = self.remote.receive(timeout=600)
                except Exception:
                    return
                if "method" in message:
                    yield message["method"], message["params"]
                else:
                    with self._answered:
                        self._answers[message.get("id")] = message
                        self._answered.notify_all()

        self.recorders = {"events": Recorder(events), "websocket": Recorder(messages)}
        self._record("connect")

    def _remote_call(self, method, params):
        self._level += 1
        self.remote.send({"jsonrpc": "2.0", "id": self._level, "method": method, "params": params})
        with self._answered:
            assert self._answered.wait_for(lambda: self._level in self._answers, TIMEOUT), f"{method} is not answered"
            return self._answers[self._level] | {"id": 1}

    def _record(self, title, names=()):
        self._level += 1
        state = self._ask("boss", "PUT", f"/v1/displays/{FENCE}/brightness", {"raw": self._level % 90}).json
        for surface, recorder in self.recorders.items():
            here = recorder.step(lambda _, data: data.get("id") == FENCE and data.get("revision", 0) >= state["revision"], names)
            if here:
                self.surfaces[surface] += [f"== {title}", *(self.names(line) for line in here)]

    def _command(self, topic, payload):
        with MQTTClient(self.broker, user=None) as client:
            answer = client.ask(f"b/lobby/{topic}", payload)
            text = payload if isinstance(payload, str) else json.dumps(payload)
            self.surfaces["mqtt"] += [f"== {topic} {text}", self.names(answer.text)]

    async def _home(self):
        async with esphome.Home(self.esphome_port) as home:
            lines = [f"{owner}: {name}: {self._fields(info)}" for (owner, name), info in home.entities.items()]
            lines += [f"action {action.name}: {', '.join(f'{arg.name} {arg.type}' for arg in action.args)}" for action in home.actions]
            kept = {name for name, info in home.entities.items() if not isinstance(info, ButtonInfo | EventInfo)}
            await home.until(lambda states: kept <= {*states}, "every state")
            states = {" ".join(name): state for name, state in home.states.items()}
            lines += [f"state of {name}: {self._fields(state)}" for name, state in states.items() if FENCE not in name]
        self.surfaces["esphome"] = sorted(self.names(line) for line in lines)

    @staticmethod
    def _fields(value):
        return re.sub(r"(device_id|key)=\d+", r"\1=N", str(value))

    def _retained(self):
        state = self._ask("boss", "GET", f"/v1/displays/{FENCE}", None).json
        with MQTTClient(self.broker, "b/#", "homeassistant/#") as client:
            client.on(f"b/lobby/{FENCE}/state", lambda message: message.json["revision"] >= state["revision"])
            # The daemon collects changes of the device; a start of Home Assistant has all of them at once.
            client.publish("homeassistant/status", "online")
            client.on("homeassistant/device/b_lobby/config", lambda message: not message.retained and "Lobby" in message.text)
        with MQTTClient(self.broker, "b/#", "homeassistant/#") as client:
            # The broker sends what it retains in the order of its subscriptions' tree, then answers a question.
            client.publish("b/golden", "end")
            client.on("b/golden")
            topics = {topic: message for topic, message in client.latest.items() if FENCE not in topic and topic not in ("b/golden", "homeassistant/status")}
        texts = {topic: self._without_removed(message.text) for topic, message in sorted(topics.items())}
        self.surfaces["mqtt"] += [self.names(f"{topic} {text}") for topic, text in texts.items()]

    @staticmethod
    def _without_removed(text):
        """Without the components of displays that came and went: a slow day has announced them, a fast one has not."""
        if '"components":{' not in text:
            return text
        document = json.loads(text)
        document["components"] = {key: value for key, value in document["components"].items() if value.keys() != {"platform"}}
        return json.dumps(document, separators=(",", ":"), ensure_ascii=False)
