# SPDX-License-Identifier: Apache-2.0
"""Displays that clients provide: every rule as for others, and what happens when the client goes, lies or hangs."""

import json
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as websocket

from support.backlight import Backlight
from support.client import AT_ONCE
from support.provider import Provider
from support.until import TIMEOUT, until

PAGE = {"id": "page", "name": "Lobby page", "maximum": 100, "switchable": True, "brightness": 0.8, "on": True}
PATH = "/v1/displays/page"


@pytest.fixture
def daemon(start):
    return start("--display", "none", expects="Input/output error|timed out|not connected")


@pytest.fixture
def client(connect, daemon):
    return connect(daemon)


def state(client):
    return client.get(f"{PATH}/brightness").json()


def test_it_is_a_display_with_what_it_shows(daemon, client):
    with Provider(daemon, PAGE) as provider:
        assert provider.state == state(client)
        assert provider.state["kind"] == "provided" and provider.state["name"] == "Lobby page"
        assert provider.state["baseline"] == 0.8 and provider.state["raw"] == {"value": 80, "maximum": 100}
        assert provider.state["power"] == {"on": True, "baseline": True, "switchable": True}
        assert provider.applied == []
        assert client.get("/v1/brightness").json()["id"] == "page"
        assert client.get("/readyz").status_code == 200


def test_it_shows_the_baseline_a_boost_and_the_baseline_again(daemon, client):
    with Provider(daemon, PAGE) as provider:
        assert client.put(f"{PATH}/brightness", json={"brightness": 0.4}).status_code == 200
        assert provider.applied == [{"display": "page", "brightness": 0.4, "raw": 40, "on": True}]
        assert client.post(f"{PATH}/boost", json={"holder": "qr"}).status_code == 201
        assert provider.applied[-1]["raw"] == 100
        assert client.post(f"{PATH}/restore", json={"holder": "qr"}).json()["brightness"] == 0.4
        assert provider.applied[-1]["raw"] == 40


def test_it_is_switched_off_and_on(daemon, client):
    with Provider(daemon, PAGE) as provider:
        assert client.post(f"{PATH}/sleep", json={"ttl": 60, "holder": "night"}).status_code == 201
        assert provider.applied[-1] == {"display": "page", "brightness": 0.8, "raw": 80, "on": False}
        assert client.post(f"{PATH}/restore", json={"holder": "night"}).json()["power"]["on"] is True
        assert provider.applied[-1]["on"] is True


def test_one_without_a_switch_is_always_on(daemon, client):
    with Provider(daemon, {**PAGE, "switchable": False}) as provider:
        assert client.post(f"{PATH}/sleep", json={"ttl": 60}).json()["type"] == "/problems/not-switchable"
        assert provider.refusal("changed", display="page", on=False)["type"] == "/problems/not-switchable"
        assert state(client)["power"]["on"] is True


def test_one_without_steps_is_only_switched(daemon, client):
    relay = {"id": "relay", "maximum": None, "switchable": True, "on": True}
    path = "/v1/displays/relay"
    with Provider(daemon, relay) as provider, Provider(daemon, PAGE):
        assert provider.state["dimmable"] is False
        assert (provider.state["brightness"], provider.state["raw"]) == (1, {"value": 1, "maximum": 1})
        for method, member, body in [
            ("PUT", "brightness", {"percent": 50}), ("PATCH", "brightness", {"delta": -0.1}), ("POST", "dim", {}),
            ("POST", "leases", {"kind": "dim"}),
        ]:  # fmt: skip
            problem = client.request(method, f"{path}/{member}", json=body)
            assert (problem.status_code, problem.json()["type"]) == (409, "/problems/not-dimmable")
        results = client.put("/v1/displays/all/brightness", json={"percent": 50}).json()["results"]
        assert {result["display"]: result["status"] for result in results} == {"relay": 409, "page": 200}
        assert provider.refusal("changed", display="relay", brightness=0.5)["type"] == "/problems/not-dimmable"
        assert provider.applied == []
        assert client.post(f"{path}/boost", json={"holder": "qr"}).json()["brightness"] == 1
        assert client.put(f"{path}/power", json={"on": False}).json()["power"]["on"] is False
        assert provider.applied == [{"display": "relay", "brightness": 1, "raw": 1, "on": False}]
        assert client.put(f"{path}/power", json={"on": True}).json()["power"]["on"] is True
        provider.call("changed", display="relay", on=False)
        until(lambda: client.get(path).json()["power"]["on"] is False, "the switch is seen")


