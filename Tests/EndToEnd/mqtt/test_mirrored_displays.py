# SPDX-License-Identifier: Apache-2.0
"""Displays of other daemons, shown and changed through one daemon at the same broker."""

import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

from support import contract
from support.broker import TIMEOUT, MQTTClient, problem
from support.events import Stream
from support.until import until


@pytest.fixture
def building(start, broker, connect):
    """Two nodes, `east` and `west`, and an edge that shows both; a client of each."""

    def node(name, *options):
        daemon = start("--display", "simulated:panel", "--mqtt", broker.url(name), *options)
        daemon.line("MQTT: connected")
        return daemon

    class Building:
        east, west = node("east"), node("west")
        edge = node("edge", "--mirror", "b/+")
        clients = {"east": connect(east), "west": connect(west), "edge": connect(edge)}

        def shown(self, name):
            """Returns the gateway's state of a node's panel; `None` if it has none."""
            states = self.clients["edge"].get("/v1/displays").json()["displays"]
            return next((state for state in states if state["id"] == f"{name}:panel"), None)

        def until(self, name, condition, what):
            return until(
                lambda: (state := self.shown(name)) and condition(state) and state, what, within=TIMEOUT
            )

    building = Building()
    for name in ("east", "west"):
        building.until(name, lambda state: state["available"], f"{name} is shown")
    return building


def test_displays_of_other_nodes_are_listed(building):
    state = building.clients["east"].set(0.3)
    shown = building.until("east", lambda shown: shown["brightness"] == 0.3, "the change is shown")
    contract.validate("State", shown)
    same = state.keys() - {"id", "name", "kind", "revision"}
    state["cause"]["principal"] = "b/east/anonymous"
    assert {key: shown[key] for key in same} == {key: state[key] for key in same}
    assert (shown["kind"], shown["name"]) == ("remote", "east: Simulated display panel")


def test_a_display_is_named_at_its_node_and_at_the_edge(building):
    edge, east = building.clients["edge"], building.clients["east"]
    settings = "/v1/displays/panel/settings"
    east.put(settings, json={"name": "Left"})
    building.until("east", lambda shown: shown["name"] == "east: Left", "the name is shown")
    answer = edge.put("/v1/displays/east:panel/settings", json={"name": "Right"})
    assert (answer.status_code, answer.json()["name"]) == (200, "east: Right")
    assert east.get(settings).json()["name"] == "Right"
    assert east.state["cause"]["principal"] == "b/edge/anonymous"
    answer = edge.put("/v1/displays/east:panel/settings", json={"name": " "})
    assert answer.status_code == 422
    assert edge.get("/v1/displays/east:panel/settings").status_code == 404
    assert edge.put("/v1/displays/east:panel/settings", json={"name": None}).status_code == 200
    building.until("east", lambda shown: shown["name"] == "east: Simulated display panel", "its own name is shown")


def test_a_preset_at_the_edge_is_applied_at_each_node(building):
    edge, east, west = (building.clients[name] for name in ("edge", "east", "west"))
    before = [client.set(0.5)["baseline"] for client in (east, west)]
    rules = {"east:*": {"brightness": 0.3, "on": False}, "west:*": {"brightness": 0.8}}
    assert edge.put("/v1/presets/film", json={"displays": rules}).status_code == 201
    answer = edge.post("/v1/presets/film/apply", json={"ttl": 60, "holder": "film"})
    assert {result["display"]: result["status"] for result in answer.json()["results"]} == {"east:panel": 200, "west:panel": 200}
    assert (east.state["brightness"], east.state["power"]["on"], west.state["brightness"]) == (0.3, False, 0.8)
    assert [client.state["baseline"] for client in (east, west)] == before
    edge.post("/v1/displays/all/restore", json={"holder": "film"})
    assert [client.state["brightness"] for client in (east, west)] == before
    answer = edge.post("/v1/presets/film/apply", json={})
    assert [client.state["baseline"] for client in (east, west)] == [0.3, 0.8]
    assert west.state["cause"]["reason"] == "film"
    east.put("/v1/power", json={"on": True})
    edge.delete("/v1/presets/film")


