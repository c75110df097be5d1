# SPDX-License-Identifier: Apache-2.0
"""asyncapi.yaml held against what really goes over a WebSocket: every message of every test passes through here."""

from functools import cache
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from . import contract

FILE = Path(__file__).resolve().parents[3] / "asyncapi.yaml"
DOCUMENT = yaml.load(FILE.read_text(), yaml.CSafeLoader)
MESSAGES = DOCUMENT["components"]["messages"]

_HOME = "http://daemon.invalid/"
REGISTRY = Registry().with_resources(
    [
        (_HOME + "asyncapi.yaml", DRAFT202012.create_resource(DOCUMENT)),
        (_HOME + "openapi.yaml", DRAFT202012.create_resource(contract.DOCUMENT)),
    ]
)
EVENTS = contract.EVENTS
RESULTS = {"state": "RestoredState", "displays": "Displays", "lease": "GrantedLease", "results": "Results"}


@cache
def _validator(message):
    schema = {"$ref": f"{_HOME}asyncapi.yaml#/components/messages/{message}/payload"}
    return Draft202012Validator(schema, registry=REGISTRY)


def errors(message, value):
    """Why a value is not the message of that name."""
    return [f"{error.json_path}: {error.message}" for error in _validator(message).iter_errors(value)]


def _names(references):
    return [reference["$ref"].rsplit("/", 1)[1] for reference in references]


def replies(method):
    """The messages that a call of this method may be answered with."""
    return _names(DOCUMENT["operations"][method]["reply"]["messages"])


def validate(message, value):
    """Asserts that a value is the message of that name, without a member that no schema names."""
    assert not (found := errors(message, value)), (message, found, value)
    if message in RESULTS:
        contract.validate(RESULTS[message], value["result"])
    if message == "error":
        contract.validate("Problem", value["error"]["data"])
        assert value["error"]["data"]["type"].removeprefix("/problems/") in _problems()
    if isinstance(value, dict) and "params" in value and value["method"] in EVENTS and "id" not in value:
        contract.validate(EVENTS[value["method"]], value["params"])


def _problems():
    return contract.DOCUMENT["components"]["schemas"]["ProblemName"]["enum"]


def validate_event(value):
    """Asserts that a value is a documented event, or a call of the daemon."""
    names = _names(DOCUMENT["operations"]["publishEvents"]["messages"])
    channel = DOCUMENT["channels"]["webSocket"]["messages"]
    # Messages of the daemon to a client that provides displays.
    for name in [*names, "apply", "withdrawn"]:
        [message] = _names([channel[name]])
        if not errors(message, value):
            return validate(message, value)
    raise AssertionError(f"no documented event: {value}")


def validate_answer(value, method=None):
    """Asserts that a value is a documented answer: to a call of `method`, or an error if there was none."""
    if method is None or method not in DOCUMENT["operations"]:
        return validate("error", value)
    for name in replies(method):
        if not errors(name, value):
            return validate(name, value)
    raise AssertionError(f"no documented answer to {method}: {value}")
