# SPDX-License-Identifier: Apache-2.0
"""The daemon at a real MQTT broker."""

import json
import os
import statistics
import subprocess
import threading
import time

import httpx
import pytest

from support import contract
from support.broker import TIMEOUT, Broker, MQTTClient, problem, result, retained
from support.daemon import run
from support.relay import Relay
from support.old_broker import OldBroker
from support.until import until

ONLINE = "MQTT: connected"
STATE = "b/lobby/simulated/state"
FLAPS = int(os.environ.get("BRIGHTNESSD_FLAPS", "5"))
AWAY = float(os.environ.get("BRIGHTNESSD_AWAY", "2"))


@pytest.fixture
def lobby(start, shared_broker):
    """A daemon at the file's broker, as the node `lobby`."""
    daemon = start("--mqtt", shared_broker.url())
    daemon.line(ONLINE, within=TIMEOUT)
    return daemon


@pytest.fixture
def ear(shared_broker):
    """A client that hears everything."""
    with MQTTClient(shared_broker, "b/#") as client:
        yield client


def ask_state(daemon):
    return httpx.get(f"{daemon.url}/v1/brightness", verify=False, timeout=TIMEOUT).json()


def keeps_what_is_so(broker, daemon, node="lobby"):
    state = ask_state(daemon)
    retained(broker, f"b/{node}/simulated/state", lambda message: message.json == state)


def connected(daemon):
    return httpx.get(f"{daemon.url}/readyz", verify=False, timeout=TIMEOUT).json()["mqtt"]["state"] == "connected"


def test_whoever_comes_finds_the_state(lobby, shared_broker, connect):
    client = connect(lobby)
    state = client.set(0.3)
    found = retained(shared_broker, STATE, lambda message: message.json == state)
    assert found.json == state
    assert found.type == "application/json"
    contract.validate("State", found.json)
    contract.validate("Boosts", retained(shared_broker, "b/lobby/simulated/boosts").json)
    contract.validate("Ambient", retained(shared_broker, "b/lobby/ambient").json)
    assert retained(shared_broker, "b/lobby/status").text == "online"


def test_every_change_is_told(lobby, ear, connect):
    client = connect(lobby)
    state = client.set(0.25)
    # Not what an earlier test's daemon left there.
    assert ear.on(STATE, lambda message: message.json == state)
    lease = client.boost(holder="kiosk-3", reason="qr")
    assert ear.on("b/lobby/simulated/boosts", lambda message: message.json == {"boosts": [lease]})


def test_a_command_is_carried_out_and_answered(lobby, ear, connect):
    state = result(ear.ask("b/lobby/simulated/set", {"percent": 70, "holder": "maria", "reason": "dark"}))
    assert (state["brightness"], state["cause"]["kind"], state["cause"]["by"]) == (0.7, "mqtt", "maria")
    assert connect(lobby).state == state


def test_a_boost_is_the_holders_and_ends(lobby, ear, connect):
    client = connect(lobby)
    lease = result(ear.ask("b/lobby/simulated/boost", {"holder": "kiosk-3", "ttl": 60}), "Lease")
    assert client.get(f"/v1/displays/simulated/boosts/{lease['id']}").json() == lease
    assert lease["lifespan"] == "custom"
    again = result(ear.ask("b/lobby/simulated/renew", {"lease": lease["id"], "ttl": 600}), "Lease")
    assert (again["id"], again["until"] > lease["until"]) == (lease["id"], True)
    result(ear.ask("b/lobby/simulated/restore", ""))
    assert client.state["boost"], "somebody else's restore ended it"
    assert result(ear.ask("b/lobby/simulated/release", {"lease": lease["id"]}))["boost"] is None
    assert problem(ear.ask("b/lobby/simulated/release", {"lease": lease["id"]})) == "lease-ended"


def test_a_short_boost_ends_by_itself(lobby, ear):
    result(ear.ask("b/lobby/simulated/boost", {"ttl": 0.5}), "Lease")
    ended = ear.on(STATE, lambda message: message.json["cause"]["kind"] == "expired")
    assert ended.json["boost"] is None


