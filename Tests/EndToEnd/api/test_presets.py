# SPDX-License-Identifier: Apache-2.0
"""Presets: values for several displays, by REST, the WebSocket, a broker and the command line."""

import pytest

from support.daemon import Daemon
from support.events import Stream
from support.until import until

FILM = {"displays": {"left": {"brightness": 0.3}, "all": {"brightness": 0.7, "on": False}}}


@pytest.fixture(scope="module")
def daemon():
    daemon = Daemon("--display", "simulated:left", "--display", "simulated:right", "--group", "pair=*")
    yield daemon
    daemon.stop()


@pytest.fixture
def client(client):
    for preset in client.get("/v1/presets").json()["presets"]:
        client.delete(f"/v1/presets/{preset['name']}")
    client.post("/v1/displays/all/restore", json={"all": True})
    client.put("/v1/displays/all/power", json={"on": True})
    client.put("/v1/displays/all/brightness", json={"brightness": 0.5})
    return client


def put(client, name="film", body=FILM):
    answer = client.put(f"/v1/presets/{name}", json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def values(client):
    states = client.get("/v1/displays").json()["displays"]
    return [(state["brightness"], state["baseline"], state["power"]["on"]) for state in states]


def test_a_preset_is_stored_listed_and_removed(client):
    answer = client.put("/v1/presets/film", json=FILM)
    assert (answer.status_code, answer.headers["location"]) == (201, "/v1/presets/film")
    film = {"name": "film", **FILM}
    assert answer.json() == film == client.get("/v1/presets/film").json()
    assert put(client, "Gute%20Nacht", {"displays": {"group:pair": {"on": False}}})["name"] == "Gute Nacht"
    assert [preset["name"] for preset in client.get("/v1/presets").json()["presets"]] == ["Gute Nacht", "film"]
    assert client.put("/v1/presets/film", json=FILM).status_code == 200
    assert client.delete("/v1/presets/film").status_code == 204
    assert client.delete("/v1/presets/film").status_code == 404
    assert client.get("/v1/presets/film").status_code == 404
    # Nothing was applied.
    assert values(client) == [(0.5, 0.5, True)] * 2


def test_an_applied_preset_sets_the_baselines(client):
    put(client)
    answer = client.post("/v1/presets/film/apply", json={})
    assert answer.status_code == 200
    left, right = answer.json()["results"]
    assert (left["display"], left["status"], left["state"]["baseline"]) == ("left", 200, 0.3)
    assert (left["state"]["cause"]["kind"], left["state"]["cause"]["reason"]) == ("api", "film")
    assert (right["state"]["baseline"], right["state"]["power"]["on"]) == (0.7, False)
    assert values(client) == [(0.3, 0.3, True), (0.7, 0.7, False)]


def test_a_held_preset_ends_with_everything_as_it_was(client):
    put(client, "bright", {"displays": {"left": {"brightness": 0.9}, "right": {"on": False}}})
    put(client)
    assert client.post("/v1/presets/bright/apply", json={"ttl": 600}).status_code == 200
    assert values(client) == [(0.9, 0.5, True), (0.5, 0.5, False)]
    leases = client.get("/v1/displays/left/leases").json()["leases"]
    assert [(lease["kind"], lease["holder"], lease["reason"]) for lease in leases] == [
        ("dim", "preset", "bright"), ("boost", "preset", "bright"),
    ]  # fmt: skip
    # The next one takes its place.
    assert client.post("/v1/presets/film/apply", json={"ttl": 600}).status_code == 200
    assert values(client) == [(0.3, 0.5, True), (0.7, 0.5, False)]
    client.post("/v1/displays/all/restore", json={"holder": "preset"})
    assert values(client) == [(0.5, 0.5, True)] * 2


def test_the_next_held_preset_replaces_a_former_one_on_its_own_displays_only(client):
    put(client, "off", {"displays": {"all": {"on": False}}})
    put(client, "bright", {"displays": {"left": {"brightness": 0.9}}})
    client.post("/v1/presets/off/apply", json={"ttl": 600})
    assert values(client) == [(0.5, 0.5, False)] * 2
    client.post("/v1/presets/bright/apply", json={"ttl": 600})
    assert values(client) == [(0.9, 0.5, True), (0.5, 0.5, False)]


def test_the_newest_press_is_shown(client):
    put(client, "day", {"displays": {"all": {"brightness": 1, "on": True}}})
    put(client)
    client.post("/v1/presets/film/apply", json={"ttl": 600, "holder": "sofa"})
    assert values(client) == [(0.3, 0.5, True), (0.7, 0.5, False)]
    assert client.post("/v1/presets/day/apply", json={}).status_code == 200
    assert values(client) == [(1, 1, True)] * 2
    client.post("/v1/presets/film/apply", json={"ttl": 600, "holder": "sofa"})
    client.post("/v1/presets/day/apply", json={"ttl": 600, "holder": "door"})
    assert values(client) == [(1, 1, True)] * 2
    client.post("/v1/displays/all/restore", json={"holder": "door"})
    assert client.get("/v1/displays/left/leases").json()["leases"] == []


def test_a_held_preset_ends_by_itself(client):
    put(client)
    client.post("/v1/presets/film/apply", json={"ttl": 0.3})
    until(lambda: values(client) == [(0.5, 0.5, True)] * 2, "everything is as before")


def test_a_held_preset_leaves_the_boost_of_its_token_in_force(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    secret = "k" * 16
    tokens.write_text(f"kiosk:admin:{secret}\n")
    tokens.chmod(0o600)
    client = connect(start("--token-file", tokens), headers={"Authorization": f"Bearer {secret}"})
    client.set(0.5)
    put(client, "night", {"displays": {"all": {"brightness": 0.2}}})

    def leases():
        leases = client.get("/v1/displays/simulated/leases").json()["leases"]
        return [(lease["kind"], lease["holder"]) for lease in leases]

    client.boost(ttl=3600)
    client.post("/v1/presets/night/apply", json={"ttl": 600})
    assert leases() == [("boost", "kiosk"), ("boost", "preset"), ("dim", "preset")]
    client.post("/v1/restore", json={"holder": "preset"})
    assert leases() == [("boost", "kiosk")]
    client.post("/v1/presets/night/apply", json={"ttl": 0.3})
    until(lambda: leases() == [("boost", "kiosk")], "the preset has ended, and the boost has not")
    assert client.state["brightness"] == 1


@pytest.mark.parametrize(
    ("body", "pointer", "text"),
    [
        ({}, "/displays", "displays is required"),
        ({"displays": {}}, "/displays", "1 to 64 members"),
        ({"displays": {str(number): {"on": True} for number in range(65)}}, "/displays", "1 to 64 members"),
        ({"displays": {"left": 0.3}}, "/displays/left", "A value is an object"),
        ({"displays": {"left": {}}}, "/displays/left", "brightness (0 to 1), on (true or false), or both"),
        ({"displays": {"left": {"brightness": 30}}}, "/displays/left/brightness", "For 30 %, send 0.3."),
        ({"displays": {"left": {"raw": 3}}}, "/displays/left/raw", 'Unknown member "raw"'),
        ({"displays": {"a b": {"on": True}}}, "/displays/a b", "is not an id, a pattern"),
        ({"displays": {"all": {"on": True}}, "name": "other"}, "/name", "that of the path"),
    ],
)
def test_a_body_that_is_not_a_preset_changes_nothing(client, body, pointer, text):
    put(client)
    answer = client.put("/v1/presets/film", json=body)
    assert answer.status_code == 422
    (fault,) = answer.json()["errors"]
    assert fault["pointer"] == pointer
    assert text in fault["detail"]
    assert client.get("/v1/presets/film").json()["displays"] == FILM["displays"]


def test_unknown_names_are_named(client):
    put(client)
    answer = client.post("/v1/presets/flim/apply", json={})
    assert (answer.status_code, "Did you mean \"film\"?" in answer.json()["detail"]) == (404, True)
    answer = client.put("/v1/presets/film", json={"displays": {"group:pairs": {"on": True}}})
    assert (answer.status_code, "Did you mean \"pair\"?" in answer.json()["detail"]) == (404, True)
    assert client.put("/v1/presets/a%2Fb", json=FILM).status_code in (404, 422)
    put(client, "gone", {"displays": {"hall:*": {"on": False}}})
    answer = client.post("/v1/presets/gone/apply", json={})
    assert (answer.status_code, "no value for a display that is here now" in answer.json()["detail"]) == (404, True)
    answer = client.post("/v1/presets/film/apply", json={"ttl": 3601})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/ttl")
    assert values(client) == [(0.5, 0.5, True)] * 2


def test_at_most_64_presets_are_stored(client):
    for number in range(64):
        put(client, f"preset{number}")
    answer = client.put("/v1/presets/more", json=FILM)
    assert (answer.status_code, answer.json()["type"].endswith("server-limit-reached")) == (503, True)
    put(client, "preset1")


def test_presets_survive_a_kill(start, connect, tmp_path):
    options = ("--display", "simulated:left", "--state-directory", str(tmp_path / "state"))
    daemon = start(*options)
    stored = put(connect(daemon))
    daemon.kill()
    client = connect(start(*options))
    assert client.get("/v1/presets").json() == {"presets": [stored]}


def test_a_stream_begins_with_each_preset_and_has_each_change(client):
    film = put(client)
    with Stream(client.base_url.port, "/v1/events?types=preset") as stream:
        assert [(block.name, block.data) for block in (stream.block() for _ in range(3))][1:] == [
            ("preset", film), ("synced", {}),
        ]  # fmt: skip
        day = put(client, "day")
        assert stream.next("preset").data == day
        client.delete("/v1/presets/film")
        assert stream.next("preset").data == {"name": "film", "removed": True}


def test_a_token_for_some_displays_applies_a_preset_to_these(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    secrets = {name: name * 16 for name in ("b", "h", "e")}
    tokens.write_text(f"boss:admin:{secrets['b']}\nhand:write[left]:{secrets['h']}\neye:read:{secrets['e']}\n")
    tokens.chmod(0o600)
    daemon = start("--display", "simulated:left", "--display", "simulated:right", "--token-file", tokens)

    def client(name):
        return connect(daemon, headers={"Authorization": f"Bearer {secrets[name]}"})

    boss, hand = client("b"), client("h")
    assert hand.put("/v1/presets/film", json=FILM).status_code == 403
    put(boss)
    before = values(boss)
    assert client("e").post("/v1/presets/film/apply", json={}).status_code == 403
    assert values(boss) == before
    answer = hand.post("/v1/presets/film/apply", json={})
    assert [result["display"] for result in answer.json()["results"]] == ["left"]
    assert values(boss) == [(0.3, 0.3, True), before[1]]
    assert hand.delete("/v1/presets/film").status_code == 403
