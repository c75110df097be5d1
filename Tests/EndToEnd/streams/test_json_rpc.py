# SPDX-License-Identifier: Apache-2.0
"""JSON-RPC 2.0 over the WebSocket: requests, ids, notifications, invalid params."""


import pytest

from support.remote import Remote, call
from support.until import until


@pytest.fixture
def remote(daemon, client):
    """A WebSocket that has received the current value."""
    with Remote(daemon) as remote:
        assert remote.event("state") == client.state
        yield remote


@pytest.mark.parametrize(
    ("method", "params", "pointer"),
    [
        ("set", {}, ""), ("set", {"brightness": 0.5, "percent": 50}, ""), ("set", {"brightness": 2}, "/brightness"),
        ("set", {"percent": "50"}, "/percent"), ("set", {"brightnes": 0.5, "raw": 1}, "/brightnes"), ("set", {"raw": 9999}, "/raw"),
        ("set", {"percent": 50, "display": 7}, "/display"), ("set", {"percent": 50, "lease": "x"}, "/lease"),
        ("move", {"delta": 2}, "/delta"), ("move", {}, "/delta"), ("boost", {"ttl": 0}, "/ttl"),
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
    until(lambda: client.state["percent"] == 12, "it is carried out")