def test_all_stands_for_every_node_and_every_display(start, shared_broker, ear):
    nodes = {}
    for node in ("east", "west"):
        options = ["--display", "simulated:a", "--display", "simulated:b", "--mqtt", shared_broker.url(node)]
        nodes[node] = start(*options)
        nodes[node].line(ONLINE, within=TIMEOUT)
    ear.publish("b/all/all/boost", {"holder": "fire"})
    topics = [f"b/{node}/{display}/state" for node in nodes for display in "ab"]
    until(lambda: all(ear.says(topic, "boost") for topic in topics), "all are boosted", within=TIMEOUT)
    answer = ear.ask("b/east/all/restore", {"holder": "fire"})
    assert [entry["status"] for entry in result(answer, "Results")["results"]] == [200, 200]


@pytest.mark.parametrize(
    "topic, body, name",
    [
        ("set", '{"percent":', "malformed-body"),
        ("set", {"percent": 101}, "invalid-body"),
        ("set", {"percen": 70}, "invalid-body"),
        ("set", "", "invalid-body"),
        ("boost", {"lifespan": "visible"}, "invalid-body"),
        ("boost", " " * 16_385, "body-too-large"),
        ("renew", {"lease": "none", "ttl": 1}, "unknown-lease"),
    ],
)
def test_what_is_wrong_is_answered_with_a_problem(lobby, ear, topic, body, name):
    before = ask_state(lobby)
    assert problem(ear.ask(f"b/lobby/simulated/{topic}", body)) == name
    assert ask_state(lobby) == before


def test_an_unknown_display_is_a_problem(lobby, ear):
    assert problem(ear.ask("b/lobby/nobody/set", {"percent": 1})) == "unknown-display"


def test_duplicates_do_no_more(lobby, ear, connect):
    client = connect(lobby)
    for _ in range(3):
        ear.publish("b/lobby/simulated/set", {"raw": 300})
        ear.publish("b/lobby/simulated/boost", {"holder": "kiosk-3"})
    result(ear.ask("b/lobby/simulated/set", {"raw": 300}))
    assert len(client.get("/v1/displays/simulated/boosts").json()["boosts"]) == 1
    assert client.state["baseline"] == 0.3


def test_a_retained_command_is_left_alone(start, shared_broker, ear):
    ear.publish("b/hall/simulated/set", {"raw": 300}, retain=True)
    daemon = start("--mqtt", shared_broker.url("hall"))
    daemon.line(ONLINE, within=TIMEOUT)
    result(ear.ask("b/hall/simulated/boost", {}), "Lease")
    assert ask_state(daemon)["baseline"] == 0.4
    ear.publish("b/hall/simulated/set", "", retain=True)


def test_what_an_earlier_run_left_is_taken_away(start, shared_broker, ear):
    ear.publish("b/attic/gone/state", {"id": "gone"}, retain=True)
    ear.on("b/attic/gone/state")
    start("--mqtt", shared_broker.url("attic"))
    assert ear.on("b/attic/gone/state").text == ""


def test_a_flood_of_commands(start, connect, shared_broker, ear):
    """A minute's worth of them at once: few are carried out, the others are told, and it goes on when the flood is over."""
    daemon = start("--mqtt", shared_broker.url("dam"), "--writes-per-second", "1")
    daemon.line(ONLINE, within=TIMEOUT)
    answers = [ear.ask("b/dam/simulated/set", {"raw": 300 + number}) for number in range(60)]
    refused = [answer for answer in answers if answer.type == "application/problem+json"]
    assert 0 < len(refused) < len(answers)
    assert {problem(answer) for answer in refused} == {"too-many-writes"}
    assert connect(daemon).set(0.2)["brightness"] == 0.2, "other clients are not the broker"

    def is_heard():
        return ear.ask("b/dam/simulated/set", {"percent": 60}).type == "application/json"

    until(is_heard, "commands are carried out again", within=TIMEOUT)


