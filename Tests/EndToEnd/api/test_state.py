# SPDX-License-Identifier: Apache-2.0
"""A display's state, and how PUT and PATCH change it."""

import re
from datetime import datetime, timedelta, timezone

import pytest

from support.contract import DOCUMENT, FILE

STATE = DOCUMENT["components"]["schemas"]["State"]


def test_the_state_has_every_member(client):
    state = client.state
    assert set(state) == set(STATE["required"])
    assert (state["id"], state["kind"], state["available"]) == ("simulated", "simulated", True)
    assert state["auto"] == {"enabled": False, "heldUntil": None, "waiting": None}
    assert list(state["raw"]) == ["value", "maximum"]
    assert list(state["cause"]) == ["kind", "by", "principal", "reason", "at"]


def test_the_overview_lists_every_member_of_a_state():
    page = (FILE.parent / "docs/reference/rest.md").read_text()
    rows = set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))))
    assert set(STATE["properties"]) - rows == set()


def test_one_display_has_three_paths(client):
    displays = client.get("/v1/displays").json()
    assert list(displays) == ["epoch", "revision", "displays"]
    [state] = displays["displays"]
    path = f"/v1/displays/{state['id']}"
    assert displays["revision"] == state["revision"]
    assert state == client.get(path).json() == client.get(f"{path}/brightness").json() == client.state


@pytest.mark.parametrize(
    ("setting", "percent"),
    [
        ({"brightness": 0.25}, 25),
        ({"brightness": 0}, 0),
        ({"brightness": 1}, 100),
        ({"brightness": 1.0, "transition": 0}, 100),
        ({"percent": 25}, 25),
        ({"percent": 33.3}, 33),
    ],
)
def test_put_sets_the_baseline(client, setting, percent):
    answer = client.put("/v1/brightness", json=setting)
    state = answer.json()
    assert answer.status_code == 200
    assert state == client.state
    assert state["percent"] == percent
    assert (
        state["brightness"] == state["baseline"] == pytest.approx(setting.get("brightness", percent / 100), abs=0.005)
    )
    assert state["raw"]["value"] == max(1, round(state["brightness"] * state["raw"]["maximum"]))


def test_put_accepts_the_panels_own_steps(client):
    maximum = client.state["raw"]["maximum"]
    for step in (1, maximum // 3, maximum):
        state = client.put("/v1/brightness", json={"raw": step}).json()
        assert state["raw"] == {"value": step, "maximum": maximum}
        assert state["brightness"] == pytest.approx(step / maximum)


@pytest.mark.parametrize(
    ("start", "delta", "end"),
    [(0.5, 0.25, 0.75), (0.5, -0.25, 0.25), (0.5, 1, 1), (0.5, -1, 0.001), (1, 0.5, 1), (0.5, 0, 0.5)],
)
def test_patch_moves_the_baseline(client, start, delta, end):
    client.set(start)
    answer = client.patch("/v1/brightness", json={"delta": delta})
    assert answer.status_code == 200
    assert answer.json()["brightness"] == answer.json()["baseline"] == pytest.approx(end)


@pytest.mark.parametrize(("delta", "steps"), [(0.000001, 1), (-0.000001, -1)])
def test_the_smallest_move_is_one_step(client, delta, steps):
    before = client.state["raw"]["value"]
    for count in (1, 2, 3):
        state = client.patch("/v1/brightness", json={"delta": delta}).json()
        assert state["raw"]["value"] == before + steps * count


def test_the_cause_names_the_holder_and_the_reason(client):
    # Times have milliseconds.
    before = datetime.now(timezone.utc) - timedelta(milliseconds=1)
    cause = client.set(0.3, holder="kiosk-3", reason="qr")["cause"]
    assert (cause["kind"], cause["by"], cause["reason"]) == ("api", "kiosk-3", "qr")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", cause["at"])
    assert before <= datetime.fromisoformat(cause["at"]) <= datetime.now(timezone.utc)
    cause = client.set(0.4)["cause"]
    assert (cause["kind"], cause["by"], cause["reason"]) == ("api", None, None)


@pytest.mark.parametrize("text", ['"\\', "data: {}", "line 1 \u00a0 2", "déjà vu 🌞", "</script>"])
def test_any_reason_is_returned_unchanged(client, text):
    assert client.set(0.3, reason=text)["cause"]["reason"] == text
    assert client.state["cause"]["reason"] == text


def test_the_dimmest_step_is_not_zero(client):
    """Step 0 is off on many panels. The state contains the step that is shown instead."""
    state = client.put("/v1/brightness", json={"raw": 0}).json()
    assert (state["baseline"], state["raw"]["value"]) == (0.001, 1)


def test_only_a_change_is_a_new_revision(client):
    before = client.state
    first = client.set(0.6)
    assert first["revision"] > before["revision"]
    assert client.set(0.6) == first
    assert client.state == first


def test_automatic_brightness_needs_a_sensor(start, connect, backlight):
    client = connect(start(*backlight.options))
    before = client.state
    off = client.put("/v1/displays/intel_backlight/auto", json={"enabled": False})
    assert off.status_code == 200
    assert off.json()["auto"] == {"enabled": False, "heldUntil": None, "waiting": None}
    assert client.put("/v1/displays/intel_backlight/auto", json={"enabled": True}).status_code == 409
    assert client.state["baseline"] == before["baseline"]


def test_each_display_has_a_state_of_its_own(start, connect):
    daemon = start("--display", "simulated:left", "--display", "simulated:right", "--default-display", "right")
    client = connect(daemon)
    displays = client.get("/v1/displays").json()
    assert [display["id"] for display in displays["displays"]] == ["left", "right"]
    assert client.state["id"] == "right"

    left = client.get("/v1/displays/left")
    right = client.set(0.7)
    assert right["id"] == "right"
    again = client.get("/v1/displays/left")
    assert (again.json(), again.headers["etag"]) == (left.json(), left.headers["etag"])
    everything = client.get("/v1/displays")
    assert everything.json()["revision"] == right["revision"]
    assert everything.headers["etag"] == client.etag

    lease = client.post("/v1/displays/left/boost").json()
    assert (lease["display"], client.state["boost"]) == ("left", None)
    assert client.get(f"/v1/displays/right/leases/{lease['id']}").status_code == 404
    assert client.delete(f"/v1/displays/right/leases/{lease['id']}").status_code == 404
    assert client.get("/v1/displays/left").json()["boost"]["leases"] == 1


def test_the_first_display_is_the_default(start, connect):
    client = connect(start("--display", "simulated:left", "--display", "simulated:right"))
    assert client.state["id"] == "left"


def test_no_request_goes_below_the_minimum(start, connect):
    client = connect(start("--min-brightness", "0.1"))
    dimmest = client.set(0)["raw"]
    assert dimmest["value"] == pytest.approx(0.1 * dimmest["maximum"], abs=1)
    assert client.set(0.5)["raw"]["value"] == round(0.5 * dimmest["maximum"])


def test_no_boost_goes_above_the_cap(start, connect):
    client = connect(start("--boost-cap", "0.75"))
    client.set(0.5)
    assert client.boost()["brightness"] == 1
    assert client.state["brightness"] == client.state["boost"]["brightness"] == 0.75
    assert client.set(0.9)["brightness"] == 0.9
