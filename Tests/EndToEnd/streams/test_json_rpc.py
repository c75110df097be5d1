# SPDX-License-Identifier: Apache-2.0
"""What can be called over a WebSocket, and what is answered: JSON-RPC 2.0 with the meaning of the REST routes."""

import json

import pytest

from support import messages
from support.events import Stream
from support.remote import RawSocket, Remote, call, text


@pytest.fixture
def remote(daemon, client):
    """A WebSocket that has been told the current value."""
    with Remote(daemon) as remote:
        assert remote.event("brightness") == client.state
        yield remote


# Events


def test_it_begins_with_what_get_answers(daemon, client):
    client.boost(holder="kiosk-3")
    with Remote(daemon) as remote:
        assert remote.event() == client.state
        boost = remote.event()
        assert (boost["change"], boost["lease"]["holder"]) == ("granted", "kiosk-3")


def test_a_change_is_told(remote, client):
    for percent in (42, 7, 100):
        state = client.put("/v1/brightness", json={"percent": percent}).json()
        assert remote.event("brightness") == state


def test_it_tells_what_the_event_stream_tells(daemon, client, remote):
    with Stream(daemon.port) as stream:
        stream.next("brightness")
        client.boost(holder="kiosk-3")
        client.post("/v1/restore", json={"all": True})
        for _ in range(4):
            event = stream.next()
            assert remote.event() == event.data


def test_filters(daemon, client):
    with Remote(daemon, "/v1/ws?types=boost") as boosts, Remote(daemon, "/v1/ws?display=simulated") as both:
        client.set(0.3)
        client.boost(holder="kiosk-3")
        assert boosts.event()["change"] == "granted"
        both.event("boost")


def test_nothing_that_is_known_is_repeated(daemon, client):
    listed = client.get("/v1/displays").json()
    with Remote(daemon, f"/v1/ws?last_event_id={listed['epoch']}-{listed['revision']}") as remote:
        state = client.set(0.31)
        assert remote.event() == state


def test_other_events_from_now_on(remote, client):
    assert remote.call("subscribe", types="boost") == {"types": ["boost"], "display": None}
    client.set(0.31)
    client.boost(holder="kiosk-3")
    assert remote.event()["change"] == "granted"
    answer = remote.call("subscribe", types=["brightness"], display="simulated")
    assert answer == {"types": ["brightness"], "display": ["simulated"]}
    assert remote.event() == client.state
    assert remote.call("subscribe") == {"types": None, "display": None}
    assert remote.event() == client.state
    assert remote.event()["change"] == "granted"


@pytest.mark.parametrize(
    ("params", "code", "status"),
    [
        ({"types": "brightnes"}, -32602, 422), ({"types": 1}, -32602, 422), ({"types": ["boost", None]}, -32602, 422),
        ({"display": "none"}, -32000, 404), ({"holder": "me"}, -32602, 422), ({"last_event_id": 1}, -32602, 422),
    ],
)  # fmt: skip
def test_a_subscription_that_makes_no_sense(remote, client, params, code, status):
    refused, problem = remote.refusal("subscribe", **params)
    assert (refused, problem["status"]) == (code, status)
    state = client.set(0.9)
    assert remote.event() == state


# Calls


def test_get(remote, client):
    assert remote.call("get") == remote.call("get", display="simulated") == client.state
    assert remote.call("get", display="all") == client.get("/v1/displays").json()


@pytest.mark.parametrize(
    ("params", "percent"), [({"brightness": 0.3}, 30), ({"percent": 31}, 31), ({"raw": 320, "reason": "dusk"}, 32)]
)
def test_set(remote, client, params, percent):
    state = remote.call("set", **params)
    assert state == client.state
    assert (state["percent"], state["cause"]["reason"]) == (percent, params.get("reason"))


def test_step(remote, client):
    assert remote.call("step", delta=-0.1)["percent"] == 40
    assert client.state["percent"] == 40


def test_auto(remote, client, start, backlight):
    assert remote.call("auto", enabled=False) == client.state
    with Remote(start(*backlight.options)) as real:
        code, problem = real.refusal("auto", enabled=True)
    assert (code, problem["status"], problem["type"]) == (-32000, 409, "/problems/no-light-sensor")


def test_the_life_of_a_boost(remote, client):
    lease = remote.call("boost", brightness=0.9, reason="qr")
    assert (lease["lifespan"], lease["until"], lease["reason"]) == ("visible", None, "qr")
    assert client.state["brightness"] == 0.9
    assert remote.call("boost")["id"] == lease["id"]
    renewed = remote.call("renew", lease=lease["id"], ttl=60)
    assert (renewed["id"], renewed["until"] is None) == (lease["id"], False)
    assert remote.call("release", lease=lease["id"])["boost"] is None
    code, problem = remote.refusal("release", lease=lease["id"])
    assert (code, problem["status"]) == (-32000, 410)
    assert remote.refusal("renew", lease="0" * 32, ttl=60)[1]["status"] == 404


