# SPDX-License-Identifier: Apache-2.0
"""JSON-RPC 2.0 over the WebSocket: requests, ids, notifications, batches, invalid params."""

import json

import pytest

from support import messages
from support.remote import RawSocket, Remote, call, text


@pytest.fixture
def remote(daemon, client):
    """A WebSocket that has received the current value."""
    with Remote(daemon) as remote:
        assert remote.event("brightness") == client.state
        yield remote


@pytest.mark.parametrize(
    ("method", "params", "pointer"),
    [
        ("set", {}, ""), ("set", {"brightness": 0.5, "percent": 50}, ""), ("set", {"brightness": 2}, "/brightness"),
        ("set", {"percent": "50"}, "/percent"), ("set", {"brightnes": 0.5, "raw": 1}, "/brightnes"), ("set", {"raw": 9999}, "/raw"),
        ("set", {"percent": 50, "display": 7}, "/display"), ("set", {"percent": 50, "lease": "x"}, "/lease"),
        ("step", {"delta": 2}, "/delta"), ("step", {}, "/delta"), ("boost", {"ttl": 0}, "/ttl"),
        ("boost", {"lifespan": "forever"}, "/lifespan"), ("boost", {"holder": ""}, "/holder"), ("renew", {"ttl": 60}, "/lease"),
        ("renew", {"lease": "0" * 32}, ""), ("release", {}, "/lease"), ("release", {"lease": "0" * 32, "ttl": 1}, "/ttl"),
        ("restore", {"all": "yes"}, "/all"), ("auto", {}, "/enabled"), ("get", {"displays": "all"}, "/displays"),
        ("settings", {}, ""), ("settings", {"name": " "}, "/name"), ("settings", {"name": "Left", "group": "hall"}, "/group"),
    ],
)  # fmt: skip
def test_invalid_params_are_rejected_with_a_pointer(remote, client, method, params, pointer):
    before = client.state
    code, problem = remote.refusal(method, **params)
    assert (code, problem["status"], problem["errors"][0]["pointer"]) == (-32602, 422, pointer)
    assert client.state == before


def test_an_unknown_display_is_a_problem(remote):
    assert remote.refusal("set", display="none", percent=50)[1]["status"] == 404


@pytest.mark.parametrize(
    ("sent", "code", "id"),
    [
        (b"", -32700, None), (b"{", -32700, None), (b'{"jsonrpc":"2.0","method":"get","id":1,}', -32700, None),
        (b"[]", -32600, None), (b"1", -32600, None), (b'"get"', -32600, None), (b"null", -32600, None), (b"{}", -32600, None),
        (b'{"jsonrpc":"1.0","method":"get","id":1}', -32600, 1), (b'{"method":"get","id":"a"}', -32600, "a"),
        (b'{"jsonrpc":"2.0","method":1,"id":1}', -32600, 1), (b'{"jsonrpc":"2.0","result":1,"id":1}', -32600, None),
        (b'{"jsonrpc":"2.0","method":"get","id":[1]}', -32600, None), (b'{"jsonrpc":"2.0","method":"get","id":1e300}', -32600, None),
        (b'{"jsonrpc":"2.0","method":"get","params":1,"id":1}', -32600, 1),
        (b'{"jsonrpc":"2.0","method":"get","parms":{},"id":1}', -32600, 1),
        (b'{"jsonrpc":"2.0","method":"get","params":["simulated"],"id":1}', -32602, 1),
        (b'{"jsonrpc":"2.0","method":"rpc.none","id":1}', -32601, 1), (b'{"jsonrpc":"2.0","method":"","id":1}', -32601, 1),
    ],
)  # fmt: skip
def test_an_invalid_request_is_an_error(remote, sent, code, id):
    remote.socket.send(sent.decode())
    answer = remote.answer()
    assert (answer["error"]["code"], answer["id"]) == (code, id)


@pytest.mark.parametrize("id", [0, 1, -7, 1.5, 9007199254740991, "", "é\n\"", None])
def test_the_answer_has_the_id_of_its_call(remote, id):
    remote.send({"jsonrpc": "2.0", "method": "get", "id": id})
    answer = remote.answer("get")
    assert (answer["id"], type(answer["id"])) == (id, type(id))


def test_a_notification_is_carried_out_and_not_answered(remote, client):
    for method, params in [("set", {"percent": 12}), ("set", {"percent": 1200}), ("nothing", {})]:
        remote.send({"jsonrpc": "2.0", "method": method, "params": params})
    remote.send(call("get", id="last"))
    assert remote.answer("get")["id"] == "last"
    assert client.state["percent"] == 12


def test_a_batch_has_one_answer(remote, client):
    calls = [
        call("set", id=1, percent=20),
        {"jsonrpc": "2.0", "method": "step", "params": {"delta": 0.1}},
        call("get", id="a"),
        {"foo": "boo"},
        call("nothing", id=5),
    ]
    remote.socket.send(json.dumps(calls))
    while not isinstance(value := json.loads(remote.socket.recv(5)), list):
        pass
    assert [(answer["id"], "result" in answer) for answer in value] == [(1, True), ("a", True), (None, False), (5, False)]
    assert value[1]["result"] == client.state
    assert client.state["percent"] == 30


def test_a_batch_of_notifications_is_not_answered(remote, client):
    remote.send([{"jsonrpc": "2.0", "method": "set", "params": {"percent": percent}} for percent in (1, 2, 3)])
    remote.send(call("get", id="last"))
    assert remote.answer("get")["id"] == "last"
    assert client.state["percent"] == 3


def test_an_invalid_batch_is_an_error(remote):
    remote.send([1, 2, 3])
    answers = json.loads(remote.socket.recv(5))
    assert [(answer["error"]["code"], answer["id"]) for answer in answers] == [(-32600, None)] * 3


def test_a_batch_has_at_most_64_calls(daemon, client):
    with RawSocket(daemon) as ws:
        ws.message()
        ws.send(text([call("get", id=number) for number in range(64)]))
        assert [answer["id"] for answer in json.loads(ws.frame()[1])] == list(range(64))
        ws.send(text([{"jsonrpc": "2.0", "method": "set", "params": {"raw": 1}}] * 65))
        assert ws.answer()["error"]["code"] == -32600
    assert client.state["percent"] == 50


def test_the_answer_to_a_batch_for_all_displays_is_bounded(start):
    """64 calls for 300 displays each would need 6 MB. Only the first and calls for one display are answered."""
    names = [word for number in range(300) for word in ("--display", f"simulated:display-{number}")]
    with RawSocket(start(*names, timeout=60), "/v1/ws?types=boost", timeout=30) as ws:
        everything = [call("get", id=number, display="all") for number in range(45)]
        ws.send(text([*everything, call("get", id="one", display="display-7")]))
        opcode, answer = ws.frame()
        assert len(answer) < 200_000
        first, *others, one = json.loads(answer)
        assert len(first["result"]["displays"]) == 300
        assert {answer["error"]["data"]["type"] for answer in others} == {"/problems/client-limit-reached"}
        assert one["result"]["id"] == "display-7"
        messages.validate_answer(others[0], "get")
