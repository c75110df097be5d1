# SPDX-License-Identifier: Apache-2.0
"""States, commands and answers over a real MQTT broker."""

import statistics
import time

import httpx
import pytest

from support import contract
from support.broker import TIMEOUT, MQTTClient, problem, result, retained
from support.until import until

ONLINE = "MQTT: connected"
STATE = "b/lobby/simulated/state"


def ask_state(daemon):
    return httpx.get(f"{daemon.url}/v1/brightness", verify=False, timeout=TIMEOUT).json()


def keeps_what_is_so(broker, daemon, node="lobby"):
    state = ask_state(daemon)
    retained(broker, f"b/{node}/simulated/state", lambda message: message.json == state)


def test_state_leases_light_and_status_are_retained(lobby, shared_broker, connect):
    client = connect(lobby)
    state = client.set(0.3)
    found = retained(shared_broker, STATE, lambda message: message.json == state)
    assert found.json == state
    assert found.type == "application/json"
    contract.validate("State", found.json)
    contract.validate("Leases", retained(shared_broker, "b/lobby/simulated/leases").json)
    assert retained(shared_broker, "b/lobby/capabilities").json["leases"] == ["boost", "dim", "wake", "sleep"]
    contract.validate("Ambient", retained(shared_broker, "b/lobby/ambient").json)
    assert retained(shared_broker, "b/lobby/status").text == "online"


def test_every_change_is_published(lobby, subscriber, connect):
    client = connect(lobby)
    state = client.set(0.25)
    # Not what an earlier test's daemon left there.
    assert subscriber.on(STATE, lambda message: message.json == state)
    lease = client.boost(holder="kiosk-3", reason="qr")
    del lease["limitedBy"]
    assert subscriber.on("b/lobby/simulated/leases", lambda message: message.json == {"leases": [lease]})


def test_a_command_is_answered_with_the_new_state(lobby, subscriber, connect):
    state = result(subscriber.ask("b/lobby/simulated/set", {"percent": 70, "holder": "maria", "reason": "dark"}))
    assert (state["brightness"], state["cause"]["kind"], state["cause"]["by"]) == (0.7, "mqtt", "maria")
    assert connect(lobby).state == state


def test_every_kind_of_lease_and_power_are_commands(lobby, subscriber, connect):
    client = connect(lobby)
    for kind in ("dim", "wake", "sleep"):
        lease = result(subscriber.ask(f"b/lobby/simulated/{kind}", {"holder": "maria", "ttl": 60}), "Lease")
        assert (lease["kind"], lease["principal"]) == (kind, "mqtt")
    state = result(subscriber.ask("b/lobby/simulated/power", {"on": False}))
    assert (state["power"]["on"], state["wake"]["overridden"], state["cause"]["kind"]) == (False, True, "mqtt")
    assert subscriber.on("b/lobby/simulated/leases", lambda message: len(message.json["leases"]) == 3)
    state = result(subscriber.ask("b/lobby/simulated/restore", {"holder": "maria", "kind": "dim"}), "RestoredState")
    assert (state["dim"], state["sleep"]["leases"]) == (None, 1)
    state = result(subscriber.ask("b/lobby/simulated/restore", {"holder": "maria"}), "RestoredState")
    assert (state["sleep"], state["power"]["on"]) == (None, False)
    assert result(subscriber.ask("b/lobby/simulated/power", {"on": True}))["power"]["on"] is True
    assert client.state["power"]["on"] is True


def test_boost_renew_release_and_restore(lobby, subscriber, connect):
    client = connect(lobby)
    lease = result(subscriber.ask("b/lobby/simulated/boost", {"holder": "kiosk-3", "ttl": 60}), "Lease")
    assert client.get(f"/v1/displays/simulated/leases/{lease['id']}").json() == lease
    assert lease["lifespan"] == "custom"
    again = result(subscriber.ask("b/lobby/simulated/renew", {"lease": lease["id"], "ttl": 600}), "Lease")
    assert (again["id"], again["until"] > lease["until"]) == (lease["id"], True)
    change = {"lease": lease["id"], "percent": 70, "lifespan": "lifetime", "reason": "code"}
    again = result(subscriber.ask("b/lobby/simulated/renew", change), "Lease")
    assert again == lease | {"brightness": 0.7, "lifespan": "lifetime", "until": None, "reason": "code"}
    result(subscriber.ask("b/lobby/simulated/restore", ""), "RestoredState")
    assert client.state["boost"], "somebody else's restore ended it"
    assert result(subscriber.ask("b/lobby/simulated/release", {"lease": lease["id"]}))["boost"] is None
    assert problem(subscriber.ask("b/lobby/simulated/release", {"lease": lease["id"]})) == "lease-ended"