def test_a_boost_at_the_edge_is_a_boost_at_the_node(building):
    edge, east = building.clients["edge"], building.clients["east"]
    answer = edge.post("/v1/displays/east:panel/boost", json={"holder": "kiosk-3", "reason": "qr", "ttl": 60})
    assert answer.status_code == 201
    lease = answer.json()
    [held] = east.get("/v1/displays/panel/boost").json()["leases"]
    assert (lease["holder"], lease["principal"]) == ("kiosk-3", "anonymous")
    forwarded = {"principal": "b/edge/anonymous"}
    assert held | {"limitedBy": []} == lease | forwarded | {"display": "panel"}
    assert building.shown("east")["brightness"] == 1
    assert edge.get(answer.headers["location"]).json() == lease
    again = edge.post("/v1/displays/east:panel/boost", json={"holder": "kiosk-3"})
    assert (again.status_code, again.json()["id"]) == (200, lease["id"])
    changed = edge.patch(answer.headers["location"], json={"ttl": 600, "percent": 70, "reason": "code"}).json()
    [held] = east.get("/v1/displays/panel/boost").json()["leases"]
    assert {name: held[name] for name in ("brightness", "reason", "until")} == {
        "brightness": 0.7, "reason": "code", "until": changed["until"]
    }  # fmt: skip
    refused = edge.patch(answer.headers["location"], json={"raw": 1_001})
    assert (refused.status_code, held) == (422, east.get("/v1/displays/panel/boost").json()["leases"][0])
    assert edge.delete(answer.headers["location"]).json()["boost"] is None
    assert east.state["boost"] is None
    assert edge.delete(answer.headers["location"]).status_code == 410


@pytest.mark.parametrize("kind", ["dim", "wake", "sleep"])
def test_every_kind_of_lease_at_the_edge_is_one_at_the_node(building, kind):
    edge, east = building.clients["edge"], building.clients["east"]
    leases = "/v1/displays/east:panel/leases"
    answer = edge.post(leases, json={"kind": kind, "holder": "kiosk-3", "ttl": 60})
    assert (answer.status_code, answer.json()["kind"]) == (201, kind)
    assert east.state[kind]["leases"] == 1
    assert building.shown("east")["power"] == east.state["power"]
    assert [lease["kind"] for lease in edge.get(leases).json()["leases"]] == [kind]
    assert edge.get("/v1/displays/east:panel/boost").json() == {"leases": []}
    state = edge.post("/v1/displays/east:panel/restore", json={"holder": "kiosk-3", "kind": kind}).json()
    assert (state[kind], east.state[kind]) == (None, None)


def test_power_at_the_edge_is_power_at_the_node(building):
    edge, east = building.clients["edge"], building.clients["east"]
    assert edge.put("/v1/displays/east:panel/power", json={"on": False}).json()["power"]["on"] is False
    assert east.state["power"] == {"on": False, "baseline": False, "switchable": True}
    assert edge.put("/v1/displays/east:panel/power", json={"on": True}).json()["power"]["on"] is True


def test_a_change_at_the_edge_is_a_change_at_the_node(building):
    edge, west = building.clients["edge"], building.clients["west"]
    answer = edge.put("/v1/displays/west:panel/brightness", json={"percent": 70, "holder": "maria"})
    assert answer.status_code in (200, 202)
    until(lambda: west.state["brightness"] == 0.7, "it is set")
    cause = west.state["cause"]
    assert (cause["kind"], cause["by"], cause["principal"]) == ("mqtt", "maria", "b/edge/anonymous")
    building.until("west", lambda state: state["brightness"] == 0.7, "it is shown")
    edge.patch("/v1/displays/west:panel/brightness", json={"delta": -0.2})
    until(lambda: west.state["brightness"] == 0.5, "it is moved")


def test_of_two_conditional_changes_one_is_refused(building):
    """With one ETag, also where the gateway has not seen the state of the first one."""
    edge, west = building.clients["edge"], building.clients["west"]
    for _ in range(5):
        building.until("west", lambda state: not state["boost"], "no boost is shown")
        leases = "/v1/displays/west:panel/leases"
        until(lambda path=leases: edge.get(path).json() == {"leases": []}, "no lease is left")
        headers = {"If-Match": edge.get("/v1/displays/west:panel").headers["etag"]}

        def boost(holder, headers=headers):
            return edge.post("/v1/displays/west:panel/boost", json={"holder": holder}, headers=headers).status_code

        with ThreadPoolExecutor() as pool:
            assert sorted(pool.map(boost, ["left", "right"])) == [201, 412]
        assert west.state["boost"]["leases"] == 1
        west.post("/v1/restore", json={"all": True})


def test_all_boosts_the_displays_of_every_node(building):
    edge = building.clients["edge"]
    results = edge.post("/v1/displays/all/boost", json={"holder": "fire"}).json()["results"]
    assert {result["display"] for result in results} == {"panel", "east:panel", "west:panel"}
    assert all(result["status"] in (201, 202) for result in results), results
    for client in building.clients.values():
        until(lambda client=client: client.state["boost"], "it is boosted")
    results = edge.post("/v1/displays/all/restore", json={"holder": "fire"}).json()["results"]
    assert len(results) == 3
    for result in results:
        assert result["status"] == 202 or (result["status"], result["state"]["boost"]) == (200, None), result
    for client in building.clients.values():
        until(lambda client=client: client.state["boost"] is None, "it is restored")