def test_restore_is_about_ones_own_boost(remote, client):
    client.boost(holder="kiosk-3")
    remote.call("boost")
    assert client.state["boost"]["leases"] == 2
    assert remote.call("restore")["boost"]["leases"] == 1
    assert remote.call("restore", holder="kiosk-3")["boost"] is None
    client.boost()
    assert remote.call("restore", all=True)["boost"] is None


def test_every_display(start, connect):
    daemon = start("--display", "simulated:left", "--display", "simulated:right")
    client = connect(daemon)
    with Remote(daemon) as remote:
        results = remote.call("set", display="all", percent=20)["results"]
        assert [(result["display"], result["status"], result["state"]["percent"]) for result in results] == [
            ("left", 200, 20),
            ("right", 200, 20),
        ]
        assert [result["status"] for result in remote.call("boost", display="all")["results"]] == [201, 201]
        remote.call("restore", display="all")
        assert remote.call("step", display="right", delta=0.1)["id"] == "right"
        assert client.get("/v1/displays/left").json()["percent"] == 20
        for method, params in [("renew", {"lease": "x", "ttl": 1}), ("release", {"lease": "x"})]:
            assert remote.refusal(method, display="all", **params)[1]["type"] == "/problems/unknown-display"


# Who


def test_a_boost_ends_with_its_socket(daemon, client):
    with Stream(daemon.port, "/v1/events?types=boost", timeout=20) as observer:
        with Remote(daemon) as remote:
            lease = remote.call("boost")
            assert lease["holder"].startswith("websocket-")
        while (event := observer.next("boost").data)["change"] != "disconnected":
            pass
        assert event["lease"]["id"] == lease["id"]
    assert client.state["brightness"] == 0.5


def test_a_named_holder_may_come_back(daemon, client):
    with Remote(daemon, "/v1/ws?holder=kiosk-3") as remote:
        assert remote.call("boost")["holder"] == "kiosk-3"
        assert remote.call("set", percent=33)["cause"]["by"] == "kiosk-3"
    with Stream(daemon.port, "/v1/events?holder=kiosk-3") as stream:
        # Longer than the grace: a lease that was not kept would have ended by the end of this one.
        client.boost(holder="clock", brightness=0.6, ttl=12)
        with Remote(daemon, "/v1/ws?types=boost") as observer:
            observer.event("boost", lambda boost: boost["change"] == "expired", timeout=20)
        assert client.state["boost"]["leases"] == 1
        stream.next("brightness")


def test_sockets_without_a_name_are_not_the_same(daemon, client):
    with Remote(daemon) as one, Remote(daemon) as other:
        assert one.call("boost")["holder"] != other.call("boost")["holder"]
        assert one.call("restore")["boost"]["leases"] == 1
        other.call("restore")


def test_another_lifespan(remote, client):
    lease = remote.call("boost", lifespan="custom", ttl=60, holder="me")
    assert (lease["lifespan"], lease["holder"], lease["until"] is None) == ("custom", "me", False)


def test_readers_may_only_read(start):
    daemon = start("--anonymous", "read")
    with Remote(daemon) as remote:
        remote.call("get")
        remote.call("subscribe", types="brightness")
        for method, params in [("set", {"percent": 1}), ("boost", {}), ("restore", {}), ("auto", {"enabled": False})]:
            code, problem = remote.refusal(method, **params)
            assert (code, problem["type"]) == (-32000, "/problems/read-only")


# What is refused


@pytest.mark.parametrize(
    ("method", "params", "pointer"),
    [
        ("set", {}, ""), ("set", {"brightness": 0.5, "percent": 50}, ""), ("set", {"brightness": 2}, "/brightness"),
        ("set", {"percent": "50"}, "/percent"), ("set", {"brightnes": 0.5, "raw": 1}, "/brightnes"), ("set", {"raw": 9999}, "/raw"),
        ("set", {"percent": 50, "display": 7}, "/display"), ("set", {"percent": 50, "lease": "x"}, "/lease"),
        ("step", {"delta": 2}, "/delta"), ("step", {}, "/delta"), ("boost", {"ttl": 0}, "/ttl"),
        ("boost", {"lifespan": "forever"}, "/lifespan"), ("boost", {"holder": ""}, "/holder"), ("renew", {"ttl": 60}, "/lease"),
        ("renew", {"lease": "0" * 32}, "/ttl"), ("release", {}, "/lease"), ("release", {"lease": "0" * 32, "ttl": 1}, "/ttl"),
        ("restore", {"all": "yes"}, "/all"), ("auto", {}, "/enabled"), ("get", {"displays": "all"}, "/displays"),
    ],
)  # fmt: skip
def test_params_that_are_wrong(remote, client, method, params, pointer):
    before = client.state
    code, problem = remote.refusal(method, **params)
    assert (code, problem["status"], problem["errors"][0]["pointer"]) == (-32602, 422, pointer)
    assert client.state == before


