# SPDX-License-Identifier: Apache-2.0
"""openapi.yaml describes exactly what the daemon does. Every other test compares each response with it."""

import json
import re

import pytest
import yaml

from support import contract
from support.client import Client
from support.daemon import Daemon
from support.remote import HANDSHAKE
from support.wire import Connection

DOCUMENT = contract.DOCUMENT
OPERATIONS = [
    (method.upper(), template)
    for template, item in DOCUMENT["paths"].items()
    for method in item
    if method in contract.METHODS
]
SCHEMAS = {
    name: schema["examples"] for name, schema in DOCUMENT["components"]["schemas"].items() if "examples" in schema
}

NAME = "invalid-json"
"""The name of a problem type, and of the tests' schedule."""


@pytest.fixture(scope="module")
def daemon():
    """As everywhere, with a server for Home Assistant."""
    daemon = Daemon("--shards", "2", "--group", "everything=*", "--esphome", "0")
    with Client(daemon) as client:
        client.await_light()
    yield daemon
    daemon.stop()


def examples(template, method):
    """The example bodies of the document; `None` for an operation without a body."""
    body = DOCUMENT["paths"][template][method.lower()].get("requestBody")
    if body is None:
        return [None]
    body, _ = contract.resolve(body, [])
    shown = [example["value"] for example in body["content"]["application/json"]["examples"].values()]
    return shown if body["required"] else [None, *shown]


def test_the_daemon_serves_openapi_yaml(client):
    answer = client.get("/openapi.yaml")
    assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, "application/yaml")
    assert answer.content == contract.FILE.read_bytes()
    assert yaml.load(answer.content, yaml.CSafeLoader) == DOCUMENT


def test_the_document_is_served_as_json(client):
    assert client.get("/openapi.json").json() == json.loads(json.dumps(contract.DOCUMENT))


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_examples_match_their_schemas(name):
    for example in SCHEMAS[name]:
        contract.validate(name, example)


@pytest.mark.parametrize(
    ("method", "template", "body"),
    [(method, template, body) for method, template in OPERATIONS for body in examples(template, method)],
)
def test_every_documented_request_is_answered_as_documented(daemon, client, method, template, body):
    """Sends the example bodies of the document. A path with a lease, a schedule, a preset or a reading uses an existing one."""
    lease = client.boost(holder="kiosk-3")["id"]
    version = re.search("assets/([0-9a-f]+)/", client.get("/").text)[1]
    folder = "dashboard" if "{folder}" in template else None
    target = template.format(id="simulated", lease=lease, name=NAME, group="everything", part="feed", sensor="ambient_light",
                             version=version, folder=folder, file="card.js" if folder else "dashboard.css")
    if "/schedules" in template:
        client.put(f"/v1/schedules/{NAME}", json={"from": "03:00", "to": "04:00", "dim": 1})
    if "/presets" in template:
        client.put(f"/v1/presets/{NAME}", json={"displays": {"all": {"brightness": 0.5}}})
    if "/ambient" in template:
        client.put(f"/v1/ambient/{NAME}", json={"illuminance": 300})
    with Connection(daemon.port) as connection:
        content = None if body is None else json.dumps(body).encode()
        if template in ("/v1/events", "/events") and method == "GET":
            method = "HEAD"
        headers = HANDSHAKE if template == "/v1/ws" else None
        answer = connection.request(method, target, headers, content)
        assert answer.status in (101, 200, 201, 204)
    client.post("/v1/restore", json={"holder": "film"})
    if "/simulator" in template:
        client.patch("/v1/simulator", json={"sensors": True, "systemAutomatic": False})
        client.await_light()
    client.delete(f"/v1/presets/{NAME}")
    client.delete(f"/v1/schedules/{NAME}")
    client.delete(f"/v1/ambient/{NAME}")


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"]["ProblemName"]["enum"])
def test_every_problem_type_has_a_page(client, name):
    answer = client.get(f"/problems/{name}")
    assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, "text/plain")
    assert len(answer.text) > 40