def test_what_a_person_sets_at_it_wins_over_a_boost(daemon, client):
    with Provider(daemon, PAGE) as provider:
        client.post(f"{PATH}/boost", json={"holder": "qr"})
        provider.call("changed", display="page", brightness=0.6)
        until(lambda: state(client)["brightness"] == 0.6, "the change is seen")
        now = state(client)
        assert now["baseline"] == 0.6 and now["boost"]["overridden"] and now["cause"]["kind"] == "external"
        client.post(f"{PATH}/restore", json={"holder": "qr"})
        assert state(client)["brightness"] == 0.6 and provider.applied[-1]["raw"] == 100


def test_a_person_switches_it_off(daemon, client):
    with Provider(daemon, PAGE) as provider:
        provider.call("changed", display="page", on=False)
        until(lambda: state(client)["power"]["on"] is False, "the switch is seen")
        assert client.post(f"{PATH}/wake", json={"ttl": 60}).status_code == 201
        assert provider.applied[-1]["on"] is True


# The client goes and comes.


def test_its_leases_go_on_while_the_client_is_gone(daemon, client):
    with Provider(daemon, PAGE):
        client.put(f"{PATH}/brightness", json={"brightness": 0.3})
        client.post(f"{PATH}/boost", json={"holder": "qr"})
    until(lambda: not state(client)["available"], "it is not available")
    gone = state(client)
    assert gone["cause"]["kind"] == "lost" and gone["unavailable"]["since"] and gone["boost"]["leases"] == 1
    assert client.put(f"{PATH}/brightness", json={"brightness": 0.5}).json()["type"] == "/problems/display-unavailable"
    # The brightness that a page shows when it is loaded again is not a person's change.
    with Provider(daemon, {**PAGE, "brightness": 0.1}) as provider:
        provider.shows(raw=100)
        until(lambda: state(client)["available"], "it is available")
        back = state(client)
        assert back["baseline"] == 0.3 and not back["boost"]["overridden"] and back["cause"]["kind"] == "connected"
        client.post(f"{PATH}/restore", json={"holder": "qr"})
        assert provider.applied[-1]["raw"] == 30


def test_a_second_socket_of_the_principal_takes_it_over(daemon, client):
    with Provider(daemon, PAGE) as first, Provider(daemon, {**PAGE, "brightness": 0.2}) as second:
        until(lambda: first.withdrawn == ["page"], "the first gets the notification")
        second.shows(raw=80)
        assert first.refusal("changed", display="page", brightness=0.1)["type"] == "/problems/display-not-found"
        first.remote.__exit__(None, None, None)
        assert client.put(f"{PATH}/brightness", json={"brightness": 0.5}).status_code == 200
        assert second.applied[-1]["raw"] == 50 and first.applied == []
        assert state(client)["available"]


def test_the_first_socket_is_notified_of_other_steps_and_of_a_withdrawal(daemon, client):
    with Provider(daemon, PAGE) as first, Provider(daemon, {**PAGE, "maximum": 10}) as second:
        until(lambda: first.withdrawn == ["page"], "the first gets the notification")
        assert first.call("withdraw", display="page") == {}
        until(lambda: second.withdrawn == ["page"], "the second gets the notification")
        assert first.withdrawn == ["page"]


def test_it_provides_again_on_one_socket_without_a_notification(daemon, client):
    with Provider(daemon, PAGE) as provider:
        provider.call("provide", **PAGE)
        client.put(f"{PATH}/brightness", json={"brightness": 0.5})
        assert provider.applied[-1]["raw"] == 50 and provider.withdrawn == []


