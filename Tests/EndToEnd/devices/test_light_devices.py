# SPDX-License-Identifier: Apache-2.0
"""`--light-sensor URL`: ESPHome, lunarsensor and another daemon, and servers that are neither."""

import gzip
import os
import time

import pytest

from support.daemon import run
from support.light_device import STREAM, ESPHome, device, esphome_state, lunarsensor
from support.ports import free_port
from support.until import until



@pytest.fixture
def reading(start, connect, backlight):
    """Starts a daemon without a light sensor of its own, which reads these URLs. Returns a client of it."""

    def reading(*urls, **how):
        options = [word for url in urls for word in ("--light-sensor", url)]
        daemon = start(*backlight.options, *options, **how)
        client = connect(daemon)
        client.daemon = daemon
        # The sensors are read twice a second while a display follows the light.
        return client

    return reading


def ambient(client):
    return client.get("/v1/ambient").json()


def measures(client, lux):
    return until(lambda: (light := ambient(client)).get("illuminance") == lux and light, f"{lux} lx")


def condition(client):
    return [sensor["condition"] for sensor in ambient(client).get("sensors", [])]


def test_esphome_is_one_more_sensor(reading):
    light = ESPHome(300)
    with device(light) as server:
        client = reading(server.url)
        ambient = measures(client, 300)
        assert (ambient["source"], ambient["appearance"]) == ("sensor", "day")
        sensor = {"id": f"{server.url}/events", "kind": "illuminance", "illuminance": 300, "condition": "live"}
        assert ambient["sensors"] == [sensor]
        light.set(3)
        measures(client, 3)
        assert len(server.requests) == 1
        assert "\r\nUser-Agent: brightnessd/" in server.requests[0]
        assert client.daemon.line(r"light sensor \S+: connected")


def test_a_display_follows_esphome(reading):
    light = ESPHome(1000)
    with device(light) as server:
        client = reading(server.url)
        measures(client, 1000)
        assert client.put("/v1/auto", json={"enabled": True}).status_code == 200
        bright = until(lambda: (state := client.state)["cause"]["kind"] == "auto" and state, "it follows")
        light.set(1)
        until(lambda: client.state["brightness"] < bright["brightness"] / 2, "it follows into the dark")


@pytest.mark.parametrize("path", ["", "/sensor/ambient_light", "/events#ambient_light"])
def test_lunarsensor_is_read_by_events_and_by_request(reading, path):
    with device(lunarsensor) as server:
        measures(reading(server.url + path), 400)


def test_another_daemon_is_a_light_sensor(reading, start):
    with_sensor = start("--display", "simulated")
    measures(reading(f"http://127.0.0.1:{with_sensor.port}"), 320)


@pytest.mark.parametrize(("name", "fragment"), [("Desk", "Desk"), ("Büro links", "B%C3%BCro%20links")])
def test_a_named_sensor_counts_and_no_other(reading, name, fragment):
    def serve(server, request, connection):
        connection.sendall(STREAM + esphome_state(900, "Window") + esphome_state(20, name))
        server.closed.wait()

    with device(serve) as server:
        measures(reading(f"{server.url}#{fragment}"), 20)


def test_a_trusted_sensor_of_the_machine_that_is_darker_stays_in_force(start, connect):
    with device(ESPHome(5000)) as server:
        client = connect(start("--light-sensor", server.url))
        until(lambda: (ambient(client).get("sensors") or [{}])[-1].get("illuminance") == 5000, "it is read")
        light = ambient(client)
        assert light["illuminance"] == 320


def test_a_sensor_that_loses_its_value_is_stale(reading):
    light = ESPHome(300)
    with device(light) as server:
        client = reading(server.url)
        measures(client, 300)
        light.set(None)
        until(lambda: ambient(client)["illuminance"] is None, "the light is unknown", 60)
        assert condition(client) == ["stale"]
        assert client.daemon.line("no reading, because its sensor has no reading")


@pytest.mark.parametrize("lux", ["-5", "1e9"])
def test_an_impossible_number_is_not_believed(reading, lux):
    def serve(server, request, connection):
        while not server.closed.wait(0.5):
            connection.sendall(
                f'event: state\ndata: {{"id":"sensor-a","state":"{lux} lx","value":{lux}}}\n\n'.encode()
            )

    with device(lambda server, request, connection: (connection.sendall(STREAM), serve(server, request, connection))) as server:
        client = reading(server.url)
        until(lambda: condition(client) == ["impossible"], "it is impossible")
        assert ambient(client)["illuminance"] is None


