# SPDX-License-Identifier: Apache-2.0
"""Invalid bodies: not JSON, or values out of range, with a pointer to them."""

import json

import pytest

from support.wire import Connection

BRIGHTNESS = "/v1/brightness"
BOOST = "/v1/boost"
RESTORE = "/v1/restore"
AUTO = "/v1/displays/simulated/auto"
LEASE = "/v1/displays/simulated/leases/" + "0" * 32


@pytest.mark.parametrize(
    "body",
    [
        b"", b" ", b"{", b"}", b'{"brightness":}', b'{"brightness":0.5', b'{"brightness":0.5}}', b'{"brightness":NaN}',
        b"NaN", b'{"brightness":Infinity}', b'{"brightness":.5}', b'{"brightness":0x1}', b"{'brightness':0.5}",
        b'{"brightness":0.5,}', b'{"brightness":0.5}\0', b"\xff", b'{"reason":"\xc3(","brightness":0.5}',
        b'{"brightness":0.5}{"brightness":0.6}', b"{" * 10_000, b"[" * 10_000, b'{"brightness":01}',
    ],
)  # fmt: skip
@pytest.mark.parametrize(("method", "path"), [("PUT", BRIGHTNESS), ("PATCH", LEASE)])
def test_a_body_that_is_not_json_is_rejected(refuse, method, path, body):
    problem = refuse(400, method, path, body=body)
    assert "errors" not in problem


@pytest.mark.parametrize(("method", "path"), [("POST", BOOST), ("POST", RESTORE)])
def test_an_optional_body_that_is_not_json_is_rejected(refuse, method, path):
    refuse(400, method, path, body=b"{")


