# SPDX-License-Identifier: Apache-2.0
"""Changes requests of schemathesis that could only fail, or would make all later ones fail."""

import unicodedata
from urllib.parse import quote, unquote

import schemathesis

NAME_LIMIT = 64


@schemathesis.hook
def before_call(context, case, kwargs):
    # A minute's wait for each.
    if case.query and isinstance(case.query.get("wait"), (int, float)) and 0 < case.query["wait"] <= 60:
        case.query["wait"] = 0.05
    if case.meta is None or case.meta.generation.mode.is_positive:
        relate(case)
    if isinstance(case.body, dict):
        # More steps than the simulated panel has, which a schema for all panels cannot know.
        if isinstance(case.body.get("raw"), (int, float)):
            case.body["raw"] %= 1_001
        if case.path == "/v1/simulator":
            for failure in ("unplugged", "refuses", "delay"):
                case.body.pop(failure, None)


def relate(case):
    """Facts that a schema cannot state: names are seen, that of the body is that of the path, an interval has a length."""
    if case.path_parameters and "name" in case.path_parameters:
        # It is in the form of a path already, and that form is checked against the schema again.
        name = seen(unquote(case.path_parameters["name"]))
        while len(quote(name, safe="")) > NAME_LIMIT:
            name = name[:-1]
        case.path_parameters["name"] = quote(name, safe="")
    if case.query and "from" in case.query:
        case.query.pop("to", None)
    if not isinstance(case.body, dict):
        return
    case.body = readable(case.body)
    # A lease would end before its link is followed.
    if isinstance(case.body.get("ttl"), (int, float)):
        case.body["ttl"] = max(case.body["ttl"], 60)
    relate_record(case.body)
    if "{name}" in case.path:
        case.body.pop("name", None)
    for member, key in (("presets", "name"), ("schedules", "name"), ("displays", "display")):
        if case.path.endswith("/configuration") and member in case.body:
            for record in case.body[member]:
                relate_record(record)
            case.body[member] = list({record[key].casefold(): record for record in case.body[member]}.values())


def readable(value):
    """The value without the members whose name has a NUL, which the daemon's parser rejects; no member has one."""
    if isinstance(value, list):
        return [readable(item) for item in value]
    if isinstance(value, dict):
        return {name: readable(item) for name, item in value.items() if "\0" not in name}
    return value


def relate_record(record):
    for member in ("name", "holder"):
        if isinstance(record.get(member), str):
            record[member] = seen(record[member])
    if "from" in record and record["from"] == record.get("to"):
        record.update({"from": "01:00", "to": "02:00"})


def seen(name):
    """The name without characters that nobody sees."""
    text = "".join(character for character in name if unicodedata.category(character)[0] in "LNPS")
    return text if text.strip(".") else "name"
