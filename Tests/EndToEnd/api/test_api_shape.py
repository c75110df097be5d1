# SPDX-License-Identifier: Apache-2.0
"""The same words for the default display, for each and for all; documents and indexes; hints for natural mistakes."""

import json
import re

import pytest

from support import contract
from support.client import Client
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


def baselines(client):
    return {display["id"]: display["baseline"] for display in client.get("/v1/displays").json()["displays"]}


@pytest.mark.parametrize("path", ["/v1/brightness?display=b", "/v1/displays/b/brightness"])
@pytest.mark.parametrize(("body", "wanted"), [({"brightness": 0.7}, 0.7), ({"percent": 30}, 0.3), ({"raw": 810}, 0.81)])
def test_a_shortcut_names_another_display(client, path, body, wanted):
    assert client.put(path, json=body).json()["id"] == "b"
    assert client.get("/v1/brightness?display=b").json()["baseline"] == wanted
    assert client.get("/v1/brightness").json()["id"] == "a"
    assert baselines(client) == {"a": 0.5, "b": wanted}


@pytest.mark.parametrize("query", ["displya=b", "display=b&display=a", "display=all", "x", "access_token=y"])
def test_a_command_rejects_other_query_parameters(client, query):
    answer = client.put(f"/v1/brightness?{query}", json={"brightness": 0.7})
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/invalid-request")
    assert baselines(client) == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize("path", ["/v1/displays/a/brightness?display=b", "/v1/simulator?display=a"])
def test_display_is_no_parameter_of_other_commands(client, path):
    method, body = ("PATCH", {"near": False}) if "simulator" in path else ("PUT", {"brightness": 0.7})
    assert client.request(method, path, json=body).status_code == 400
    assert baselines(client) == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize(("body", "wanted"), [({"brightness": 0.9}, 0.9), ({"percent": 80}, 0.8), ({"raw": 700}, 0.7)])
def test_a_boost_has_a_brightness_in_any_unit(client, body, wanted):
    lease = client.post("/v1/boost", json=body)
    assert (lease.status_code, lease.json()["brightness"]) == (201, wanted)
    assert client.get("/v1/brightness").json()["brightness"] == wanted


def test_a_boost_beyond_the_steps_of_the_panel_is_rejected(client):
    answer = client.post("/v1/boost", json={"raw": 1_001})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/raw")
    assert client.get("/v1/brightness").json()["boost"] is None


def test_a_delta_may_be_in_percent(client):
    assert client.patch("/v1/brightness", json={"delta": {"percent": -10}}).json()["baseline"] == 0.4
    assert client.patch("/v1/displays/all/brightness", json={"delta": {"brightness": 0.1}}).status_code == 200
    assert baselines(client) == {"a": 0.5, "b": 0.6}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/v1/boost", ["a"]), ("/v1/boost?display=b", ["b"]), ("/v1/displays/a/boost", ["a"]),
        ("/v1/displays/all/boost", ["a", "b"]), ("/v1/displays/b/leases", ["b"]),
        ("/v1/displays/all/leases?kind=boost", ["a", "b"]), ("/v1/leases?display=b&kind=boost", ["b"]),
        ("/v1/leases?kind=dim", []),
    ],
)  # fmt: skip
def test_the_leases_of_a_display_are_listed_under_its_words(client, path, wanted):
    assert client.post("/v1/displays/all/boost", json={"holder": "kiosk-3"}).status_code == 200
    assert [lease["display"] for lease in client.get(path).json()["leases"]] == wanted


def test_restore_answers_the_number_of_released_leases(client):
    client.post("/v1/boost", json={"holder": "one"})
    client.post("/v1/boost", json={"holder": "two"})
    assert client.post("/v1/restore").json()["released"] == 0
    assert client.post("/v1/restore", json={"holder": "one"}).json()["released"] == 1
    client.post("/v1/boost", json={"holder": "three"})
    assert client.post("/v1/restore", json={"all": True}).json()["released"] == 2
    results = client.post("/v1/displays/all/restore").json()["results"]
    assert [result["state"]["released"] for result in results] == [0, 0]


def test_what_was_learned_can_be_read(client):
    assert client.put("/v1/auto", json={"enabled": True}).status_code == 200
    assert client.get("/v1/auto").json() == {"display": "a", "enabled": True, "heldUntil": None, "waiting": None, "lessons": []}
    until(lambda: client.get("/v1/ambient").status_code == 200, "there is light")
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
    assert "no open stream" in lease["warning"]
    assert "warning" not in client.get("/v1/boost").json()["leases"][0]
    with client.stream("GET", "/v1/events?holder=kiosk-4", headers={"Accept": "text/event-stream"}):
        lease = client.post("/v1/boost", json={"lifespan": "visible", "holder": "kiosk-4"}).json()
        assert "warning" not in lease


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/brightness"), ("GET", "/v1/displays"), ("GET", "/v1"), ("POST", "/v1/boost"), ("GET", "/readyz"),
     ("GET", "/nothing"), ("GET", "/v1/history"), ("GET", "/problems/forbidden"), ("GET", "/livez")],
)  # fmt: skip
def test_a_body_ends_with_a_newline(client, method, path):
    content = client.request(method, path).content
    assert content.endswith(b"\n") and not content.endswith(b"\n\n")


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/v1/brightness/", "/v1/brightness, without the slash at the end"),
        ("/v1/displays/", "/v1/displays, without the slash at the end"),
        ("/brightness", "/v1/brightness"), ("/v1/display", "/v1/displays"), ("/boost", "/v1/boost"),
        ("/v1/displays/a/bosot", "/v1/displays/a/boost"), ("/V1/Brightness", "/v1/brightness"),
    ],
)  # fmt: skip
def test_a_404_names_the_nearest_path(client, path, hint):
    answer = client.get(path)
    assert (answer.status_code, answer.json()["detail"].split("Did you mean ")[1]) == (404, f"{hint}?")