def test_with_another_name_and_other_steps_it_keeps_everything(daemon, client):
    with Provider(daemon, PAGE) as provider:
        client.put(f"{PATH}/brightness", json={"brightness": 0.3})
        client.post(f"{PATH}/dim", json={"holder": "night", "brightness": 0.1})
        again = provider.call("provide", **{**PAGE, "name": "Foyer", "maximum": 10, "brightness": 1})
        assert (again["name"], again["raw"]["maximum"], again["baseline"]) == ("Foyer", 10, 0.3)
        until(lambda: provider.applied[-1]["raw"] == 1, "the dim is applied in the new steps")
        until(lambda: state(client)["available"], "it is there")
        client.post(f"{PATH}/restore", json={"holder": "night"})
        assert provider.applied[-1]["raw"] == 3


def test_without_a_switch_it_begins_again(daemon, client):
    with Provider(daemon, PAGE) as provider:
        client.post(f"{PATH}/boost", json={"holder": "qr"})
        assert provider.call("provide", **{**PAGE, "switchable": False})["power"]["switchable"] is False
        assert state(client)["boost"] is None


@pytest.mark.parametrize("first", ["the client", "a restore"])
def test_a_kill_in_a_boost_forgets_nothing_whoever_returns_first(start, connect, tmp_path, first):
    options = ("--display", "none", "--state-directory", tmp_path)
    daemon = start(*options)
    with Provider(daemon, PAGE):
        client = connect(daemon)
        client.put(f"{PATH}/brightness", json={"brightness": 0.3})
        client.post(f"{PATH}/boost", json={"holder": "qr", "ttl": 300})
        daemon.kill()
    daemon = start(*options)
    client = connect(daemon)
    # It is there before its client is.
    gone = state(client)
    assert (gone["available"], gone["kind"], gone["name"]) == (False, "provided", "Lobby page")
    assert (gone["brightness"], gone["baseline"], gone["boost"]["leases"]) == (1, 0.3, 1)
    assert client.get("/v1/brightness").json()["id"] == "page"
    if first == "a restore":
        assert client.post(f"{PATH}/restore", json={"holder": "qr"}).json()["brightness"] == 0.3
        with Provider(daemon, {**PAGE, "brightness": 1}) as provider:
            provider.shows(raw=30)
            until(lambda: state(client)["available"], "it is available")
            assert (state(client)["baseline"], state(client)["boost"]) == (0.3, None)
    else:
        with Provider(daemon, {**PAGE, "brightness": 0.1}) as provider:
            provider.shows(raw=100)
            until(lambda: state(client)["available"], "it is available")
            client.post(f"{PATH}/restore", json={"holder": "qr"})
            provider.shows(raw=30)


def test_a_restart_keeps_it_and_since_when_its_client_is_gone(start, connect, tmp_path):
    options = ("--display", "none", "--state-directory", tmp_path)
    daemon = start(*options)
    client = connect(daemon)
    with Provider(daemon, {**PAGE, "brightness": 0.6}):
        pass
    until(lambda: not state(client)["available"], "it is not available")
    since = state(client)["unavailable"]
    daemon.stop()
    daemon = start(*options)
    client = connect(daemon)
    assert state(client)["unavailable"] == since
    assert state(client)["cause"]["kind"] == "lost"
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["waiting"], ready.json()["unavailable"]) == (200, ["page"], [])
    with Provider(daemon, {**PAGE, "brightness": 0.1}) as provider:
        provider.shows(raw=60)
    daemon.kill()
    # A client that continues none withdraws it.
    daemon = start(*options)
    client = connect(daemon)
    with Provider(daemon) as provider:
        assert provider.call("withdraw", display="page") == {}
    daemon.stop()
    assert connect(start(*options)).get("/v1/displays").json()["displays"] == []


def test_a_touch_that_wakes_it_outlasts_a_restart(start, connect, tmp_path):
    options = ("--display", "none", "--state-directory", tmp_path)
    daemon = start(*options)
    client = connect(daemon)
    with Provider(daemon, PAGE) as provider:
        client.put(f"{PATH}/power", json={"on": False})
        provider.call("changed", display="page", on=True)
        until(lambda: state(client)["power"]["on"], "the touch is seen")
        assert state(client)["power"]["baseline"] is True
        daemon.line("page: set to 80 % outside the daemon$")
        daemon.stop()
    daemon = start(*options)
    client = connect(daemon)
    with Provider(daemon, PAGE) as provider:
        until(lambda: state(client)["available"], "it is available")
        assert (state(client)["power"]["on"], state(client)["cause"]["kind"]) == (True, "connected")
        assert provider.applied == []


