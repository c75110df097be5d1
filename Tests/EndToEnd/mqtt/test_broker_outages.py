# SPDX-License-Identifier: Apache-2.0
"""A broker that is absent, killed, silent or old; HTTP is served as before."""

import json
import os
import threading
import time

import httpx

from support.broker import TIMEOUT, Broker, retained
from support.old_broker import OldBroker
from support.relay import Relay
from support.until import until

ONLINE = "MQTT: connected"
STATE = "b/lobby/simulated/state"
FLAPS = int(os.environ.get("BRIGHTNESSD_FLAPS", "5"))
AWAY = float(os.environ.get("BRIGHTNESSD_AWAY", "2"))


def ask_state(daemon):
    return httpx.get(f"{daemon.url}/v1/brightness", verify=False, timeout=TIMEOUT).json()


def keeps_what_is_so(broker, daemon, node="lobby"):
    state = ask_state(daemon)
    retained(broker, f"b/{node}/simulated/state", lambda message: message.json == state)


def connected(daemon):
    return httpx.get(f"{daemon.url}/readyz", verify=False, timeout=TIMEOUT).json()["mqtt"]["state"] == "connected"


def test_without_a_broker_the_daemon_runs_and_reports_it(start, connect, tmp_path):
    broker = Broker(tmp_path)
    broker.kill()
    daemon = start("--mqtt", broker.url())
    daemon.line("MQTT: no connection to the broker: Connection refused")
    client = connect(daemon)
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["mqtt"]) == (200, {"state": "away", "detail": "Connection refused"})
    state = client.set(0.6)
    broker.start()
    found = retained(broker, STATE, lambda message: message.json == state)
    assert found.json == state
    broker.stop()


def test_a_gateway_is_ready_only_with_its_broker(start, connect, tmp_path):
    broker = Broker(tmp_path)
    broker.kill()
    client = connect(start("--mqtt", broker.url(), "--mirror", "b/+"))
    assert client.get("/readyz").status_code == 503
    assert "brightnessd_mqtt_connected 0" in client.get("/metrics").text
    broker.start()
    until(lambda: client.get("/readyz").status_code == 200, "it is ready")
    assert "brightnessd_mqtt_connected 1" in client.get("/metrics").text
    broker.stop()


def test_a_broker_of_mqtt_3_1_1_is_supported(start):
    broker = OldBroker()
    daemon = start("--mqtt", f"mqtt://127.0.0.1:{broker.port}/b?node=lobby")
    daemon.line(ONLINE)
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
        until(lambda: self._failure or self.count > seen + 3, "HTTP goes on")

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()
        if self._failure:
            raise self._failure
        print(f"HTTP during the outage: {self.count} answers, the slowest after {self.longest * 1000:.1f} ms")
        assert self.count > 0


def test_http_is_served_while_the_broker_restarts(start, broker):
    daemon = start("--mqtt", broker.url())
    daemon.line(ONLINE)
    with Pulse(daemon) as pulse:
        for _ in range(FLAPS):
            broker.kill()
            pulse.goes_on()
            broker.start()
            pulse.goes_on()
    keeps_what_is_so(broker, daemon)


def test_http_is_served_while_the_broker_is_away(start, broker):
    daemon = start("--mqtt", broker.url())
    daemon.line(ONLINE)
    with Pulse(daemon) as pulse:
        broker.kill()
        until(lambda: not connected(daemon), "it is noticed")
        end = time.monotonic() + AWAY
        while time.monotonic() < end:
            pulse.goes_on()
        broker.start()
        begin = time.monotonic()
        until(lambda: connected(daemon), "it is connected again")
        print(f"the broker was away for {AWAY:.0f} s: connected {time.monotonic() - begin:.1f} s after its start")
        pulse.goes_on()
    keeps_what_is_so(broker, daemon)


def test_a_silent_broker_is_noticed_while_http_is_served(start, broker, shared_broker, subscriber):
    """Of a broker that hangs, and of a way to another that swallows what is sent: no connection is closed."""
    way = Relay(shared_broker.port)
    hanging = start("--mqtt", broker.url())
    cut_off = start("--mqtt", f"mqtt://127.0.0.1:{way.port}/b?node=stairs")
    for daemon in (hanging, cut_off):
        daemon.line(ONLINE)
    subscriber.on("b/stairs/status", lambda message: message.text == "online")
    before = hanging.resident
    broker.hang()
    way.swallow()
    begin = time.monotonic()
    with Pulse(hanging) as pulse, Pulse(cut_off) as other:
        for daemon in (hanging, cut_off):
            until(lambda daemon=daemon: not connected(daemon), "the silence is noticed")
        print(f"the silence was noticed after at most {time.monotonic() - begin:.0f} s")
        gone = subscriber.on("b/stairs/status")
        assert gone.text == "offline"
        print(f"the broker published the last will {gone.at - begin:.0f} s after the way to it went silent")
        pulse.goes_on()
        other.goes_on()
        broker.wake()
        way.heal()
        for daemon in (hanging, cut_off):
            until(lambda daemon=daemon: connected(daemon), "it is connected again")
        pulse.goes_on()
        other.goes_on()
    assert subscriber.on("b/stairs/status").text == "online"
    keeps_what_is_so(broker, hanging)
    keeps_what_is_so(shared_broker, cut_off, "stairs")
    assert hanging.resident < before + 32_000_000
    cut_off.stop()
    way.stop()