def test_a_round_trip(start, shared_broker, ear):
    start("--mqtt", shared_broker.url(), "--writes-per-second", "none").line(ONLINE, within=TIMEOUT)
    took = []
    for step in range(100):
        begin = time.perf_counter()
        result(ear.ask("b/lobby/simulated/set", {"raw": 300 + step}))
        took.append((time.perf_counter() - begin) * 1_000)
    print(f"round trip of a command, ms: median {statistics.median(took):.2f}, 99 % {sorted(took)[98]:.2f}")
    assert statistics.median(took) < 1_000


def test_at_the_end_the_display_is_back_and_the_daemon_says_goodbye(start, shared_broker, ear):
    daemon = start("--mqtt", shared_broker.url("cellar"))
    daemon.line(ONLINE, within=TIMEOUT)
    result(ear.ask("b/cellar/simulated/boost", {}), "Lease")
    daemon.stop()
    assert ear.on("b/cellar/status", lambda message: message.text == "offline")
    assert ear.latest["b/cellar/simulated/state"].json["boost"] is None


def test_at_the_end_of_many_displays_no_boost_is_retained(start, connect, shared_broker, ear):
    """More than may be under way to the broker at a time."""
    names = [f"panel{number}" for number in range(40)]
    daemon = start("--mqtt", shared_broker.url("hotel"), *(word for name in names for word in ("--display", f"simulated:{name}")))
    daemon.line(ONLINE, within=TIMEOUT)
    assert connect(daemon).post("/v1/displays/all/boosts", json={"ttl": 600}).status_code == 200
    ear.on("b/hotel/panel39/boosts", lambda message: message.json["boosts"])
    daemon.stop()
    with MQTTClient(shared_broker, "b/hotel/#") as newcomer:
        # Retained messages come in the order of topics or of time: the newest is the status.
        newcomer.on("b/hotel/status", lambda message: message.text == "offline")
        until(lambda: len([topic for topic in newcomer.latest if topic.endswith("/boosts")]) == len(names), "all came")
        for name in names:
            assert newcomer.latest[f"b/hotel/{name}/state"].json["boost"] is None, name
            assert newcomer.latest[f"b/hotel/{name}/boosts"].json["boosts"] == [], name


def test_a_daemon_that_is_killed_is_offline(start, shared_broker, ear):
    daemon = start("--mqtt", shared_broker.url("roof"))
    daemon.line(ONLINE, within=TIMEOUT)
    ear.on("b/roof/status", lambda message: message.text == "online")
    daemon.kill()
    assert ear.on("b/roof/status").text == "offline"
    assert retained(shared_broker, "b/roof/status").text == "offline"


def test_without_a_broker_the_daemon_runs_and_says_so(start, connect, tmp_path):
    broker = Broker(tmp_path)
    broker.kill()
    daemon = start("--mqtt", broker.url())
    daemon.line("MQTT: the broker is away: Connection refused", within=TIMEOUT)
    client = connect(daemon)
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["mqtt"]) == (200, {"state": "away", "detail": "Connection refused"})
    state = client.set(0.6)
    broker.start()
    found = retained(broker, STATE, lambda message: message.json == state)
    assert found.json == state
    broker.stop()


def test_an_old_broker_is_spoken_to_as_it_likes(start):
    broker = OldBroker()
    daemon = start("--mqtt", f"mqtt://127.0.0.1:{broker.port}/b?node=lobby")
    daemon.line(ONLINE, within=TIMEOUT)
    assert [broker.levels.get(timeout=TIMEOUT) for _ in range(2)] == [5, 4]
    published = {}
    while {"b/lobby/status", STATE} - published.keys():
        published.update([broker.published.get(timeout=TIMEOUT)])
    assert published["b/lobby/status"] == "online"
    assert json.loads(published[STATE]) == ask_state(daemon)
    broker.stop()


