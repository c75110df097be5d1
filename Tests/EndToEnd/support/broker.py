# SPDX-License-Identifier: Apache-2.0
"""A real mosquitto on loopback, and clients that speak MQTT 5 with it."""

import contextlib
import json
import queue
import signal
import socket
import subprocess
import time
import uuid

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from . import contract
from .ports import free_port
from .threads import suspend
from .until import TIMEOUT, until


def end(client):
    """Disconnects a client, and waits for its thread, which may end while `loop_stop` looks at it."""
    client.disconnect()
    with contextlib.suppress(AttributeError):
        client.loop_stop()


class Broker:
    """Mosquitto on a port that stays the same when it is started again. Whatever it retains is lost then.

    - lines: more of its configuration; without any, every client may do everything.
    """

    def __init__(self, folder, *lines):
        self.port = free_port()
        self.configuration = folder / f"mosquitto-{self.port}.conf"
        usual = [f"listener {self.port} 127.0.0.1", "set_tcp_nodelay true", "log_dest none", "user root"]
        self.configuration.write_text("\n".join([*usual, *(lines or ["allow_anonymous true"])]) + "\n")
        self.process = None
        self.start()

    def start(self):
        assert self.process is None or self.process.poll() is not None
        self.process = subprocess.Popen(["mosquitto", "-c", str(self.configuration)])
        until(self._answers, "mosquitto listens")

    def _answers(self):
        assert self.process.poll() is None, "mosquitto ended"
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def kill(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()

    def hang(self):
        """Suspends the broker: it stops responding, and its connections stay open."""
        suspend(self.process)

    def wake(self):
        self.process.send_signal(signal.SIGCONT)

    def url(self, node="lobby", user=None, scheme="mqtt", prefix="b"):
        return f"{scheme}://{user + '@' if user else ''}127.0.0.1:{self.port}/{prefix}?node={node}"

    def stop(self):
        if self.process.poll() is None:
            self.kill()


class Message:
    """A message received on a topic."""

    def __init__(self, message):
        self.topic = message.topic
        self.at = time.monotonic()
        self.text = message.payload.decode()
        self.retained = message.retain
        properties = getattr(message, "properties", None)
        self.correlation = getattr(properties, "CorrelationData", None)
        self.type = getattr(properties, "ContentType", None)

    @property
    def json(self):
        return json.loads(self.text)

    def __repr__(self):
        return f"{self.topic} ({'retained' if self.retained else 'new'}): {self.text}"


class MQTTClient:
    """A client that subscribes to `filters`.

    - options: user and password, and the prefix of the daemons that it asks.
    """

    def __init__(self, broker, *filters, user=None, password=None, name=None, prefix="b"):
        self.answers_to = f"{prefix}/{name or uuid.uuid4().hex}/answers"
        self._heard = queue.Queue()
        self._answers = queue.Queue()
        self._ready = queue.Queue()
        self.latest = {}
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_message = self._take
        self._client.on_connect = lambda *_: self._client.subscribe([(f, mqtt.SubscribeOptions(1)) for f in all])
        self._client.on_subscribe = lambda *_: self._ready.put(True)
        all = [self.answers_to, *filters]
        self._client.connect("127.0.0.1", broker.port)
        # Otherwise the second of two messages waits for the acknowledgement of the first.
        self._client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client.loop_start()
        self._ready.get(timeout=TIMEOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self._client)

    def _take(self, client, _, message):
        message = Message(message)
        if message.topic == self.answers_to:
            self._answers.put(message)
        else:
            self.latest[message.topic] = message
            self._heard.put(message)

    def next(self, where=lambda message: True, within=TIMEOUT):
        """The next message for which `where` holds; others are passed over."""
        deadline = time.monotonic() + within
        while True:
            try:
                message = self._heard.get(timeout=max(deadline - time.monotonic(), 0.001))
            except queue.Empty:
                raise AssertionError(f"nothing more came within {within} s; last: {self.latest}") from None
            if where(message):
                return message

    def on(self, topic, where=lambda message: True, within=TIMEOUT):
        """The next message on this topic."""
        return self.next(lambda message: message.topic == topic and where(message), within)

    def says(self, topic, member):
        """A member of the newest message on this topic; `None` if there is none."""
        message = self.latest.get(topic)
        return message.json[member] if message and message.text else None

    def publish(self, topic, payload="", retain=False, properties=None):
        body = payload if isinstance(payload, str) else json.dumps(payload)
        self._client.publish(topic, body, 1, retain, properties).wait_for_publish(TIMEOUT)

    def ask(self, topic, payload="", within=TIMEOUT):
        """Publishes a command; its answer."""
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = self.answers_to
        properties.CorrelationData = uuid.uuid4().bytes
        body = payload if isinstance(payload, str) else json.dumps(payload)
        self._client.publish(topic, body, 1, properties=properties)
        while True:
            answer = self._answers.get(timeout=within)
            if answer.correlation == properties.CorrelationData:
                return answer


def retained(broker, topic, where=lambda message: True):
    """Returns the retained message there, read by new clients until `where` holds."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        with MQTTClient(broker, topic) as newcomer:
            try:
                message = newcomer.on(topic, within=0.5)
            except AssertionError:
                message = None
        # A message published during the connection is not a retained one.
        if message and message.retained and where(message):
            return message
        assert time.monotonic() < deadline, f"the broker retains {message} at {topic}"


def problem(answer):
    """The name of the problem that an answer is."""
    assert answer.type == "application/problem+json", answer
    contract.validate("Problem", answer.json)
    return answer.json["type"].removeprefix("/problems/")


def result(answer, schema="State"):
    """Returns the document of an answer, validated against the contract."""
    assert answer.type == "application/json", answer
    contract.validate(schema, answer.json)
    return answer.json
