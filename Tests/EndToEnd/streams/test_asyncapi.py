# SPDX-License-Identifier: Apache-2.0
"""asyncapi.yaml is consistent. Every test of a WebSocket compares each message with it."""

import pytest
from jsonschema import Draft202012Validator

from support import messages
from support.messages import DOCUMENT, MESSAGES, REGISTRY

EXAMPLES = [(name, example["payload"]) for name, node in MESSAGES.items() for example in node.get("examples", [])]
COMMANDS = ["command", "commandForSeveral", "turnLight", "keepAwake", "reportIlluminance"]
PUBLISHED = [
    "publishStatus", "publishCapabilities", "publishAmbient", "publishState", "publishLeases", 
    "publishLight",
]  # fmt: skip
CALLS = [
    "get", "set", "move", "boost", "dim", "wake", "sleep", "power", "preset", "renew", "release", "restore",
    "auto", "settings", "subscribe", "provide", "changed", "withdraw",
]  # fmt: skip
TO_PROVIDERS = ["apply", "withdrawn"]


def references(node):
    """Every `$ref` below a node."""
    if isinstance(node, list):
        for part in node:
            yield from references(part)
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for part in node.values():
            yield from references(part)


def test_the_daemon_serves_asyncapi_yaml(client):
    answer = client.get("/asyncapi.yaml")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/yaml")
    assert answer.content == messages.FILE.read_bytes()


def test_every_reference_resolves():
    resolver = REGISTRY.resolver("http://daemon.invalid/asyncapi.yaml")
    found = set(references(DOCUMENT))
    assert len(found) > 50
    for reference in found:
        assert resolver.lookup(reference).contents


def test_operations_use_messages_of_their_channels():
    assert DOCUMENT["asyncapi"] == "3.1.0"
    for channel in DOCUMENT["channels"].values():
        assert channel.keys() <= {"address", "title", "description", "servers", "messages", "bindings", "parameters"}
    for name, operation in DOCUMENT["operations"].items():
        assert operation.keys() <= {"action", "summary", "description", "channel", "messages", "reply"}, name
        assert operation["action"] == ("receive" if name in CALLS + COMMANDS else "send")
        assert ("reply" in operation) == (name in [*CALLS, *COMMANDS, "apply"])
        for part in [operation, operation.get("reply", operation)]:
            channel = part["channel"]["$ref"]
            assert all(message.startswith(f"{channel}/messages/") for message in references(part["messages"])), name
    assert DOCUMENT["operations"].keys() == {*CALLS, *COMMANDS, *PUBLISHED, *TO_PROVIDERS, "streamEvents", "publishEvents"}


@pytest.mark.parametrize("name", MESSAGES)
def test_the_schemas_are_valid_json_schema(name):
    Draft202012Validator.check_schema(MESSAGES[name]["payload"])


@pytest.mark.parametrize(("name", "payload"), EXAMPLES)
def test_the_examples_match_their_schemas(name, payload):
    messages.validate(name, payload)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_with_an_unknown_member_is_invalid(name):
    assert messages.errors(name, {"jsonrpc": "2.0", "method": name, "params": {"brightnes": 1}, "id": 1})
    assert messages.errors(name, {"jsonrpc": "2.0", "method": name, "parms": {}, "id": 1})
