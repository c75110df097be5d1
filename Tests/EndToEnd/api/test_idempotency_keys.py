# SPDX-License-Identifier: Apache-2.0
"""`Idempotency-Key`: a client that lost a response may repeat its request."""

import uuid

import pytest

BOOST = {"holder": "kiosk-3", "ttl": 60}


@pytest.fixture
def key():
    return {"Idempotency-Key": str(uuid.uuid4())}


def test_a_repeated_request_gets_the_first_response(client, key):
    first = client.post("/v1/boost", json=BOOST, headers=key)
    revision = client.state["revision"]
    again = client.post("/v1/boost", json=BOOST, headers=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["location"] == first.headers["location"]
    assert client.state["revision"] == revision
    client.post("/v1/restore", json={"holder": "kiosk-3"})
    # The lease is over; the answer is still the one that was lost.
    assert client.post("/v1/boost", json=BOOST, headers=key).json() == first.json()
    assert client.state["boost"] is None


def test_many_connections_with_one_key_grant_one_lease(start, connect, key):
    daemon = start("--shards", "4")
    clients = [connect(daemon) for _ in range(12)]
    answers = [client.post("/v1/boost", json={"ttl": 60}, headers=key) for client in clients]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert clients[0].state["revision"] == 2


@pytest.mark.parametrize(
    ("path", "body"), [("/v1/boost", {"ttl": 61}), ("/v1/restore", {"holder": "kiosk-3"}), ("/v1/displays/simulated/boost", BOOST)]
)
def test_another_request_with_a_used_key_is_rejected(client, key, path, body):
    client.post("/v1/boost", json=BOOST, headers=key)
    before = client.state
    answer = client.post(path, json=body, headers=key)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/idempotency-key-reused")
    assert client.state == before


def test_an_invalid_request_does_not_use_up_its_key(client, key):
    assert client.post("/v1/boost", json={"ttl": 0}, headers=key).status_code == 422
    assert client.post("/v1/boost", json=BOOST, headers=key).status_code == 201


def test_a_key_that_is_too_long_is_rejected(client):
    answer = client.post("/v1/boost", json=BOOST, headers={"Idempotency-Key": "k" * 256})
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/invalid-request")
    assert client.state["boost"] is None


def test_idempotent_methods_ignore_the_key(client, key):
    for brightness in (0.6, 0.7):
        assert client.put("/v1/brightness", json={"brightness": brightness}, headers=key).json()["brightness"] == brightness