class Pulse:
    """Asks over HTTP all the time, and each request has to be carried out; the longest that an answer took."""

    def __init__(self, daemon):
        self.longest, self.count, self._ends = 0, 0, threading.Event()
        self._daemon = daemon
        self._failure = None
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        try:
            with httpx.Client(base_url=self._daemon.url, verify=False, timeout=TIMEOUT) as client:
                while not self._ends.is_set():
                    begin = time.perf_counter()
                    client.put("/v1/brightness", json={"raw": 300 + self.count % 500}).raise_for_status()
                    self.longest = max(self.longest, time.perf_counter() - begin)
                    self.count += 1
                    self._ends.wait(0.02)
        except httpx.HTTPError as failure:
            self._failure = failure

    def goes_on(self):
        """Waits for a few more answers."""
        seen = self.count
        until(lambda: self._failure or self.count > seen + 3, "HTTP goes on", within=TIMEOUT)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()
        if self._failure:
            raise self._failure
        print(f"HTTP meanwhile: {self.count} answers, the slowest after {self.longest * 1000:.1f} ms")
        assert self.count > 0


def test_a_broker_that_comes_and_goes_is_no_matter_for_http(start, broker):
    daemon = start("--mqtt", broker.url())
    daemon.line(ONLINE, within=TIMEOUT)
    with Pulse(daemon) as pulse:
        for _ in range(FLAPS):
            broker.kill()
            pulse.goes_on()
            broker.start()
            pulse.goes_on()
    keeps_what_is_so(broker, daemon)


def test_a_broker_that_is_killed_for_a_while_is_no_matter_for_http(start, broker):
    daemon = start("--mqtt", broker.url())
    daemon.line(ONLINE, within=TIMEOUT)
    with Pulse(daemon) as pulse:
        broker.kill()
        until(lambda: not connected(daemon), "it is noticed", within=TIMEOUT)
        end = time.monotonic() + AWAY
        while time.monotonic() < end:
            pulse.goes_on()
        broker.start()
        begin = time.monotonic()
        until(lambda: connected(daemon), "it is connected again", within=TIMEOUT)
        print(f"the broker was away for {AWAY:.0f} s: connected {time.monotonic() - begin:.1f} s after its start")
        pulse.goes_on()
    keeps_what_is_so(broker, daemon)


def test_silence_is_noticed_and_no_matter_for_http(start, broker, shared_broker, ear):
    """Of a broker that hangs, and of a way to another that swallows what is sent: no connection is closed."""
    way = Relay(shared_broker.port)
    hanging = start("--mqtt", broker.url())
    cut_off = start("--mqtt", f"mqtt://127.0.0.1:{way.port}/b?node=stairs")
    for daemon in (hanging, cut_off):
        daemon.line(ONLINE, within=TIMEOUT)
    ear.on("b/stairs/status", lambda message: message.text == "online")
    before = hanging.resident
    broker.hang()
    way.swallow()
    begin = time.monotonic()
    with Pulse(hanging) as pulse, Pulse(cut_off) as other:
        for daemon in (hanging, cut_off):
            until(lambda daemon=daemon: not connected(daemon), "the silence is noticed", within=TIMEOUT)
        print(f"the silence was noticed after at most {time.monotonic() - begin:.0f} s")
        gone = ear.on("b/stairs/status")
        assert gone.text == "offline"
        print(f"the broker told the last will {gone.at - begin:.0f} s after the way to it went silent")
        pulse.goes_on()
        other.goes_on()
        broker.wake()
        way.heal()
        for daemon in (hanging, cut_off):
            until(lambda daemon=daemon: connected(daemon), "it is connected again", within=TIMEOUT)
        pulse.goes_on()
        other.goes_on()
    assert ear.on("b/stairs/status").text == "online"
    keeps_what_is_so(broker, hanging)
    keeps_what_is_so(shared_broker, cut_off, "stairs")
    assert hanging.resident < before + 32_000_000
    cut_off.stop()
    way.stop()


