# SPDX-License-Identifier: Apache-2.0
"""Tokens that may change some displays only. No operation of the document and no call reaches another display."""

import itertools
from types import SimpleNamespace

import pytest

from support import contract
from support.remote import Remote
from support.schedules import clock

ADMIN, MINE, KIOSK, BY_GROUP = "admin-0123456789a", "mine-0123456789ab", "kiosk-0123456789a", "group-0123456789a"
LINES = [
    f"boss:admin:{ADMIN}",
    f"mine:admin[mi*,tag:mine]:{MINE}",
    f"kiosk:write[mine]:{KIOSK}",
    f"group:write[group:own]:{BY_GROUP}",
]
WRITES = [
    (method.upper(), template, operation)
    for template, item in contract.DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method in {"put", "post", "patch", "delete"}
]
TARGETS = ["mine", "other", "all", "own", "rest", "both"]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def house(start, connect, tmp_path):
    """A client without a token; a daemon with the displays `other`, which is the default one, and `mine`."""
    file = tmp_path / "tokens"
    file.write_text("\n".join(LINES))
    file.chmod(0o600)
    groups = ("--group", "own=mine", "--group", "rest=other", "--group", "both=*")
    return connect(
        start("--display", "simulated:other", "--display", "simulated:mine", "--token-file", file, "--time-zone", "UTC", *groups)
    )


def untouched(client):
    """Everything that a limited token must not change: the other display, its leases, the schedules and the light reports."""
    headers = bearer(ADMIN)
    state = client.get("/v1/displays/other", headers=headers).json()
    leases = client.get("/v1/displays/other/leases", headers=headers).json()
    schedules = client.get("/v1/schedules", headers=headers).json()["schedules"]
    return {key: value for key, value in state.items() if key != "raw"}, leases, schedules


def bodies(operation):
    """The example bodies of an operation, and an empty one."""
    body = operation.get("requestBody")
    if body is None:
        return [None]
    body, _ = contract.resolve(body, [])
    examples = body["content"]["application/json"]["examples"].values()
    return [None, {"all": True}, *(example["value"] for example in examples)]


def paths(client, template):
    """The paths of a template, with the other display's leases among them."""
    leases = client.get("/v1/displays/other/leases", headers=bearer(ADMIN)).json()["leases"]
    places = {"{id}": TARGETS, "{group}": TARGETS, "{name}": ["night"], "{lease}": [lease["id"] for lease in leases]}
    names = [name for name in places if name in template]
    for values in itertools.product(*(places[name] for name in names)):
        path = template
        for name, value in zip(names, values):
            path = path.replace(name, value)
        yield path
        if template.count("/") == 2 and "{" not in template:
            yield f"{path}?display=other"


@pytest.mark.parametrize("token", [MINE, KIOSK, BY_GROUP])
def test_no_operation_reaches_another_display(house, token):
    for kind in ("boost", "dim", "wake"):
        granted = house.post(f"/v1/displays/other/{kind}", json={"holder": "boss", "ttl": 3_000}, headers=bearer(ADMIN))
        assert granted.status_code == 201
    # Not in this test.
    schedule = {"from": clock(600), "to": clock(601), "dim": 0.5}
    assert house.put("/v1/schedules/night", json=schedule, headers=bearer(ADMIN)).status_code == 201
    before = untouched(house)
    done = []
    for method, template, operation in WRITES:
        for path, body in itertools.product(paths(house, template), bodies(operation)):
            answer = house.request(method, path, json=body, headers=bearer(token))
            done.append((method, path, answer.status_code))
            if answer.status_code in (200, 207) and "results" in answer.json():
                assert {result["display"] for result in answer.json()["results"]} <= {"mine"}
        assert untouched(house) == before, (method, template)
    statuses = {status for _, _, status in done}
    assert {200, 201, 403} <= statuses, statuses
    assert len(done) > 200


@pytest.mark.parametrize("token", [KIOSK, BY_GROUP])
def test_no_call_reaches_another_display(house, token):
    before = untouched(house)
    params = {
        "set": {"brightness": 0.1}, "move": {"delta": -0.5}, "boost": {}, "dim": {"brightness": 0.1}, "wake": {},
        "sleep": {}, "power": {"on": False}, "restore": {}, "auto": {"enabled": False},
        "renew": {"lease": "x", "ttl": 1}, "release": {"lease": "x"},
    }  # fmt: skip
    targets = [{}, {"display": "other"}, {"display": "all"}, {"group": "rest"}, {"group": "both"}]
    with Remote(SimpleNamespace(port=house.base_url.port), f"/v1/ws?access_token={token}", False) as remote:
        for target in targets:
            for method, body in params.items():
                remote.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": body | target})
                answer = remote.answer()
                if "error" in answer:
                    assert answer["error"]["data"]["status"] in (403, 404, 409, 422, 429)
                else:
                    assert [result["display"] for result in answer["result"]["results"]] == ["mine"]
            assert untouched(house) == before, target