def test_a_problem_of_the_node_is_returned_at_the_edge(building):
    edge = building.clients["edge"]
    answer = edge.put("/v1/displays/east:panel/brightness", json={"raw": 5_000})
    assert answer.status_code in (202, 422)
    answer = edge.patch("/v1/displays/east:panel/leases/none", json={"ttl": 5})
    assert (answer.status_code, answer.json()["type"]) == (404, "/problems/lease-not-found")


def test_displays_of_a_killed_node_are_unavailable(building):
    building.clients["east"].boost(ttl=600)
    building.until("east", lambda state: state["boost"], "the boost is shown")
    building.east.kill()
    state = building.until("east", lambda state: not state["available"], "it is unavailable")
    # The cause stays that of the last change.
    assert state["cause"]["kind"] == "boost"
    assert state["unavailable"]["atLatest"] is False
    assert state["unavailable"]["since"] > state["cause"]["at"]
    answer = building.clients["edge"].post("/v1/displays/east:panel/boost")
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/display-unavailable")
    assert building.shown("west")["available"]
    assert building.clients["edge"].get("/readyz").status_code == 200


def test_without_the_broker_mirrored_displays_are_unavailable(building, broker):
    broker.kill()
    building.until("east", lambda state: not state["available"], "it is unavailable")
    answer = building.clients["edge"].post("/v1/displays/east:panel/boost")
    assert answer.status_code == 503
    broker.start()
    building.until("east", lambda state: state["available"], "it is back")


def test_changes_of_mirrored_displays_are_events(building):
    with Stream(building.edge.port, "/v1/events?display=east:panel") as stream:
        assert stream.next("state").data["id"] == "east:panel"
        lease = building.clients["east"].boost(holder="kiosk-3")
        event = stream.next("boost").data
        assert (event["change"], event["display"], event["lease"]["id"]) == ("granted", "east:panel", lease["id"])
        stream.next("state", lambda event: event.data["boost"])
        building.clients["east"].post("/v1/restore", json={"holder": "kiosk-3"})
        assert stream.next("boost").data["change"] == "released"


def test_a_boost_bound_to_a_stream_at_the_edge_ends_with_it(building):
    edge, east = building.clients["edge"], building.clients["east"]
    with Stream(building.edge.port, "/v1/events?holder=page"):
        body = {"holder": "page", "lifespan": "visible"}
        first = edge.post("/v1/displays/east:panel/boost", json=body).json()["until"]

        def until_when():
            boosts = east.get("/v1/displays/panel/boost").json()["leases"]
            return boosts and boosts[0]["until"]

        until(lambda: until_when() > first, "it is asked for again")
    until(lambda: not east.state["boost"], "it ends")


def test_a_boost_bound_to_a_stream_at_the_edge_outlasts_a_restart_of_the_node(building, start, broker, connect):
    with Stream(building.edge.port, "/v1/events?types=boost&holder=page") as stream:
        boost = {"holder": "page", "lifespan": "visible"}
        assert building.clients["edge"].post("/v1/displays/east:panel/boost", json=boost).status_code == 201
        building.clients["east"].close()
        building.east.stop()
        ended = stream.next("boost", lambda event: event.data["change"] not in ("granted", "renewed"))
        assert ended.data["change"] == "stopped"
        east = connect(start("--display", "simulated:panel", "--mqtt", broker.url("east")))
        until(lambda: east.state["boost"], "it is asked for again", within=TIMEOUT)
        # The person at the node still ends it.
        east.post("/v1/restore", json={"all": True})
        ended = stream.next("boost", lambda event: event.data["change"] not in ("granted", "renewed"))
        assert ended.data["change"] == "released"


def test_a_renewal_at_the_edge_keeps_what_was_changed_at_the_node(building):
    edge, east = building.clients["edge"], building.clients["east"]
    leases = "/v1/displays/panel/leases"
    with Stream(building.edge.port, "/v1/events?holder=page"):
        lease = edge.post("/v1/displays/east:panel/boost", json={"holder": "page", "ttl": 60}).json()
        bound = edge.patch(f"/v1/displays/east:panel/leases/{lease['id']}", json={"lifespan": "visible"}).json()
        east.patch(f"{leases}/{lease['id']}", json={"percent": 60, "reason": "node"}).raise_for_status()

        def held():
            [held] = east.get(leases).json()["leases"]
            return held

        until(lambda: held()["until"] > bound["until"], "it is renewed")
        assert (held()["brightness"], held()["reason"]) == (0.6, "node")
    until(lambda: not east.state["boost"], "it ends", within=TIMEOUT + 10)


def test_a_ttl_ends_a_boost_bound_to_a_stream_at_the_edge(building):
    edge, east = building.clients["edge"], building.clients["east"]
    with Stream(building.edge.port, "/v1/events?holder=page"):
        body = {"holder": "page", "lifespan": "visible", "ttl": 10}
        begun = time.monotonic()
        assert edge.post("/v1/displays/east:panel/boost", json=body).status_code == 201
        until(lambda: not east.state["boost"], "it ends")
        assert time.monotonic() - begun > 9


