# SPDX-License-Identifier: Apache-2.0
"""Python clients generated from openapi.yaml read every document that the daemon serves, and lose no member of it."""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from support import contract
from support.client import Client
from support.daemon import Daemon
from support.events import Stream
from support.until import TIMEOUT
from support.wire import RESULT

PROGRAMS = Path(sys.executable).parent

def json_schema(operation):
    """The name of the schema of a successful answer; `None` for one without JSON or without a name."""
    response, _ = contract.resolve(operation["responses"].get("200", {}), [])
    schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return schema["$ref"].rsplit("/", 1)[-1] if "$ref" in schema else None


DOCUMENTS = {
    operation["operationId"]: (template, json_schema(operation))
    for template, item in contract.DOCUMENT["paths"].items()
    if (operation := item.get("get")) and json_schema(operation) and "{sensor}" not in template
}
"""The path and the schema of every document, by the operation that reads it."""


def run(program, *arguments):
    environment = os.environ | {"PATH": f"{PROGRAMS}:{os.environ['PATH']}"}
    done = subprocess.run([PROGRAMS / program, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def daemon():
    daemon = Daemon("--display", "simulated", "--display", "simulated:second", "--group", "everything=*", "--esphome", "0")
    yield daemon
    daemon.stop()


@pytest.fixture(scope="module")
def busy(daemon):
    """A daemon whose documents have every nullable member in its other form: a boost, a hold, a script."""
    with Client(daemon) as client:
        client.await_light()

        def change(method, path, body):
            assert client.request(method, path, json=body).is_success
        change("PUT", "/v1/auto", {"enabled": True})
        change("PUT", "/v1/brightness", {"percent": 40, "holder": "kiosk-3", "reason": "qr"})
        change("POST", "/v1/boost", {"holder": "kiosk-3", "ttl": 3600})
        change("PATCH", "/v1/simulator", {"script": "sunset"})
        change("PUT", "/v1/presets/night", {"displays": {"all": {"brightness": 0.2}, "simulated": {"on": True}}})
        change("PUT", "/v1/schedules/night", {"from": "03:00", "to": "04:00", "dim": 1, "transition": 1})
    return daemon


@pytest.fixture(scope="module")
def lease(busy):
    return httpx.get(f"{busy.url}/v1/boost", timeout=TIMEOUT).json()["leases"][0]["id"]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The package that openapi-python-client generates. Nothing but documents that are no JSON may be left out."""
    folder = tmp_path_factory.mktemp("generated")
    settings = folder / "settings.yaml"
    bytes_alone = ", ".join(f"{name}: application/octet-stream" for name in ("application/yaml", "image/png"))
    settings.write_text(f"content_type_overrides: {{{bytes_alone}}}\n")
    said = run(
        "openapi-python-client", "generate", "--path", contract.FILE, "--meta", "none", "--config", settings,
        "--output-path", folder / "generated_client",
    )  # fmt: skip
    assert "WARNING" not in said, said
    sys.path.insert(0, str(folder))
    yield importlib.import_module("generated_client")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The models that datamodel-code-generator generates."""
    file = tmp_path_factory.mktemp("models") / "generated_models.py"
    run(
        "datamodel-codegen", "--input", contract.FILE, "--input-file-type", "openapi", "--output", file,
        "--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.11",
        "--disable-future-imports", "--formatters", "builtin",
    )  # fmt: skip
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def snake(name):
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).replace("_j_s_o_n", "_json")


def call(generated, daemon, name, /, **arguments):
    """Calls an operation of the generated client; the parsed answer."""
    tags = next(
        operation["tags"]
        for item in contract.DOCUMENT["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict) and operation.get("operationId") == name
    )
    place = f"generated_client.api.{tags[0].lower().replace(' ', '_')}.{snake(name)}"
    client = generated.Client(base_url=daemon.url, headers=RESULT, timeout=TIMEOUT)
    answer = importlib.import_module(place).sync_detailed(client=client, **arguments)
    assert answer.status_code in (200, 201), answer
    return answer.parsed, json.loads(answer.content)


def arguments(template, lease):
    values = {"id": "simulated", "lease": lease, "name": "night", "group": "everything"}
    return {name: value for name, value in values.items() if f"{{{name}}}" in template}


def test_the_generated_client_reads_every_document_and_sends_commands(generated, busy, lease):
    """One test, because generating the client takes longer than all that it does."""
    for name, (template, _) in DOCUMENTS.items():
        parsed, document = call(generated, busy, name, **arguments(template, lease))
        assert parsed is not None, name
        assert_kept(parsed.to_dict(), document, name)
    models = importlib.import_module("generated_client.models")
    parsed, document = call(generated, busy, "setDefaultBrightness", body=models.BrightnessSetting(percent=30))
    assert (parsed.baseline, parsed.boost.leases, parsed.cause.kind) == (0.3, document["boost"]["leases"], "api")
    parsed, _ = call(generated, busy, "moveDefaultBrightness",
                     body=models.BrightnessDelta(delta=models.Delta(percent=-10)))  # fmt: skip
    assert parsed.baseline == 0.2
    parsed, _ = call(generated, busy, "boostDefault", body=models.BoostRequest(holder="generated", raw=900))
    assert (parsed.holder, parsed.brightness) == ("generated", 0.9)
    parsed, _ = call(generated, busy, "restoreDefault", body=models.RestoreRequest(holder="generated"))
    assert parsed.released == 1
    parsed, document = call(generated, busy, "setBrightnessOfAll", body=models.BrightnessSetting(brightness=0.5))
    assert_kept(parsed.to_dict(), document)
    assert [result.status for result in parsed.results] == [200, 200]


def assert_kept(value, document, place=""):
    """Asserts that a model has every member of a document, with its value."""
    if isinstance(document, dict):
        assert value.keys() == document.keys(), place
        for key in document:
            assert_kept(value[key], document[key], f"{place}/{key}")
    elif isinstance(document, list):
        assert len(value) == len(document), place
        for index, element in enumerate(document):
            assert_kept(value[index], element, f"{place}/{index}")
    elif isinstance(document, str) and document.endswith("Z") and value != document:
        # A client writes a time with as many digits as it needs, and the zone in its own form.
        assert datetime.fromisoformat(value) == datetime.fromisoformat(document), place
    else:
        assert value == document, place


def test_the_generated_models_read_every_document_and_every_event(models, busy, lease):
    """The events are those of a live stream."""

    def check(schema, document, place):
        model = getattr(models, schema).model_validate(document)
        assert_kept(json.loads(model.model_dump_json(by_alias=True, exclude_unset=True)), document, place)

    for name, (template, schema) in DOCUMENTS.items():
        path = template.format(id="simulated", lease=lease, name="night", group="everything")
        check(schema, httpx.get(busy.url + path, timeout=TIMEOUT).json(), name)
    seen = set()
    with Stream(busy.port) as stream:
        httpx.post(f"{busy.url}/v1/boost", json={"holder": "second"}, timeout=TIMEOUT)
        while not {"state", "boost", "ambient", "health", "simulator"} <= seen:
            event = stream.block()
            if event.name in contract.EVENTS:
                check(contract.EVENTS[event.name], event.data, event.name)
                seen.add(event.name)