def test_a_405_names_the_path_that_has_the_method(client):
    assert "PUT /v1/displays/a/brightness" in client.put("/v1/displays/a", json={"percent": 70}).json()["detail"]


@pytest.mark.parametrize(
    ("method", "path", "body", "hint"),
    [
        ("PUT", "/v1/brightness", {"level": 70}, "Did you mean brightness, percent or raw?"),
        ("PUT", "/v1/brightness", {"value": 70}, "Did you mean brightness, percent or raw?"),
        ("PUT", "/v1/brightness", {"Percent": 70}, "Did you mean percent?"),
        ("PUT", "/v1/brightness", {"brightness": 70}, 'send {"percent":70}'),
        ("PATCH", "/v1/brightness", {"percent": 70}, '{"delta":{"percent":-10}}'),
        ("PATCH", "/v1/brightness", {"delta": -10}, '{"delta":{"percent":-10}}'),
        ("POST", "/v1/boost", {"duration": 60}, "Did you mean ttl?"),
        ("POST", "/v1/restore", {"holdr": "kiosk"}, "Did you mean holder?"),
    ],
)
def test_an_invalid_body_names_the_remedy(client, method, path, body, hint):
    answer = client.request(method, path, json=body)
    assert answer.status_code == 422
    assert hint in answer.json()["detail"]


def test_every_fault_of_a_body_is_listed(client):
    problem = client.post("/v1/boost", json={"brightness": 70, "ttl": "x", "foo": 1}).json()
    assert [error["pointer"] for error in problem["errors"]] == ["/brightness", "/ttl", "/foo"]


def test_invalid_json_is_reported_with_line_and_column(client):
    answer = client.put("/v1/brightness", content=b'{\n "percent": 70,\n}', headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert "line 3, column" in answer.json()["detail"]


def test_a_slow_panel_among_all_is_207(daemon, client):
    assert client.patch("/v1/simulator", json={"display": "b", "delay": 1}).status_code == 200
    answer = client.put("/v1/displays/all/brightness", json={"brightness": 0.6}, headers={"Prefer": "wait=0"})
    assert client.patch("/v1/simulator", json={"display": "b", "delay": 0}).status_code == 200
    assert answer.status_code == 207
    assert [result["status"] for result in answer.json()["results"]] == [200, 202]
    until(lambda: client.get("/v1/displays/b").json()["raw"]["value"] == 600, "the slow panel is set")


def test_if_match_holds_for_each_of_all(client):
    answer = client.put("/v1/displays/all/brightness", json={"brightness": 0.6}, headers={"If-Match": '"x-1"'})
    assert answer.status_code == 207
    assert [result["status"] for result in answer.json()["results"]] == [412, 412]


def test_the_index_links_to_every_path(client):
    links = {link["href"]: link["methods"] for link in client.get("/v1").json()["links"]}
    documented = {path for path in contract.DOCUMENT["paths"] if path.startswith("/v1/")}
    assert documented <= links.keys()
    for path in links:
        methods = {method.upper() for method in contract.DOCUMENT["paths"][path] if method in contract.METHODS}
        assert set(links[path]) == methods


@pytest.mark.parametrize("path", ["/v1", "/", "/.well-known/api-catalog"])
def test_programs_find_the_documents(client, path):
    link = client.head(path).headers["link"]
    for target in re.findall(r"<([^>]+)>", link):
        assert client.get(target).status_code == 200
    assert 'rel="service-desc"' in link


def test_the_catalog_names_existing_documents(client):
    answer = client.get("/.well-known/api-catalog")
    assert answer.headers["content-type"].startswith("application/linkset+json")
    [links] = answer.json()["linkset"]
    for relation in ("service-desc", "service-doc", "status"):
        for target in links[relation]:
            assert client.get(target["href"]).headers["content-type"].split(";")[0] == target["type"]


def test_the_document_is_served_as_json(client):
    assert client.get("/openapi.json").json() == json.loads(json.dumps(contract.DOCUMENT))


@pytest.mark.parametrize("path", ["/livez", "/v1", "/problems/forbidden", "/metrics", "/v1/brightness"])
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_answers_to_allowed_origins_vary_by_origin(client, method, path):
    answer = client.request(method, path, headers={"Origin": "http://localhost:3000"})
    assert answer.headers["access-control-allow-origin"] == "http://localhost:3000"
    assert "Origin" in answer.headers["vary"]


def test_a_token_in_the_query_is_for_streams_only(tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("kiosk:write:kiosk-0123456789abcdef\n")
    tokens.chmod(0o600)
    daemon = Daemon("--token-file", str(tokens))
    try:
        with Client(daemon) as client:
            answer = client.get("/v1/brightness?access_token=kiosk-0123456789abcdef")
            assert (answer.status_code, "Only streams" in answer.json()["detail"]) == (401, True)
            assert client.get("/v1").status_code == 200
    finally:
        daemon.stop()