def test_after_a_restart_it_is_its_principals(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("one:write:" + "a" * 32 + "\ntwo:write:" + "b" * 32 + "\n")
    tokens.chmod(0o600)
    options = ("--display", "none", "--token-file", tokens, "--state-directory", tmp_path / "state")
    one, two = ({"additional_headers": {"Authorization": f"Bearer {letter * 32}"}} for letter in "ab")
    daemon = start(*options)
    with Provider(daemon, PAGE, **one):
        daemon.stop()
    daemon = start(*options)
    with Provider(daemon, **two) as other, Provider(daemon, **one) as owner:
        assert other.refusal("provide", **PAGE)["type"] == "/problems/display-exists"
        assert other.refusal("withdraw", display="page")["type"] == "/problems/display-not-found"
        assert owner.call("provide", **PAGE)["id"] == "page"


def test_the_default_display_may_be_one(start, connect):
    daemon = start("--display", "simulated:edp", "--default-display", "page", expects="--default-display page is not")
    client = connect(daemon)
    with Provider(daemon, PAGE):
        assert client.get("/v1/brightness").json()["id"] == "page"


def test_a_withdrawn_display_is_gone_and_begins_anew(start, connect, tmp_path):
    options = ("--display", "none", "--state-directory", tmp_path)
    daemon = start(*options)
    client = connect(daemon)
    with Provider(daemon, PAGE) as provider:
        client.put(f"{PATH}/brightness", json={"brightness": 0.3})
        client.post(f"{PATH}/boost", json={"holder": "qr"})
        assert provider.call("withdraw", display="page") == {}
        assert client.get(f"{PATH}/brightness").status_code == 404
        assert provider.call("provide", **PAGE)["baseline"] == 0.8
        provider.call("withdraw", display="page")
    daemon.stop()
    again = start(*options)
    with Provider(again, {**PAGE, "brightness": 0.7}) as provider:
        assert provider.state["baseline"] == 0.7


# A client that lies, refuses or hangs.


def test_a_client_that_refuses_is_a_panel_that_refuses(daemon, client):
    with Provider(daemon, PAGE) as provider:
        provider.refuses = True
        problem = client.put(f"{PATH}/brightness", json={"brightness": 0.5})
        assert (problem.status_code, problem.json()["type"]) == (503, "/problems/display-unavailable")
        assert state(client)["baseline"] == 0.8
        provider.refuses = False
        assert client.put(f"{PATH}/brightness", json={"brightness": 0.6}).status_code == 200
        assert provider.applied[-1]["raw"] == 60 and state(client)["available"]


def test_a_client_that_does_not_answer_is_gone_until_it_does(daemon, client):
    with Provider(daemon, PAGE, answers=False) as provider:
        assert client.put(f"{PATH}/brightness", json={"brightness": 0.5}, headers=AT_ONCE).status_code == 202
        assert client.put(f"{PATH}/brightness", json={"brightness": 0.6}, headers=AT_ONCE).status_code == 202
        until(lambda: not state(client)["available"], "it is not available")
        # No second call before the answer to the first.
        assert [target["raw"] for target in provider.applied] == [50]
        assert client.get("/livez").status_code == 200
        provider.answers = True
        provider.answer()
        until(lambda: state(client)["available"], "it is available")
        client.put(f"{PATH}/brightness", json={"brightness": 0.7})
        provider.shows(raw=70)


def test_the_newest_target_waits_for_a_slow_client(daemon, client):
    with Provider(daemon, PAGE, answers=False) as provider:
        for percent in range(16, 22):
            assert client.put(f"{PATH}/brightness", json={"percent": percent}, headers=AT_ONCE).status_code == 202
        provider.answers = True
        provider.answer()
        provider.shows(raw=21)
        # The first, and perhaps one between. All are sent well within the time that a call may take.
        assert len(provider.applied) <= 3


# Calls that are rejected.


@pytest.mark.parametrize(
    ("display", "pointers"),
    [
        ({}, [""]), ({"id": "page"}, [""]), ({**PAGE, "maximum": 0}, ["/maximum"]), ({**PAGE, "maximum": 70_000}, ["/maximum"]),
        ({**PAGE, "maximum": 1.5}, ["/maximum"]), ({**PAGE, "brightness": 1.5}, ["/brightness"]),
        ({**PAGE, "id": "all"}, ["/id"]), ({**PAGE, "id": "hall:page"}, ["/id"]), ({**PAGE, "id": "x" * 65}, ["/id"]),
        ({**PAGE, "name": ""}, ["/name"]), ({**PAGE, "name": "a" * 10_000}, ["/name"]), ({**PAGE, "on": 1}, ["/on"]),
        ({**PAGE, "switchable": False, "on": False}, ["/on"]), ({**PAGE, "maximum": None}, ["/brightness"]),
        ({"id": "page", "maximum": None}, ["/maximum"]), ({"id": "page", "maximum": 1}, [""]), ({**PAGE, "step": 1}, ["/step"]),
        ({**PAGE, "maximum": 0, "brightness": -1}, ["/brightness", "/maximum"]),
    ],
)  # fmt: skip
def test_a_wrong_description_names_its_faults_and_adds_nothing(daemon, client, display, pointers):
    with Provider(daemon) as provider:
        problem = provider.refusal("provide", **display)
        assert problem["type"] == "/problems/invalid-body"
        assert sorted(fault["pointer"] for fault in problem["errors"]) == pointers
        assert client.get("/v1/displays").json()["displays"] == []


def test_an_answer_to_no_call_is_an_error(daemon, client):
    with Provider(daemon, PAGE) as provider:
        provider._method = None
        provider.remote.send({"jsonrpc": "2.0", "id": 99, "result": {}})
        assert "no answer with the id 99" in provider._answers.get(timeout=TIMEOUT)["error"]["data"]["detail"]
        provider.remote.send({"jsonrpc": "2.0", "id": "x", "error": {}})
        assert "error" in provider._answers.get(timeout=TIMEOUT)
        assert client.put(f"{PATH}/brightness", json={"brightness": 0.5}).status_code == 200


def test_ids_of_others_are_taken(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("one:write:" + "a" * 32 + "\ntwo:write:" + "b" * 32 + "\nreader:read:" + "c" * 32 + "\n"
                      "lobby:write[lobby-*]:" + "d" * 32 + "\n")
    tokens.chmod(0o600)
    daemon = start("--display", "simulated:edp", "--token-file", tokens)
    one, two, reader, lobby = ({"additional_headers": {"Authorization": f"Bearer {letter * 32}"}} for letter in "abcd")
    with Provider(daemon, PAGE, **one), Provider(daemon, **two) as second, Provider(daemon, **reader) as third:
        assert second.refusal("provide", **PAGE)["type"] == "/problems/display-exists"
        assert second.refusal("provide", **{**PAGE, "id": "edp"})["type"] == "/problems/display-exists"
        assert second.refusal("withdraw", display="page")["type"] == "/problems/display-not-found"
        assert second.refusal("changed", display="page", brightness=0)["type"] == "/problems/display-not-found"
        assert third.refusal("provide", **{**PAGE, "id": "mine"})["type"] == "/problems/forbidden"
    with Provider(daemon, **lobby) as limited:
        assert limited.refusal("provide", **{**PAGE, "id": "mine"})["type"] == "/problems/forbidden"
        assert limited.call("provide", **{**PAGE, "id": "lobby-page"})["id"] == "lobby-page"


def test_a_principal_provides_sixteen_displays(daemon, client):
    with Provider(daemon) as provider:
        for number in range(16):
            provider.call("provide", **{**PAGE, "id": f"page-{number}"})
        problem = provider.refusal("provide", **PAGE)
        assert (problem["type"], problem["status"]) == ("/problems/server-limit-reached", 503)
        provider.call("withdraw", display="page-3")
        assert provider.call("provide", **PAGE)["id"] == "page"
        results = client.put("/v1/displays/all/brightness", json={"brightness": 0.5}).json()["results"]
        assert len(results) == 16


def test_a_machine_has_at_most_sixty_four(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    letters = "abcde"
    tokens.write_text("".join(f"{letter}:write:{letter * 32}\n" for letter in letters))
    tokens.chmod(0o600)
    daemon = start("--display", "none", "--token-file", tokens)
    with ExitStack() as providers:
        for letter in letters[:4]:
            provider = providers.enter_context(Provider(daemon, additional_headers={"Authorization": f"Bearer {letter * 32}"}))
            for number in range(16):
                provider.call("provide", **{**PAGE, "id": f"{letter}-{number}"})
        fifth = providers.enter_context(Provider(daemon, additional_headers={"Authorization": f"Bearer {'e' * 32}"}))
        problem = fifth.refusal("provide", **PAGE)
        assert (problem["type"], problem["status"]) == ("/problems/server-limit-reached", 503)
        provider.call("withdraw", display="d-15")
        assert fifth.call("provide", **PAGE)["id"] == "page"
        assert len(connect(daemon, headers={"Authorization": f"Bearer {'a' * 32}"}).get("/v1/displays").json()["displays"]) == 64


def test_a_name_of_a_mebibyte_ends_the_connection_and_nothing_else(daemon, client):
    with Provider(daemon, {**PAGE, "id": "other"}) as other:
        with websocket(f"ws://127.0.0.1:{daemon.port}/v1/ws", max_size=None, open_timeout=TIMEOUT) as remote:
            with pytest.raises(ConnectionClosed) as closed:
                remote.send(json.dumps({"jsonrpc": "2.0", "method": "provide", "params": {**PAGE, "name": "a" * (1 << 20)}, "id": 1}))
                while True:
                    remote.recv(TIMEOUT)
        assert closed.value.rcvd.code == 1009
        assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == ["other"]
        client.put("/v1/displays/other/brightness", json={"brightness": 0.5}).raise_for_status()
        other.shows(raw=50)


# Next to other displays.


def test_it_is_the_default_display_only_without_another(start, connect):
    daemon = start("--display", "simulated:edp")
    client = connect(daemon)
    with Provider(daemon, PAGE):
        assert client.get("/v1/brightness").json()["id"] == "edp"


def test_it_replaces_the_display_that_is_simulated_for_want_of_one(start, connect, tmp_path):
    daemon = start("--display", "auto", "--sysfs-root", tmp_path)
    client = connect(daemon)
    assert client.get("/v1/brightness").json()["kind"] == "simulated"
    with Provider(daemon, PAGE) as page:
        until(lambda: client.get("/v1/brightness").json()["id"] == "page", "the page is the default display")
        assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == ["page"]
        page.call("withdraw", display="page")
        until(lambda: client.get("/v1/brightness").json().get("kind") == "simulated", "the simulated display is back")


def test_a_device_takes_its_id_from_a_client_for_good(start, connect, tmp_path):
    root = tmp_path / "sys"
    options = ("--display", "auto", "--sysfs-root", root, "--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    with Provider(daemon, {**PAGE, "id": "intel_backlight"}) as provider:
        client.post("/v1/displays/intel_backlight/boost", json={"holder": "qr"}).raise_for_status()
        backlight = Backlight(root)
        until(lambda: client.get("/v1/brightness").json()["kind"] == "backlight", "the backlight is served")
        until(lambda: provider.withdrawn == ["intel_backlight"], "the client gets the notification")
        assert client.get("/v1/brightness").json()["boost"] is None
        client.put("/v1/displays/intel_backlight/settings", json={"name": "Lobby"}).raise_for_status()
    daemon.stop()
    # It keeps its id and its settings while it is away.
    backlight.unplug()
    daemon = start(*options)
    with Provider(daemon) as provider:
        refusal = provider.refusal("provide", **{**PAGE, "id": "intel_backlight"})
        assert refusal["type"] == "/problems/display-exists"
        assert provider.refusal("withdraw", display="intel_backlight")["type"] == "/problems/display-not-found"
    backlight.plug()
    client = connect(daemon)
    until(lambda: client.get("/v1/brightness").json()["name"] == "Lobby", "the backlight is back")


def test_clients_that_come_and_go_leave_nothing(daemon, client):
    for _ in range(50):
        with Provider(daemon, PAGE) as provider:
            provider.call("withdraw", display="page")
    assert client.get("/v1/displays").json()["displays"] == []