def test_two_daemons_that_mirror_each_other_do_not_echo(start, broker, connect):
    daemons = {}
    with MQTTClient(broker, "b/#") as subscriber:
        for name in ("left", "right"):
            options = ["--display", "simulated:panel", "--mqtt", broker.url(name), "--mirror", "b/+"]
            daemons[name] = connect(start(*options))
        for name, other in (("left", "right"), ("right", "left")):
            until(
                lambda: len(daemons[name].get("/v1/displays").json()["displays"]) == 2,
                f"{name} shows {other}",
            )
        daemons["left"].set(0.77)
        subscriber.on("b/left/panel/state", lambda message: message.json["brightness"] == 0.77)
        results = daemons["left"].post("/v1/displays/all/boost", json={"holder": "fire"}).json()["results"]
        assert {result["display"]: result["status"] for result in results} == {"panel": 201, "right:panel": 201}
        for client in daemons.values():
            assert len(client.get("/v1/displays/panel/boost").json()["leases"]) == 1

        def said():
            """Returns the messages about displays up to now: an answer follows all earlier messages of a daemon."""
            for _ in range(2):
                for name in daemons:
                    problem(subscriber.ask(f"b/{name}/panel/set", {"percent": 101}))
            return {topic: text for topic, text in subscriber.latest.items() if topic.endswith(("/state", "/leases"))}

        assert said() == said(), "they go on and on"
        assert {topic for topic in subscriber.latest if topic.endswith("/state") and "light" not in topic} == {
            "b/left/panel/state", "b/right/panel/state",
        }  # fmt: skip


def test_the_end_of_an_edge_ends_no_boost(building):
    building.clients["east"].boost(holder="kiosk-3")
    building.until("east", lambda state: state["boost"], "the boost is shown")
    building.clients["edge"].close()
    building.edge.stop()
    assert building.clients["east"].state["boost"]


def test_the_dashboard_of_the_edge_shows_mirrored_displays(building, new_context):
    page = new_context().new_page()
    page.goto(building.edge.url)
    expect(page.get_by_text("east: Simulated display panel").first).to_be_visible()
    expect(page.get_by_text("Remote").first).to_be_visible()


def test_curl_at_the_edge_boosts_a_panel_of_another_and_the_dashboard_shows_it(building, new_context):
    page = new_context().new_page()
    page.goto(building.edge.url)
    card = page.get_by_role("article").filter(has_text="east: Simulated display panel")
    expect(card.get_by_role("meter")).to_have_attribute("aria-valuenow", "40")
    command = ["curl", "-sS", "--fail-with-body", "-H", "Prefer: wait=20", "--json", '{"holder":"kiosk-3","reason":"qr"}']
    done = subprocess.run(
        [*command, f"{building.edge.url}/v1/displays/east:panel/boost"], capture_output=True, text=True
    )
    assert done.returncode == 0, done
    assert json.loads(done.stdout)["display"] == "east:panel"
    assert building.clients["east"].state["boost"]
    expect(card.get_by_role("meter")).to_have_attribute("aria-valuenow", "100")
    expect(card.get_by_test_id("leases")).to_contain_text("kiosk-3")
    building.east.kill()
    expect(card).to_contain_text("Not available")
    assert not building.until("east", lambda state: not state["available"], "it is unavailable")["available"]


def test_an_edge_may_have_no_display_of_its_own(start, broker, connect):
    options = ["--display", "none", "--mqtt", broker.url("edge"), "--mirror", "b/+"]
    edge = connect(start(*options, "--default-display", "east:panel"))
    assert edge.get("/v1/displays").json()["displays"] == []
    assert edge.get("/v1/brightness").status_code == 404
    until(lambda: edge.get("/readyz").status_code == 200, "it is ready, with its broker")
    assert edge.get("/v1/simulator").status_code == 404
    assert edge.post("/v1/displays/all/boost").json() == {"results": []}
    east = start("--display", "simulated:panel", "--mqtt", broker.url("east"))
    until(lambda: edge.get("/v1/brightness").status_code == 200, "the node is shown")
    until(lambda: edge.get("/v1/brightness").json()["available"], "it is available")
    assert edge.post("/v1/boost").status_code == 201
    assert connect(east).state["boost"]


@pytest.mark.parametrize("text", ["b", "b/#", "b/all"])
def test_an_invalid_mirror_option_is_rejected(text):
    from support.daemon import run

    ended = run("serve", "--mqtt", "mqtt://127.0.0.1:1", "--mirror", text)
    assert ended.returncode != 0
    assert "invalid value for --mirror" in ended.stderr
