# SPDX-License-Identifier: Apache-2.0
"""`all` in place of a display's id: one result for each display."""

import pytest

from support.daemon import Daemon

ALL = "/v1/displays/all"


@pytest.fixture(scope="module")
def daemon():
    """A daemon with two displays, `left` and `right`."""
    daemon = Daemon("--display", "simulated:left", "--display", "simulated:right")
    yield daemon
    daemon.stop()


@pytest.fixture
def two(client):
    client.post("/v1/displays/all/restore", json={"all": True})
    client.put("/v1/displays/all/brightness", json={"brightness": 0.5})
    return client


def states(client):
    return {state["id"]: state for state in client.get("/v1/displays").json()["displays"]}


def test_all_sets_and_moves_every_baseline(two):
    answer = two.put(f"{ALL}/brightness", json={"percent": 70, "holder": "maria"})
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [(result["display"], result["status"]) for result in results] == [("left", 200), ("right", 200)]
    assert {result["display"]: result["state"] for result in results} == states(two)
    assert {state["brightness"] for state in states(two).values()} == {0.7}

    two.put("/v1/displays/left/brightness", json={"brightness": 0.2})
    two.patch(f"{ALL}/brightness", json={"delta": 0.1})
    assert {name: state["brightness"] for name, state in states(two).items()} == {"left": 0.3, "right": 0.8}


def test_all_boosts_and_restores_every_display(two):
    granted = two.post(f"{ALL}/boost", json={"holder": "kiosk-3"})
    assert granted.status_code == 200
    assert [result["status"] for result in granted.json()["results"]] == [201, 201]
    leases = {result["display"]: result["lease"] for result in granted.json()["results"]}
    for name, lease in leases.items():
        assert two.get(f"/v1/displays/{name}/leases/{lease['id']}").json() == lease
    again = two.post(f"{ALL}/boost", json={"holder": "kiosk-3"}).json()["results"]
    assert [(result["status"], result["lease"]["id"]) for result in again] == [
        (200, leases[name]["id"]) for name in ("left", "right")
    ]
    restored = two.post(f"{ALL}/restore", json={"holder": "kiosk-3"}).json()["results"]
    assert [result["state"]["boost"] for result in restored] == [None, None]


def test_a_display_that_fails_has_a_problem_of_its_own(two):
    tag = two.get("/v1/displays/left").headers["etag"]
    answer = two.put(f"{ALL}/brightness", json={"raw": 1}, headers={"If-Match": tag})
    assert answer.status_code == 207
    left, right = answer.json()["results"]
    assert (left["status"], left["state"]["raw"]["value"]) == (200, 1)
    assert (right["status"], right["problem"]["type"]) == (412, "/problems/precondition-failed")


@pytest.mark.parametrize(
    "method, path, body, status",
    [
        ("PUT", "brightness", {"brightness": 2}, 422),
        ("PATCH", "brightness", {}, 422),
        ("POST", "boost", {"ttl": 0}, 422),
        ("POST", "restore", {"everybody": True}, 422),
        ("GET", "brightness", None, 405),
        ("PUT", "auto", {"enabled": False, "heldUntil": None}, 422),
    ],
)
def test_an_invalid_request_for_all_changes_no_display(two, method, path, body, status):
    before = states(two)
    assert two.request(method, f"{ALL}/{path}", json=body).status_code == status
    assert states(two) == before


def test_all_is_not_the_id_of_a_display(client):
    assert client.get(ALL).status_code == 404
