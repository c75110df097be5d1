# SPDX-License-Identifier: Apache-2.0
"""Automatic brightness where there is no light sensor, and what was switched."""

AUTO = "/v1/displays/simulated/auto"


def test_switched_off_it_stays_off_whatever_is_usual(start, connect, tmp_path):
    options = ["--auto", "on", "--state-directory", tmp_path]
    daemon = start(*options)
    client = connect(daemon)
    assert client.state["auto"]["enabled"]
    assert client.put(AUTO, json={"enabled": False}).status_code == 200
    daemon.kill()
    assert not connect(start(*options)).state["auto"]["enabled"]


def test_without_a_sensor_there_is_nothing_to_follow(start, connect, backlight):
    client = connect(start(*backlight.options, "--auto", "on"))
    before = client.state
    for path in (f"/v1/displays/{before['id']}/auto", "/v1/displays/all/auto"):
        answer = client.put(path, json={"enabled": True})
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/no-light-sensor")
    assert client.state == before
    assert client.put(f"/v1/displays/{before['id']}/auto", json={"enabled": False}).status_code == 200
    assert client.state["brightness"] == before["brightness"]
