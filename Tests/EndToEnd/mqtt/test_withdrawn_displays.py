# SPDX-License-Identifier: Apache-2.0
"""Withdrawn mirrored displays, and ids that a kernel device and another daemon both claim."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.backlight import Backlight
from support.broker import MQTTClient
from support.events import Stream
from support.until import until

STATE = {
    "id": "0", "name": "Panel", "kind": "backlight", "brightness": 0.4, "baseline": 0.4,
    "raw": {"value": 40, "maximum": 100}, "percent": 40, "boost": None, "auto": {"enabled": False, "heldUntil": None},
    "power": {"on": None, "baseline": True, "switchable": False}, "available": True, "unavailable": None,
    "cause": {"kind": "api", "by": None, "reason": None, "at": "2026-11-21T06:00:00.123Z"},
    "revision": 7,
}  # fmt: skip
"""The retained topics of a display."""


@pytest.fixture
def other(broker):
    """A client that plays another daemon."""
    with MQTTClient(broker) as other:
        yield lambda topic, payload: other.publish(f"b/{topic}", payload, retain=True)


def kinds(client):
    return {state["id"]: state["kind"] for state in client.get("/v1/displays").json()["displays"]}


def test_a_kernel_device_takes_its_id_from_a_mirrored_display(start, broker, other, connect, tmp_path):
    (tmp_path / "sys/class/backlight").mkdir(parents=True)
    options = ["--display", "auto", "--sysfs-root", tmp_path / "sys", "--mqtt", broker.url("edge")]
    client = connect(start(*options, "--mirror", "b/+"))
    other("panel/status", "online")
    other("panel/0/state", json.dumps(STATE))
    until(lambda: kinds(client).get("panel:0") == "remote", "it is mirrored")
    Backlight(tmp_path / "sys", "panel:0")
    until(lambda: kinds(client).get("panel:0") == "backlight", "the panel has its id")
    # Neither a newer state nor the end of the other one concerns the panel.
    other("panel/0/state", json.dumps(STATE | {"brightness": 0.9}))
    other("panel/0/state", "")
    other("panel/1/state", json.dumps(STATE))
    until(lambda: kinds(client).get("panel:1") == "remote", "the next one is mirrored")
    answer = client.put("/v1/displays/panel:0/brightness", json={"raw": 480})
    assert (answer.status_code, answer.json()["kind"]) == (200, "backlight")


def test_a_node_with_less_gets_no_command_that_it_does_not_support(start, broker, other, connect):
    client = connect(start("--display", "none", "--mqtt", broker.url("edge"), "--mirror", "b/+"))
    other("hall/status", "online")
    less = {"version": "9", "leases": ["boost", "glow"], "power": False, "displays": False, "principals": True}
    other("hall/capabilities", json.dumps(less))
    other("hall/0/state", json.dumps(STATE))
    until(lambda: kinds(client).get("hall:0") == "remote", "it is mirrored")
    dim = {"kind": "dim"}
    until(
        lambda: client.post("/v1/displays/hall:0/leases", json=dim).status_code == 409,
        "the capabilities are known",
    )
    for method, path, body in [("POST", "leases", dim), ("POST", "wake", {}), ("PUT", "power", {"on": False})]:
        answer = client.request(method, f"/v1/displays/hall:0/{path}", json=body)
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/command-not-supported")
    other("hall/capabilities", json.dumps(less | {"leases": ["boost", "dim", "glow"]}))
    until(
        lambda: client.post("/v1/displays/hall:0/leases", json=dim).status_code == 503,
        "the dim is forwarded to a node that does not answer",
    )
    assert client.put("/v1/displays/hall:0/power", json={"on": False}).status_code == 409


def test_a_withdrawn_display_is_404(start, broker, other, connect):
    edge = start("--display", "none", "--mqtt", broker.url("edge"), "--mirror", "b/+")
    client = connect(edge)
    with Stream(edge.port, "/v1/events") as stream, ThreadPoolExecutor() as pool:
        # From here on the stream has every change.
        stream.next("health")
        other("hall/status", "online")
        other("hall/y/state", json.dumps(STATE))
        stream.next("display", lambda event: event.data == {"id": "hall:y", "change": "added"})
        until(lambda: client.get("/v1/brightness").json()["available"], "it is available")
        tag = client.get("/v1/displays/hall:y").headers["etag"]
        poll = pool.submit(client.get, "/v1/displays/hall:y?wait=60", headers={"If-None-Match": tag})
        other("hall/y/state", "")
        stream.next("display", lambda event: event.data == {"id": "hall:y", "change": "removed"})
        # Whether it was asked before or after the end.
        assert (poll.result().status_code, poll.result().json()["type"]) == (404, "/problems/display-not-found")
    assert client.get("/v1/displays").json()["displays"] == []
    for path in ("/v1/displays/hall:y", "/v1/brightness", "/v1/displays/hall:y/leases", "/v1/history?display=hall:y"):
        assert client.get(path).status_code == 404, path
    assert client.put("/v1/displays/hall:y/brightness", json={"brightness": 1}).status_code == 404
    assert client.post("/v1/boost").status_code == 404


def test_names_that_come_and_go_cost_no_memory(start, broker, other, connect):
    """The issue's 30,000 names took 40 MB and made each stream with a holder 300 times slower."""
    edge = start("--display", "simulated", "--mqtt", broker.url("edge"), "--mirror", "b/+")
    client = connect(edge)
    other("hall/status", "online")

    def settle():
        other("hall/last/state", json.dumps(STATE))
        until(lambda: "hall:last" in kinds(client), "all was read")
        other("hall/last/state", "")
        until(lambda: "hall:last" not in kinds(client), "all was read")

    def churn(numbers):
        for number in numbers:
            other(f"hall/{number}/state", json.dumps(STATE))
            other(f"hall/{number}/state", "")
            # The broker keeps 1,000 messages for a client that is slower, and drops more.
            if number % 200 == 199:
                settle()

    churn(range(4_000))
    costs = []
    for wave in (1, 2):
        before = edge.resident
        churn(range(4_000 * wave, 4_000 * (wave + 1)))
        costs.append(edge.resident - before)
    # The records of each name are in both; a mailbox that was never as full is in one.
    assert min(costs) < 1_000_000, costs
