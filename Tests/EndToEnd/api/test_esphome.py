# SPDX-License-Identifier: Apache-2.0
"""The light for clients of Lunar's and ESPHome's sensors: by the ids of both versions, and never an invented reading."""

import json
import subprocess

import httpx
import pytest
from httpx_sse import connect_sse

from support.sensors import Sensor
from support.until import TIMEOUT, until


OLD, NEW = "/sensor/ambient_light", "/sensor/Ambient%20Light"


def curl(daemon, path):
    """Status and body, byte by byte."""
    command = ["curl", "-sS", "--max-time", "30", "-w", "\n%{http_code}", f"localhost:{daemon.port}{path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done
    body, _, status = done.stdout.rpartition("\n")
    return int(status), body


def events(source):
    """Skips blocks without data, as browsers do; the library returns them."""
    return ((event.event, event.json()) for event in source.iter_sse() if event.data)


def test_old_and_new_ids_have_the_same_reading(daemon, client):
    until(lambda: client.get(OLD).status_code == 200, "there is a reading")
    old = '{"id":"sensor-ambient_light","name_id":"sensor/Ambient Light","state":"320.0 lx","value":320.0}\n'
    assert curl(daemon, OLD) == (200, old)
    assert curl(daemon, NEW) == (200, '{"id":"sensor/Ambient Light","state":"320.0 lx","value":320.0}\n')
    assert client.get("/sensor/ambient_color_temperature").status_code == 404


@pytest.mark.parametrize("path", [OLD, NEW])
def test_an_estimate_without_a_sensor_is_not_a_reading(start, backlight, path):
    status, body = curl(start(*backlight.options), path)
    assert (status, json.loads(body)["type"]) == (503, "/problems/temporarily-unavailable")


def test_events_contain_readings_only(start, connect, backlight):
    """One shard, so that a new client receives the retained events of earlier clients."""
    sensor = Sensor(backlight.root, in_illuminance_input=300)
    daemon = start(*backlight.options, "--shards", "1")
    client = connect(daemon)
    with httpx.Client(base_url=daemon.url, timeout=TIMEOUT) as http, connect_sse(http, "GET", "/events") as source:
        received = events(source)
        name, first = next(received)
        assert (name, first) == ("state", client.get(OLD).json())
        assert (first["id"], first["state"], first["value"]) == ("sensor-ambient_light", "300.0 lx", 300.0)
        client.set(0.6)
        sensor.write(in_illuminance_input="garbage")
        until(lambda: client.get(OLD).status_code == 503, "there is no reading")
        with httpx.Client(base_url=daemon.url, timeout=TIMEOUT) as other, connect_sse(other, "GET", "/events") as late:
            sensor.write(in_illuminance_input=80.25)
            # Neither got the display's change, nor the new client the reading that is over.
            assert next(received)[1]["value"] == next(events(late))[1]["value"] == client.get(NEW).json()["value"]


def test_the_scope_read_covers_the_sensor(start, connect, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("lunar:read:0123456789abcdef0123456789abcdef\n")
    tokens.chmod(0o600)
    daemon = start("--token-file", tokens)
    client = connect(daemon)
    assert [client.get(path).status_code for path in (OLD, "/events")] == [401, 401]
    secret = "0123456789abcdef0123456789abcdef"
    assert client.get(OLD, headers={"Authorization": f"Bearer {secret}"}).status_code in (200, 503)
    with connect_sse(client, "GET", f"/events?access_token={secret}") as source:
        assert source.response.status_code == 200
