# SPDX-License-Identifier: Apache-2.0
"""Groups of displays (`--group`): each command that `all` has, and filters of the list."""

import pytest

from support.daemon import Daemon, run


@pytest.fixture(scope="module")
def daemon():
    """A daemon with the displays `hall-1`, `hall-2` and `lobby`, and two groups."""
    displays = [argument for name in ("hall-1", "hall-2", "lobby") for argument in ("--display", f"simulated:{name}")]
    daemon = Daemon(*displays, "--group", "hall=hall-*", "--group", "front=lobby,hall-1,tag:front")
    yield daemon
    daemon.stop()


@pytest.fixture
def three(client):
    client.post("/v1/displays/all/restore", json={"all": True})
    return client


def test_groups_are_listed_with_their_patterns_and_displays(three):
    patterns = {"hall": ["hall-*"], "front": ["lobby", "hall-1", "tag:front"]}
    assert three.get("/v1/groups").json() == {
        "groups": [{"name": name, "patterns": patterns[name]} for name in ("hall", "front")]
    }
    assert three.get("/v1/groups/front").json() == {
        "name": "front", "patterns": patterns["front"], "displays": ["hall-1", "lobby"]
    }  # fmt: skip
    missing = three.get("/v1/groups/hal")
    assert missing.status_code == 404
    assert missing.json()["detail"] == 'No group has the name "hal". Did you mean "hall"?'


@pytest.mark.parametrize(
    "method, path, body",
    [
        ("PUT", "brightness", {"percent": 70}),
        ("PATCH", "brightness", {"delta": 0.1}),
        ("POST", "boost", {}),
        ("POST", "dim", {"brightness": 0.1}),
        ("POST", "wake", {}),
        ("POST", "sleep", {}),
        ("POST", "boost", {}),
        ("POST", "leases", {"kind": "boost"}),
        ("POST", "restore", {}),
        ("PUT", "power", {"on": True}),
        ("PUT", "auto", {"enabled": False}),
    ],
)
def test_every_command_that_all_has_exists_for_a_group(three, method, path, body):
    before = three.get("/v1/displays/lobby").json()
    answer = three.request(method, f"/v1/groups/hall/{path}", json=body)
    assert answer.status_code == 200, answer.text
    assert [result["display"] for result in answer.json()["results"]] == ["hall-1", "hall-2"]
    assert three.get("/v1/displays/lobby").json() == before
    if method == "POST" and path != "restore":
        leases = three.get(f"/v1/groups/hall/{path}").json()
        assert {lease["display"] for lease in next(iter(leases.values()))} == {"hall-1", "hall-2"}
    assert three.request(method, f"/v1/groups/none/{path}", json=body).status_code == 404


@pytest.mark.parametrize(
    "query, ids",
    [
        ("group=hall", ["hall-1", "hall-2"]),
        ("display=*-1&display=lobby", ["hall-1", "lobby"]),
        ("group=hall&display=*-1", ["hall-1"]),
        ("tag=floor1", []),
        ("display=tag:floor1", []),
    ],
)
def test_the_list_can_be_filtered(three, query, ids):
    for _ in range(2):
        answer = three.get(f"/v1/displays?{query}")
        assert [state["id"] for state in answer.json()["displays"]] == ids
    assert answer.headers["etag"] == three.get("/v1/displays").headers["etag"]


@pytest.mark.parametrize("query, status", [("tag=a b", 400), ("display=a/b", 400), ("group=none", 404)])
def test_a_filter_that_is_wrong_is_refused(three, query, status):
    assert three.get(f"/v1/displays?{query}").status_code == status
    assert three.get("/v1/displays?" + "&".join(f"tag=t{n}" for n in range(17))).status_code == 400


@pytest.mark.parametrize("group", ["hall", "hall=", "hall=a b", "hall=*,all"])
def test_a_group_that_is_wrong_ends_the_start(group):
    done = run("--display", "simulated", "--group", group)
    assert done.returncode != 0
    assert "invalid value for --group" in done.stderr