def test_a_boost_expires_after_its_ttl(lobby, subscriber):
    result(subscriber.ask("b/lobby/simulated/boost", {"ttl": 0.5}), "Lease")
    ended = subscriber.on(STATE, lambda message: message.json["cause"]["kind"] == "expired")
    assert ended.json["boost"] is None


def test_all_stands_for_every_node_and_every_display(start, shared_broker, subscriber):
    nodes = {}
    for node in ("east", "west"):
        options = ["--display", "simulated:a", "--display", "simulated:b", "--mqtt", shared_broker.url(node)]
        nodes[node] = start(*options)
        nodes[node].line(ONLINE)
    subscriber.publish("b/all/all/boost", {"holder": "fire"})
    topics = [f"b/{node}/{display}/state" for node in nodes for display in "ab"]
    until(lambda: all(subscriber.says(topic, "boost") for topic in topics), "all are boosted")
    answer = subscriber.ask("b/east/all/restore", {"holder": "fire"})
    assert [entry["status"] for entry in result(answer, "Results")["results"]] == [200, 200]


@pytest.mark.parametrize(
    "topic, body, name",
    [
        ("set", '{"percent":', "invalid-json"),
        ("set", {"percent": 101}, "invalid-body"),
        ("set", {"percen": 70}, "invalid-body"),
        ("set", "", "invalid-body"),
        ("boost", {"lifespan": "visible"}, "invalid-body"),
        ("boost", " " * 16_385, "body-too-large"),
        ("renew", {"lease": "none", "ttl": 1}, "lease-not-found"),
        ("renew", {"lease": "none"}, "invalid-body"),
    ],
)
def test_an_invalid_command_is_answered_with_a_problem(lobby, subscriber, topic, body, name):
    before = ask_state(lobby)
    assert problem(subscriber.ask(f"b/lobby/simulated/{topic}", body)) == name
    assert ask_state(lobby) == before


def test_a_visible_lease_ends_although_another_principal_has_a_stream_of_the_holder(lobby, subscriber):
    accept = {"Accept": "text/event-stream"}
    with httpx.stream("GET", f"{lobby.url}/v1/events?holder=page", headers=accept, verify=False, timeout=TIMEOUT) as stream:
        assert stream.status_code == 200
        boost = {"holder": "page", "lifespan": "visible"}
        lease = result(subscriber.ask("b/lobby/simulated/boost", boost), "GrantedLease")
        assert lease["ending"]
        assert "The principal mqtt has no event stream" in lease["warning"]


def test_the_debug_log_has_refused_commands(start, shared_broker, subscriber):
    daemon = start("--mqtt", shared_broker.url("cabin"), "--log-level", "debug")
    daemon.line(ONLINE)
    assert problem(subscriber.ask("b/cabin/simulated/set", {"percent": 101})) == "invalid-body"
    assert daemon.line(r'debug: MQTT: b/cabin/simulated/set: \{"type":"/problems/invalid-body"')


def test_an_unknown_display_is_a_problem(lobby, subscriber):
    assert problem(subscriber.ask("b/lobby/nobody/set", {"percent": 1})) == "display-not-found"


def test_a_repeated_command_changes_nothing_more(lobby, subscriber, connect):
    client = connect(lobby)
    for _ in range(3):
        subscriber.publish("b/lobby/simulated/set", {"raw": 300})
        subscriber.publish("b/lobby/simulated/boost", {"holder": "kiosk-3"})
    result(subscriber.ask("b/lobby/simulated/set", {"raw": 300}))
    assert len(client.get("/v1/displays/simulated/boost").json()["leases"]) == 1
    assert client.state["baseline"] == 0.3