@pytest.fixture
def guarded(tmp_path):
    """A broker that lets in `lobby` with the password `sesame`, and lets it say nothing but what its display shows."""
    file = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", file, "lobby", "sesame"], check=True, capture_output=True)
    access = tmp_path / "access"
    access.write_text("user lobby\ntopic read b/#\ntopic write b/lobby/simulated/#\n")
    broker = Broker(tmp_path, f"password_file {file}", f"acl_file {access}", "allow_anonymous false")
    yield broker
    broker.stop()


def test_a_wrong_password_is_said_clearly(start, connect, guarded, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("wrong-password\n")
    daemon = start("--mqtt", guarded.url(user="lobby"), "--mqtt-password-file", secret)
    words = 'it refuses the password of "lobby"|it does not let "lobby" in'
    daemon.line(words, within=TIMEOUT)
    mqtt = connect(daemon).get("/readyz").json()["mqtt"]
    assert mqtt["state"] == "away" and '"lobby"' in mqtt["detail"]
    assert not any("wrong-password" in line for line in daemon.lines if line)


@pytest.mark.parametrize("way", ["file", "environment"])
def test_the_right_password_lets_in(start, guarded, tmp_path, way):
    secret = tmp_path / "secret"
    secret.write_text("sesame\n")
    options = ["--mqtt-password-file", secret] if way == "file" else []
    env = {} if way == "file" else {"BRIGHTNESSD_MQTT_PASSWORD": "sesame"}
    daemon = start("--mqtt", guarded.url(user="lobby"), *options, env=env)
    daemon.line("MQTT: connected", within=TIMEOUT)
    daemon.line("connected, but it does not let this daemon publish to b/lobby/status", within=TIMEOUT)


@pytest.fixture
def authority(tmp_path):
    """Makes a CA and, with it, a broker's certificate for 127.0.0.1. Returns the folder."""

    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], cwd=tmp_path, check=True, capture_output=True)

    openssl(*"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem".split())
    openssl(*"req -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout broker.key -out broker.csr".split())
    (tmp_path / "extensions").write_text("subjectAltName=IP:127.0.0.1,DNS:127.0.0.1\n")
    openssl(
        *"x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions".split(),
        "-out",
        "broker.pem",
    )
    return tmp_path


@pytest.fixture
def encrypted(authority):
    broker = Broker(
        authority, "allow_anonymous true", f"certfile {authority}/broker.pem", f"keyfile {authority}/broker.key"
    )
    yield broker
    broker.stop()


def test_tls_with_an_authority_of_ones_own(start, encrypted, authority):
    daemon = start("--mqtt", encrypted.url(scheme="mqtts"), "--mqtt-ca-file", authority / "ca.pem")
    daemon.line(ONLINE, within=TIMEOUT)
    # More than a buffer of TLS, both ways.
    until(lambda: connected(daemon), "it stays", within=TIMEOUT)


def test_tls_from_nobody_knows_whom_is_refused(start, encrypted):
    daemon = start("--mqtt", encrypted.url(scheme="mqtts"))
    daemon.line("MQTT: the broker is away: TLS: .*certificate verify failed", within=TIMEOUT)


@pytest.mark.parametrize(
    "options, words",
    [
        (["--mqtt", "broker"], "--mqtt is no URL like mqtts://"),
        (["--mqtt", "mqtt://maria:secret@bro ker"], "--mqtt is no URL like mqtts://"),
        (["--mqtt", "mqtt://maria:secret@broker"], "--mqtt-password-file"),
        (["--mqtt-ca-file", "/etc/hostname"], "say which with --mqtt"),
        (["--mqtt", "mqtt://broker", "--mqtt-ca-file", "/etc/hostname"], "is for TLS"),
        (["--mqtt", "mqtts://broker", "--mqtt-ca-file", "/nowhere"], "cannot read --mqtt-ca-file /nowhere"),
        (["--mqtt", "mqtt://a@broker", "--mqtt-password-file", "/nowhere"], "cannot read --mqtt-password-file"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    ended = run("serve", *options)
    assert ended.returncode != 0
    assert words in ended.stderr
    assert "secret" not in ended.stderr