def endless_line(server, connection):
    connection.sendall(STREAM + b"data: ")
    while not server.closed.is_set():
        connection.sendall(b"x" * 4096)


def endless_header(server, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while not server.closed.is_set():
        connection.sendall(b"x" * 4096)


def compressed(server, connection):
    head = STREAM.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    connection.sendall(head + gzip.compress(esphome_state(77)))
    server.closed.wait()


def compressed_in_secret(server, connection):
    connection.sendall(STREAM + gzip.compress(esphome_state(77) * 10_000))
    server.closed.wait(1)


def redirect(server, connection):
    connection.sendall(f"HTTP/1.1 302 Found\r\nLocation: {server.url}/other\r\nContent-Length: 0\r\n\r\n".encode())


def page(server, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")


def not_http(server, connection):
    connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")


def not_json(server, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\nNaN")


def large_document(server, connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[" + b" " * 1_000_000)


def password(server, connection):
    connection.sendall(b'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n')


HOSTILE = {
    endless_line: "it sends more than 16384 bytes at once",
    endless_header: "",
    compressed: "its answer is compressed",
    compressed_in_secret: "",
    redirect: "it redirects to another URL, which is not followed",
    page: "it sends text/html, not text/event-stream or application/json",
    not_http: "",
    not_json: "it does not send a sensor's state in lx as JSON",
    large_document: "it sends more than 16384 bytes at once",
    password: "it requires a password, which is not supported",
    lambda server, connection: server.closed.wait(): "it does not answer",
    lambda server, connection: None: "",
    lambda server, connection: connection.sendall(STREAM): "it has closed the connection",
}


def test_hostile_servers_are_refused_and_harm_no_other(reading):
    """All of them at one daemon, next to a good one."""
    contexts = [device(lambda server, request, connection, serve=serve: serve(server, connection)) for serve in HOSTILE]
    servers = [context.__enter__() for context in contexts]
    try:
        with device(ESPHome(300)) as good:
            client = reading(*(server.url for server in servers), good.url)
            before = client.daemon.resident
            measures(client, 300)
            for server, reason in zip(servers, HOSTILE.values()):
                client.daemon.line(f"light sensor {server.url}/events: no reading, because {reason}")
            busy = processor_seconds(client.daemon.pid)
            began = time.monotonic()
            until(lambda: time.monotonic() > began + 5, "five seconds")
            share = (processor_seconds(client.daemon.pid) - busy) / (time.monotonic() - began)
            growth = client.daemon.resident - before
            print(f"{len(servers)} hostile devices: {share:.1%} of a processor, {growth / 1e6:.1f} MB more")
            assert share < 0.25
            assert growth < 40e6
            assert measures(client, 300)["sensors"][-1]["condition"] == "live"
            assert condition(client)[:-1] == ["stale"] * len(servers)
            # The redirect was not followed.
            assert all(request.startswith("GET /events ") for server in servers for request in server.requests)
            # They are tried again after a growing delay, and their failures are logged once.
            for server in servers:
                lines = [line for line in client.daemon.lines if f"light sensor {server.url}/" in line]
                assert len(lines) <= 2, lines
                assert len(server.requests) <= 30
    finally:
        for context in contexts:
            context.__exit__(None, None, None)


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_device_that_is_switched_on_later_is_read(reading):
    client = reading(f"http://127.0.0.1:{free_port()}")
    client.daemon.line("no reading, because nothing answers at this address")
    assert client.get("/readyz").status_code == 200
    until(lambda: condition(client) == ["stale"], "it is stale", 60)


def test_without_libcurl_the_log_names_the_package(reading, tmp_path):
    """A directory with an empty file of its name comes first."""
    (tmp_path / "libcurl.so.4").write_bytes(b"")
    client = reading("http://127.0.0.1:9", env={"LD_LIBRARY_PATH": str(tmp_path)})
    client.daemon.line(r"libcurl cannot be loaded \(.*\); install the package libcurl4")
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    "value", ["light.local", "ftp://light.local", "http://user:secret@light.local", "http://", "http://a b"]
)
def test_another_value_is_rejected_at_the_start(value):
    ended = run("serve", "--light-sensor", value)
    assert ended.returncode == 64
    assert "a URL like http://light.local" in ended.stderr


def test_a_url_twice_is_rejected(reading):
    ended = run("serve", env={"BRIGHTNESSD_LIGHT_SENSOR": "http://a,http://a/events"})
    assert (ended.returncode, "the same URL twice" in ended.stderr) == (64, True)