def test_a_retained_command_is_ignored(start, shared_broker, subscriber):
    subscriber.publish("b/hall/simulated/set", {"raw": 300}, retain=True)
    daemon = start("--mqtt", shared_broker.url("hall"))
    daemon.line(ONLINE)
    result(subscriber.ask("b/hall/simulated/boost", {}), "Lease")
    assert ask_state(daemon)["baseline"] == 0.4
    subscriber.publish("b/hall/simulated/set", "", retain=True)


def test_topics_of_an_earlier_run_are_removed(start, shared_broker, subscriber):
    subscriber.publish("b/attic/gone/state", {"id": "gone"}, retain=True)
    subscriber.on("b/attic/gone/state")
    start("--mqtt", shared_broker.url("attic"))
    assert subscriber.on("b/attic/gone/state").text == ""


def test_of_commands_over_the_write_limit_the_last_is_carried_out(start, connect, shared_broker, subscriber):
    daemon = start("--mqtt", shared_broker.url("dam"), "--limit", "writes=1")
    daemon.line(ONLINE)
    client = connect(daemon)
    for number in range(60):
        subscriber.publish("b/dam/simulated/set", {"raw": 300 + number})
    until(lambda: client.state["raw"]["value"] == 359, "the last value")
    daemon.line("More than 1 writes a second")
    # Other clients are not the broker.
    assert client.set(0.2)["brightness"] == 0.2
    assert subscriber.ask("b/dam/simulated/set", {"percent": 60}).type == "application/json"


def test_the_round_trip_of_commands(start, shared_broker, subscriber):
    start("--mqtt", shared_broker.url(), "--limit", "writes=none").line(ONLINE)
    took = []
    for step in range(100):
        begin = time.perf_counter()
        result(subscriber.ask("b/lobby/simulated/set", {"raw": 300 + step}))
        took.append((time.perf_counter() - begin) * 1_000)
    print(f"round trip of a command, ms: median {statistics.median(took):.2f}, 99 % {sorted(took)[98]:.2f}")


def test_a_stop_restores_the_display_and_publishes_offline(start, shared_broker, subscriber):
    daemon = start("--mqtt", shared_broker.url("cellar"))
    daemon.line(ONLINE)
    result(subscriber.ask("b/cellar/simulated/boost", {}), "Lease")
    daemon.stop()
    # First, so that a gateway does not take the end of its client's boost for a release.
    subscriber.on("b/cellar/status", lambda message: message.text == "offline")
    assert subscriber.on("b/cellar/simulated/leases").json["leases"] == []
    assert subscriber.on("b/cellar/simulated/state").json["boost"] is None
    assert retained(shared_broker, "b/cellar/status").text == "offline"


def test_a_stop_retains_no_boost(start, connect, shared_broker, subscriber):
    """More than may be under way to the broker at a time."""
    names = [f"panel{number}" for number in range(12)]
    daemon = start("--mqtt", shared_broker.url("hotel"), *(word for name in names for word in ("--display", f"simulated:{name}")))
    daemon.line(ONLINE)
    assert connect(daemon).post("/v1/displays/all/boost", json={"ttl": 600}).status_code == 200
    subscriber.on("b/hotel/panel11/leases", lambda message: message.json["leases"])
    begin = time.monotonic()
    daemon.stop()
    if time.monotonic() - begin > 1:
        pytest.skip("the broker may have been late for the second that it has")
    with MQTTClient(shared_broker, "b/hotel/#") as newcomer:
        newcomer.on("b/hotel/status", lambda message: message.text == "offline")
        topics = {f"b/hotel/{name}/{what}" for name in names for what in ("state", "leases")}
        until(lambda: topics <= newcomer.latest.keys(), "all came")
        for name in names:
            assert newcomer.latest[f"b/hotel/{name}/state"].json["boost"] is None, name
            assert newcomer.latest[f"b/hotel/{name}/leases"].json["leases"] == [], name


def test_the_last_will_of_a_killed_daemon_is_offline(start, shared_broker, subscriber):
    daemon = start("--mqtt", shared_broker.url("roof"))
    daemon.line(ONLINE)
    subscriber.on("b/roof/status", lambda message: message.text == "online")
    daemon.kill()
    assert subscriber.on("b/roof/status").text == "offline"
    assert retained(shared_broker, "b/roof/status").text == "offline"