@pytest.mark.parametrize(
    ("method", "path", "body", "pointer"),
    [
        ("PUT", BRIGHTNESS, {"brightness": 2}, "/brightness"),
        ("PUT", BRIGHTNESS, {"brightness": 1.0000001}, "/brightness"),
        ("PUT", BRIGHTNESS, {"brightness": -0.0000001}, "/brightness"),
        ("PUT", BRIGHTNESS, {"brightness": "0.5"}, "/brightness"),
        ("PUT", BRIGHTNESS, {"brightness": True}, "/brightness"),
        ("PUT", BRIGHTNESS, {"brightness": None}, "/brightness"),
        ("PUT", BRIGHTNESS, {"brightness": [0.5]}, "/brightness"),
        ("PUT", BRIGHTNESS, {"brightness": {}}, "/brightness"),
        ("PUT", BRIGHTNESS, {"percent": 101}, "/percent"),
        ("PUT", BRIGHTNESS, {"percent": -1}, "/percent"),
        ("PUT", BRIGHTNESS, {"raw": 1_000_000}, "/raw"),
        ("PUT", BRIGHTNESS, {"raw": -1}, "/raw"),
        ("PUT", BRIGHTNESS, {"raw": 1.5}, "/raw"),
        ("PUT", BRIGHTNESS, {"raw": 1e30}, "/raw"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "transition": 3_600.1}, "/transition"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "transition": -1}, "/transition"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "holder": ""}, "/holder"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "holder": "x" * 129}, "/holder"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "holder": 3}, "/holder"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "reason": "x" * 257}, "/reason"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "brightnes": 0.5}, "/brightnes"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "a/b~c": 0}, "/a~1b~0c"),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "ttl": 5}, "/ttl"),
        ("PUT", BRIGHTNESS, {}, ""),
        ("PUT", BRIGHTNESS, {"reason": "qr"}, ""),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "percent": 60}, None),
        ("PUT", BRIGHTNESS, [], ""),
        ("PUT", BRIGHTNESS, 0.5, ""),
        ("PUT", BRIGHTNESS, "0.5", ""),
        ("PUT", BRIGHTNESS, None, ""),
        ("PATCH", BRIGHTNESS, {"delta": 1.5}, "/delta"),
        ("PATCH", BRIGHTNESS, {"delta": "up"}, "/delta"),
        ("PATCH", BRIGHTNESS, {"delta": -0.1, "transition": "1"}, "/transition"),
        ("PATCH", BRIGHTNESS, {"brightness": 0.6}, None),
        ("PATCH", BRIGHTNESS, {}, None),
        ("POST", BOOST, {"brightness": 1.5}, "/brightness"),
        ("POST", BOOST, {"ttl": 0}, "/ttl"),
        ("POST", BOOST, {"ttl": -5}, "/ttl"),
        ("POST", BOOST, {"ttl": 3600.001}, "/ttl"),
        ("POST", BOOST, {"ttl": "60"}, "/ttl"),
        ("POST", BOOST, {"lifespan": "visible"}, "/holder"),
        ("POST", BOOST, {"lifespan": "forever"}, "/lifespan"),
        ("POST", BOOST, {"lifespan": 1}, "/lifespan"),
        ("POST", BOOST, {"transition": True}, "/transition"),
        ("POST", BOOST, {"holder": ""}, "/holder"),
        ("POST", BOOST, {"holder": "x" * 129}, "/holder"),
        ("POST", BOOST, {"reason": "x" * 257}, "/reason"),
        ("POST", BOOST, {"reason": 7}, "/reason"),
        ("POST", BOOST, ["boost"], ""),
        ("PUT", BRIGHTNESS, {"brightness": 0.6, "reason": "a\nb"}, "/reason"),
        ("POST", BOOST, {"holder": "kiosk\0"}, "/holder"),
        ("POST", BOOST, {"holder": "\x9b2Jkiosk"}, "/holder"),
        ("POST", BOOST, {"holder": "kiosk\u202e3"}, "/holder"),
        ("POST", BOOST, {"reason": "kiosk\u2066"}, "/reason"),
        ("POST", RESTORE, {"holder": ""}, "/holder"),
        ("POST", RESTORE, {"all": 1}, "/all"),
        ("POST", RESTORE, {"everybody": True}, "/everybody"),
        ("PUT", AUTO, {"enabled": "yes"}, "/enabled"),
        ("PUT", AUTO, {"enabled": 0}, "/enabled"),
        ("PUT", AUTO, {}, None),
    ],
)
def test_an_invalid_value_is_rejected_with_a_pointer(refuse, method, path, body, pointer):
    """`pointer`: the pointer in `errors`; `None` if several would be right."""
    problem = refuse(422, method, path, body=json.dumps(body).encode())
    assert problem["errors"]
    if pointer is not None:
        assert pointer in [error["pointer"] for error in problem["errors"]]


@pytest.mark.parametrize("ttl", [0, 3601, "x"])
def test_a_renewal_with_an_invalid_ttl_is_rejected(refuse, client, ttl):
    path = f"/v1/displays/simulated/leases/{client.boost()['id']}"
    problem = refuse(422, "PATCH", path, body=json.dumps({"ttl": ttl}).encode())
    assert problem["errors"][0]["pointer"] == "/ttl"


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ({"brightness": 0.6, "holder": "é" * 128}, 200),
        ({"brightness": 0.6, "reason": "🌞" * 256}, 200),
        ({"brightness": 0.6, "reason": ""}, 200),
    ],
)
def test_texts_of_the_maximum_length_are_accepted(client, body, most):
    assert client.put(BRIGHTNESS, json=body).status_code == most


def test_numbers_beyond_any_type_are_rejected(client, daemon):
    with Connection(daemon.port) as connection:
        for number in (b"1e400", b"-1e400", b"9" * 5_000, b"0." + b"9" * 5_000 + b"e9999"):
            answer = connection.request("PUT", BRIGHTNESS, body=b'{"brightness":' + number + b"}")
            assert answer.status in (400, 422), answer
    assert client.state["brightness"] == 0.5
