# SPDX-License-Identifier: Apache-2.0
"""openapi.yaml held against what the daemon really answers: every exchange of every end-to-end test passes through here."""

import json
import re
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

FILE = Path(__file__).resolve().parents[3] / "openapi.yaml"
DOCUMENT = yaml.load(FILE.read_text(), yaml.CSafeLoader)
METHODS = ("get", "put", "post", "patch", "delete")

_STREAM = DOCUMENT["paths"]["/v1/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
EVENTS = {name: reference["$ref"].rsplit("/", 1)[-1] for name, reference in _STREAM["x-event-schemas"].items()}
"""The schema of each event."""

_URI = "urn:contract"
_REGISTRY = Registry().with_resource(_URI, DRAFT202012.create_resource(DOCUMENT))


def _pattern(template):
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))


_TEMPLATES = [(template, _pattern(template)) for template in DOCUMENT["paths"]]


def template_of(target):
    """The documented path a request target belongs to; `None` if there is none."""
    path = urlsplit(target).path
    return next((template for template, pattern in _TEMPLATES if pattern.fullmatch(path)), None)


def methods_of(template):
    """Returns the expected `Allow` of a documented path."""
    documented = {method.upper() for method in METHODS if method in DOCUMENT["paths"][template]}
    return documented | {"OPTIONS"} | ({"HEAD"} if "GET" in documented else set())


@cache
def validator(*pointer, closed=True):
    """Validates against the schema at a place in the document, refusing members that the schema does not name."""
    path = "/".join(quote(str(part).replace("~", "~0").replace("/", "~1")) for part in pointer)
    schema = {"$ref": f"{_URI}#/{path}"} | ({"unevaluatedProperties": False} if closed else {})
    return Draft202012Validator(schema, registry=_REGISTRY)


def schema(name):
    return validator("components", "schemas", name)


def validate(name, value):
    """Asserts that a value is what the schema of that name describes."""
    _assert_valid(schema(name), value, name)


def _assert_valid(checker, value, what):
    errors = [f"{error.json_path}: {error.message}" for error in checker.iter_errors(value)]
    assert not errors, (what, errors, value)


def resolve(node, pointer):
    """Follows a `$ref` of the document. Returns the node and where it really is."""
    if "$ref" not in node:
        return node, pointer
    pointer = [unquote(part).replace("~1", "/").replace("~0", "~") for part in node["$ref"][2:].split("/")]
    node = DOCUMENT
    for part in pointer:
        node = node[part]
    return node, pointer


_ANYWHERE = {400, 404, 408, 414, 421, 431}
"""The problems of a request whatever its path is."""
_OF_READS = _ANYWHERE | {403, 406}
_OF_WRITES = _OF_READS | {411, 412, 413, 415, 422}


def _documented_response(method, target, status):
    template = template_of(target)
    item = DOCUMENT["paths"].get(template, {})
    operation = "get" if method == "HEAD" else method.lower()
    if operation in METHODS and operation in item:
        responses = item[operation]["responses"]
        key = str(status)
        if key not in responses and status in (_OF_READS if operation == "get" else _OF_WRITES):
            key = "default"
        assert key in responses, f"{method} {template} answers {status}, which is not documented"
        return resolve(responses[key], ["paths", template, operation, "responses", key])
    if method == "OPTIONS" and template and status == 204:
        return {}, []
    refusals = _ANYWHERE if template is None else _ANYWHERE - {404} | {405}
    assert status in refusals, f"{method} {target} is not documented, but answers {status}"
    return resolve({"$ref": f"#/components/responses/{'MethodNotAllowed' if status == 405 else 'Problem'}"}, [])


def check(method, target, status, headers, body=None):
    """Asserts that an answer is one the document describes.

    - headers: with names in lowercase.
    - body: `None` for one that was not read, such as an event stream.
    """
    response, pointer = _documented_response(method, target, status)
    for name, node in response.get("headers", {}).items():
        header, place = resolve(node, [*pointer, "headers", name])
        value = headers.get(name.lower())
        assert value is not None or not header.get("required"), f"{method} {target} {status} without {name}: {headers}"
        if value is not None:
            number = header["schema"].get("type") == "integer"
            _assert_valid(validator(*place, "schema", closed=False), int(value) if number else value, name)
    content = response.get("content", {})
    media = headers.get("content-type", "").split(";")[0]
    if not content:
        assert not body, (method, target, status, body)
        return
    assert media in content, f"{method} {target} {status} is {media!r}, documented {list(content)}: {body!r}"
    if body is not None and media.endswith("json") and method != "HEAD":
        _assert_valid(validator(*pointer, "content", media, "schema"), json.loads(body), f"{method} {target} {status}")