def test_a_display_that_is_not_there(remote):
    assert remote.refusal("set", display="none", percent=50)[1]["status"] == 404


@pytest.mark.parametrize(
    ("sent", "code", "id"),
    [
        (b"", -32700, None), (b"{", -32700, None), (b'{"jsonrpc":"2.0","method":"get","id":1,}', -32700, None),
        (b"[]", -32600, None), (b"1", -32600, None), (b'"get"', -32600, None), (b"null", -32600, None), (b"{}", -32600, None),
        (b'{"jsonrpc":"1.0","method":"get","id":1}', -32600, 1), (b'{"method":"get","id":"a"}', -32600, "a"),
        (b'{"jsonrpc":"2.0","method":1,"id":1}', -32600, 1), (b'{"jsonrpc":"2.0","result":1,"id":1}', -32600, 1),
        (b'{"jsonrpc":"2.0","method":"get","id":[1]}', -32600, None), (b'{"jsonrpc":"2.0","method":"get","id":1e300}', -32600, None),
        (b'{"jsonrpc":"2.0","method":"get","params":1,"id":1}', -32600, 1),
        (b'{"jsonrpc":"2.0","method":"get","parms":{},"id":1}', -32600, 1),
        (b'{"jsonrpc":"2.0","method":"get","params":["simulated"],"id":1}', -32602, 1),
        (b'{"jsonrpc":"2.0","method":"rpc.none","id":1}', -32601, 1), (b'{"jsonrpc":"2.0","method":"","id":1}', -32601, 1),
    ],
)  # fmt: skip
def test_what_is_no_call(remote, sent, code, id):
    remote.socket.send(sent.decode())
    answer = remote.answer()
    assert (answer["error"]["code"], answer["id"]) == (code, id)


@pytest.mark.parametrize("id", [0, 1, -7, 1.5, 9007199254740991, "", "é\n\"", None])
def test_the_id_comes_back(remote, id):
    remote.send({"jsonrpc": "2.0", "method": "get", "id": id})
    answer = remote.answer("get")
    assert (answer["id"], type(answer["id"])) == (id, type(id))


def test_a_notification_is_carried_out_and_not_answered(remote, client):
    for method, params in [("set", {"percent": 12}), ("set", {"percent": 1200}), ("nothing", {})]:
        remote.send({"jsonrpc": "2.0", "method": method, "params": params})
    remote.send(call("get", id="last"))
    assert remote.answer("get")["id"] == "last"
    assert client.state["percent"] == 12


# Batches


def test_a_batch_is_answered_at_once(remote, client):
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


def test_a_batch_of_nonsense(remote):
    remote.send([1, 2, 3])
    answers = json.loads(remote.socket.recv(5))
    assert [(answer["error"]["code"], answer["id"]) for answer in answers] == [(-32600, None)] * 3


def test_how_much_a_batch_holds(daemon, client):
    with RawSocket(daemon) as ws:
        ws.message()
        ws.send(text([call("get", id=number) for number in range(64)]))
        assert [answer["id"] for answer in json.loads(ws.frame()[1])] == list(range(64))
        ws.send(text([{"jsonrpc": "2.0", "method": "set", "params": {"raw": 1}}] * 65))
        assert ws.answer()["error"]["code"] == -32600
    assert client.state["percent"] == 50


def test_a_batch_for_all_displays_is_bounded(start):
    """64 calls for 300 displays each would be answered with 6 MB. The first is answered, and calls for one display."""
    names = [word for number in range(300) for word in ("--display", f"simulated:display-{number}")]
    with RawSocket(start(*names, timeout=60), "/v1/ws?types=boost", timeout=30) as ws:
        everything = [call("get", id=number, display="all") for number in range(45)]
        ws.send(text([*everything, call("get", id="one", display="display-7")]))
        opcode, answer = ws.frame()
        assert len(answer) < 200_000
        first, *others, one = json.loads(answer)
        assert len(first["result"]["displays"]) == 300
        assert {answer["error"]["data"]["type"] for answer in others} == {"/problems/too-many-calls"}
        assert one["result"]["id"] == "display-7"
        messages.validate_answer(others[0], "get")


def test_many_sockets_hear_of_each_others_calls(daemon, client):
    sockets = [Remote(daemon, validates=False) for _ in range(20)]
    for percent, remote in enumerate(sockets, 1):
        remote.call("set", percent=percent)
    for remote in sockets:
        remote.event("brightness", lambda state: state["percent"] == 20)
        remote.__exit__(None, None, None)
