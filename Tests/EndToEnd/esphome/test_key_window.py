# SPDX-License-Identifier: Apache-2.0
"""The window in which Home Assistant makes the key of its connections."""

import asyncio
import base64
import socket
import stat
import xml.etree.ElementTree as ET

import pytest
from aioesphomeapi import (
    ZERO_NOISE_PSK,
    APIConnectionError,
    InvalidEncryptionKeyAPIError,
    RequiresEncryptionAPIError,
)

from support import esphome
from support.brightness import brightness
from support.daemon import run
from support.esphome import KEY, TIMEOUT, Home
from support.ports import free_port
from support.until import until

WINDOW = "/v1/home-assistant/key-window"


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def options(port, tmp_path):
    return ["--esphome", f"0.0.0.0:{port}", "--state-directory", str(tmp_path / "state")]


@pytest.fixture
def neighbour():
    """An address of this machine that is not loopback: a connection to it comes from another machine's kind of address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no address but loopback")
        return probe.getsockname()[0]


def plain_hello(host, port):
    """The answer to a plain hello."""
    with socket.create_connection((host, port), timeout=TIMEOUT) as connection:
        try:
            connection.sendall(b"\0\0\1")
            return connection.recv(4_096)
        except ConnectionError:
            return b""


async def set_key(port, text, key=None, host="127.0.0.1"):
    async with Home(port, key, host=host) as home:
        return home.device, await home.client.noise_encryption_set_key(text.encode())


@pytest.mark.parametrize("first", [None, ZERO_NOISE_PSK], ids=["plain", "encrypted with the zero key"])
def test_home_assistant_makes_the_key_in_the_window(start, connect, port, options, tmp_path, neighbour, first):
    daemon = start(*options)
    client = connect(daemon)
    assert client.get(WINDOW).json() == {"key": "none", "ttl": None}
    until(lambda: client.get("/readyz").json()["homeAssistant"].get("key") == "none", "it listens")
    assert plain_hello(neighbour, port) == b""
    daemon.line(rf"ESPHome: refused {neighbour}: there is no key")

    answer = client.put(WINDOW, json={"ttl": 60})
    assert (answer.status_code, answer.json()["key"]) == (200, "awaited")
    assert 50 < answer.json()["ttl"] <= 60
    until(lambda: client.get("/readyz").json()["homeAssistant"]["key"] == "awaited", "the window is reported")

    device, is_set = esphome.run(set_key(port, KEY, first, neighbour))
    assert (device.api_encryption_supported, device.api_encryption_provisionable, is_set) == (True, True, True)
    daemon.line(rf"ESPHome: {neighbour} has set the key")
    file = tmp_path / "state" / "esphome.key"
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == (f"{KEY}\n", 0o600)
    assert client.get(WINDOW).json() == {"key": "set", "ttl": None}
    assert client.put(WINDOW).status_code == 403

    # From now on a client needs the key, also on loopback and after a restart.
    for _ in range(2):
        for host in ["127.0.0.1", neighbour]:
            with pytest.raises(RequiresEncryptionAPIError):
                esphome.run(set_key(port, KEY, None, host))
            with pytest.raises(InvalidEncryptionKeyAPIError):
                esphome.run(set_key(port, KEY, ZERO_NOISE_PSK, host))
            device, is_set = esphome.run(set_key(port, esphome.new_key(), KEY, host))
            assert (device.api_encryption_supported, device.api_encryption_provisionable, is_set) == (True, False, False)
        daemon.stop()
        daemon = start(*options)


def test_a_stranger_in_the_window_changes_no_display(start, connect, port, options, neighbour):
    client = connect(start(*options))
    client.set(0.4)
    client.put(WINDOW)

    async def talk():
        async with Home(port, host=neighbour) as stranger, Home(port) as local:
            await stranger.light(True, 0.4)
            stranger.turn(state=True, brightness=0.9)
            [action] = [action for action in stranger.actions if action.name == "boost"]
            values = {argument.name: 0.0 if argument.name in ("percent", "ttl") else "" for argument in action.args}
            answer = await stranger.client.execute_service(action, values, return_response=False, timeout=TIMEOUT)
            assert (answer.success, "no key yet" in answer.error_message) == (False, True)
            # A client of this machine may do what it may without the window.
            local.turn(state=True, brightness=0.6)
            await stranger.light(True, 0.6)
            for bad in ["", "hunter2", base64.b64encode(bytes(32)).decode()]:
                assert await stranger.client.noise_encryption_set_key(bad.encode()) is False

    esphome.run(talk())


def test_a_client_that_connects_as_the_window_opens_is_not_disconnected(start, connect, port, options, neighbour):
    client = connect(start(*options))
    for _ in range(100):
        client.put(WINDOW)
        assert plain_hello(neighbour, port) != b""
        client.delete(WINDOW)


def test_a_client_without_a_hello_that_an_opening_window_ends_is_not_refused(start, connect, port, options):
    client = connect(start(*options))
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as silent:
        # Clients are accepted in the order in which they connect.
        assert plain_hello("127.0.0.1", port) != b""
        client.put(WINDOW)
        assert silent.recv(1) == b""

    def health():
        now = client.get("/readyz").json()["homeAssistant"]
        return now if now["key"] == "awaited" else None

    assert until(health, "the window is reported")["refused"] == 0


def test_a_window_that_closes_ends_the_connections_of_strangers(start, connect, port, options, neighbour, tmp_path):
    daemon = start(*options)
    client = connect(daemon)
    client.put(WINDOW)

    async def talk():
        async with Home(port, host=neighbour) as stranger:
            assert (await asyncio.to_thread(client.delete, WINDOW)).status_code == 204
            await asyncio.wait_for(stranger.ended.wait(), TIMEOUT)

    esphome.run(talk())
    assert plain_hello(neighbour, port) == b""
    assert not (tmp_path / "state" / "esphome.key").exists()
    with pytest.raises(APIConnectionError):
        esphome.run(set_key(port, KEY, None, neighbour))


def test_the_window_is_for_admins_and_for_daemons_that_can_store_a_key(start, connect, port, tmp_path):
    assert connect(start()).put(WINDOW).status_code == 404
    memory = connect(start("--esphome", f"127.0.0.1:{port}", "--state-directory", "none"))
    answer = memory.put(WINDOW)
    assert (answer.status_code, "--state-directory" in answer.json()["detail"]) == (403, True)
    given = connect(start(*esphome.options(free_port(), tmp_path)))
    assert "--esphome-key-file" in given.put(WINDOW).json()["detail"]
    tokens = tmp_path / "tokens"
    tokens.write_text("".join(f"{name}:{name}:{name * 16}\n" for name in ("write", "admin")))
    tokens.chmod(0o600)
    daemon = start("--esphome", str(free_port()), "--state-directory", str(tmp_path / "other"), "--token-file", tokens)
    client = connect(daemon)
    for name, method, body, status in [
        ("write", "PUT", {}, 403), ("write", "DELETE", None, 403), ("admin", "PUT", {"ttl": 901}, 422),
        ("admin", "PUT", {"ttl": 30}, 200), ("admin", "DELETE", None, 204), ("write", "GET", None, 200),
    ]:
        answer = client.request(method, WINDOW, json=body, headers={"Authorization": f"Bearer {name * 16}"})
        assert answer.status_code == status, (name, method, answer.text)


def test_the_service_file_announces_whether_there_is_a_key(options, port, tmp_path):
    def records():
        answer = run("avahi", *options)
        assert answer.returncode == 0, answer.stderr
        return dict(record.text.split("=", 1) for record in ET.fromstring(answer.stdout).iter("txt-record"))

    assert {"api_encryption", "api_encryption_supported"} & records().keys() == {"api_encryption_supported"}
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "esphome.key").write_text(f"{KEY}\n")
    assert {"api_encryption", "api_encryption_supported"} & records().keys() == {"api_encryption"}
    (tmp_path / "state" / "esphome.key").write_text("hunter2\n")
    answer = run("avahi", *options)
    assert (answer.returncode != 0, "hunter2" in answer.stderr) == (True, False)


def test_a_command_opens_and_closes_the_window(start, options):
    daemon = start(*options)

    def run(*words):
        done = brightness("key-window", *words, BRIGHTNESS_SERVER=daemon.url)
        return done.returncode, done.stdout, done.stderr

    closed = "There is no key. Only clients of this machine may connect.\n"
    assert run() == (0, closed, "")
    opened = run("open", "--for", "1m")
    assert opened == (0, "The window is open for 60 s: add the ESPHome integration in Home Assistant now.\n", "")
    assert run("show", "--json")[1].startswith('{"key":"awaited","ttl":')
    assert run("close") == run("show") == (0, closed, "")
    status, _, complaints = run("open", "--for", "1h")
    assert status == 1 and "ttl must be a number from 30 to 900" in complaints
    assert run("show") == (0, closed, "")


def test_without_the_server_the_command_states_the_option(start):
    done = brightness("key-window", "open", BRIGHTNESS_SERVER=start().url)
    assert done.returncode == 1 and "--esphome 6053" in done.stderr
