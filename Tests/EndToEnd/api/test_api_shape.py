# SPDX-License-Identifier: Apache-2.0
"""Two displays: lessons, visible boosts and slow panels."""

import pytest

from support.daemon import Daemon
from support.until import until


@pytest.fixture(scope="module")
def daemon():
    """Two displays: `a`, the default one, and `b`."""
    daemon = Daemon("--display", "simulated:a", "--display", "simulated:b")
    yield daemon
    daemon.stop()


@pytest.fixture(autouse=True)
def _halves(client):
    assert client.post("/v1/displays/all/restore", json={"all": True}).status_code == 200
    assert client.put("/v1/displays/all/brightness", json={"brightness": 0.5}).status_code == 200


def test_what_was_learned_can_be_read(client):
    client.await_light()
    assert client.put("/v1/auto", json={"enabled": True}).status_code == 200
    assert client.get("/v1/auto").json() == {"display": "a", "enabled": True, "heldUntil": None, "waiting": None, "lessons": []}
    client.put("/v1/brightness", json={"brightness": 0.8})
    learned = client.get("/v1/displays/a/auto").json()
    assert learned["heldUntil"] is not None
    assert [lesson["brightness"] for lesson in learned["lessons"]] == [0.8]
    every = client.get("/v1/displays/all/auto").json()["displays"]
    assert [(display["display"], display["enabled"]) for display in every] == [("a", True), ("b", False)]
    assert client.put("/v1/auto", json={"enabled": False, "forget": True}).status_code == 200
    assert client.put("/v1/auto", json={"enabled": False, "forget": True}).status_code == 200
    assert client.get("/v1/auto").json()["lessons"] == []


def test_a_visible_boost_without_a_stream_is_answered_with_a_warning(client):
    lease = client.post("/v1/boost", json={"lifespan": "visible", "holder": "kiosk-3"}).json()
    assert "has no event stream" in lease["warning"]
    assert "warning" not in client.get("/v1/boost").json()["leases"][0]
    with client.stream("GET", "/v1/events?holder=kiosk-4", headers={"Accept": "text/event-stream"}):
        lease = client.post("/v1/boost", json={"lifespan": "visible", "holder": "kiosk-4"}).json()
        assert "warning" not in lease


def test_a_slow_panel_among_all_is_207(daemon, client):
    # Longer than any pause of the daemon before its answer.
    assert client.patch("/v1/simulator", json={"display": "b", "delay": 6}).status_code == 200
    answer = client.put("/v1/displays/all/brightness", json={"brightness": 0.6}, headers={"Prefer": "wait=0"})
    assert client.patch("/v1/simulator", json={"display": "b", "delay": 0}).status_code == 200
    assert answer.status_code == 207
    assert [result["status"] for result in answer.json()["results"]] == [200, 202]
    until(lambda: client.get("/v1/displays/b").json()["raw"]["value"] == 600, "the slow panel is set")
