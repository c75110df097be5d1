# SPDX-License-Identifier: Apache-2.0
"""Settings of a display: its name, its curve and its place."""

import pytest

from support.events import Stream
from support.until import until

SETTINGS = "/v1/displays/simulated/settings"
OWN = "Simulated display"


@pytest.fixture
def client(client):
    yield client
    client.put(SETTINGS, json={"name": None, "position": None})


def test_a_name_is_what_everybody_sees_and_the_id_stays(client):
    assert client.get(SETTINGS).json() == {"display": "simulated", "name": None, "deviceName": OWN, "curve": None, "position": None}
    client.set(0.3)
    answer = client.put(SETTINGS, json={"name": "Desk, left: 夜 🌙", "holder": "maria", "reason": "moved"})
    state = answer.json()
    assert (answer.status_code, state["id"], state["name"]) == (200, "simulated", "Desk, left: 夜 🌙")
    assert (state["brightness"], state["cause"]["kind"], state["cause"]["by"]) == (0.3, "settings", "maria")
    assert client.state == state
    assert client.get(SETTINGS).json()["name"] == "Desk, left: 夜 🌙"
    state = client.put(SETTINGS, json={"name": None}).json()
    assert state["name"] == OWN
    assert client.get(SETTINGS).json()["name"] is None


def test_a_new_name_is_an_event_and_the_same_one_is_none(client):
    with Stream(client.base_url.port) as stream:
        stream.next("brightness")
        client.put(SETTINGS, json={"name": "Left"})
        event = stream.next("brightness")
        assert (event.data["name"], event.data["cause"]["kind"]) == ("Left", "settings")
        tag = client.etag
        assert client.put(SETTINGS, json={"name": "Left"}).status_code == 200
        assert client.etag == tag


def test_a_position_is_in_the_state_until_it_is_taken_back(client):
    assert client.put(SETTINGS, json={"position": 2}).json()["position"] == 2
    assert (client.state["position"], client.get(SETTINGS).json()["position"]) == (2, 2)
    for position in (0, 10_001, 1.5, "1", True):
        answer = client.put(SETTINGS, json={"position": position})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/position")
    assert client.state["position"] == 2
    assert "position" not in client.put(SETTINGS, json={"position": None}).json()


def test_a_name_survives_a_crash_and_a_restart(start, connect, tmp_path):
    options = ("--state-directory", tmp_path / "state")
    daemon = start(*options)
    client = connect(daemon)
    client.put(SETTINGS, json={"name": "Left"})
    daemon.kill()
    daemon = start(*options)
    client = connect(daemon)
    assert client.state["name"] == "Left"
    client.put(SETTINGS, json={"name": None})
    daemon.kill()
    assert connect(start(*options)).state["name"] == OWN


def test_a_display_that_comes_back_has_its_name_and_baseline(start, connect, backlight):
    client = connect(start("--sysfs-root", backlight.root, "--display", "auto", expects="intel_backlight"))
    client.set(0.25)
    client.put("/v1/displays/intel_backlight/settings", json={"name": "Left"})
    backlight.unplug()
    # The kernel reports nothing in this directory: a command finds the change.
    assert client.put("/v1/brightness", json={"percent": 20}).status_code == 503
    until(lambda: client.get("/v1/displays").json()["displays"] == [], "it is gone")
    backlight.plug()
    until(lambda: client.get("/v1/displays").json()["displays"], "it is back", within=60)
    state = client.state
    assert (state["name"], state["baseline"]) == ("Left", 0.25)


@pytest.mark.parametrize(
    "name",
    ["", " ", " Left", "Left ", "a" * 65, "a\tb", "a\nb", "a\x7fb", "a\u202eb", "\ufffd", 7, True, ["Left"], {"name": "Left"}],
)
def test_a_bad_name_is_rejected_and_changes_nothing(client, name):
    client.put(SETTINGS, json={"name": "Left"})
    before = client.state
    answer = client.put(SETTINGS, json={"name": name})
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["pointer"] == "/name"
    assert client.state == before


def test_bytes_that_are_not_utf_8_are_no_name(client):
    before = client.state
    answer = client.put(SETTINGS, content=b'{"name":"L\xfcft"}', headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert client.state == before


@pytest.mark.parametrize("name", ["a" * 64, "ö" * 64, "Left/right", "50 % dim?", ".", "all"])
def test_a_name_may_be_anything_that_a_person_writes(client, name):
    # A busy machine has only accepted it, with 202.
    assert client.put(SETTINGS, json={"name": name}).status_code in (200, 202)
    until(lambda: client.state["name"] == name, "it has the name")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, 'Send name, curve or position, such as {"name":"Left"}; null is the device\'s own.'),
        ({"nmae": "Left"}, "Did you mean name?"),
        ({"name": "Left", "deviceName": OWN}, "It is not a setting; leave it out."),
        ({"name": "Left", "holder": "idle"}, "reserved"),
    ],
)
def test_an_invalid_body_states_what_to_do(client, body, detail):
    before = client.state
    answer = client.put(SETTINGS, json=body)
    assert answer.status_code == 422
    assert detail in answer.text.replace('\\"', '"')
    assert client.state == before


def test_settings_are_of_one_display(client):
    for path in ("/v1/displays/all/settings", "/v1/displays/other/settings"):
        assert client.get(path).json()["type"] == "/problems/display-not-found"
        assert client.put(path, json={"name": "Left"}).json()["type"] == "/problems/display-not-found"


def test_a_name_requires_the_scope_admin(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("page:write:page-0123456789ab\nboss:admin:boss-0123456789ab\n")
    daemon = start("--token-file", tokens)
    page, boss = (connect(daemon, headers={"Authorization": f"Bearer {secret}"}) for secret in ("page-0123456789ab", "boss-0123456789ab"))
    assert page.put(SETTINGS, json={"name": "Left"}).status_code == 403
    assert page.state["name"] == OWN
    state = boss.put(SETTINGS, json={"name": "Left"}).json()
    assert (state["name"], state["cause"]["by"], state["cause"]["principal"]) == ("Left", "boss", "boss")
    assert page.get(SETTINGS).json()["name"] == "Left"


def test_a_name_can_depend_on_the_state(client):
    tag = client.etag
    client.set(0.3)
    answer = client.put(SETTINGS, json={"name": "Left"}, headers={"If-Match": tag})
    assert answer.status_code == 412
    assert client.state["name"] == OWN
