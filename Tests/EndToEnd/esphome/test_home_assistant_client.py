# SPDX-License-Identifier: Apache-2.0
"""Home Assistant without a broker: its own client library at the ESPHome server."""

import asyncio

import pytest
from aioesphomeapi import (
    EncryptionPlaintextAPIError,
    InvalidEncryptionKeyAPIError,
    ReconnectLogic,
    RequiresEncryptionAPIError,
)
from aioesphomeapi.api_pb2 import PingRequest, PingResponse

from support import esphome
from support.esphome import KEY, TIMEOUT, Home
from support.ports import free_port
from support.provider import Provider
from support.until import until
from support.wire import Connection, request

PAGE = {"id": "page", "name": "The page", "maximum": 100, "switchable": False, "brightness": 0.8}


@pytest.fixture(params=["plain", "encrypted"])
def key(request):
    return KEY if request.param == "encrypted" else None


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def home(start, port, key, tmp_path, connect):
    """A daemon with one display, whose light sensor is known: a new one makes clients connect again."""
    daemon = start(*esphome.options(port, tmp_path if key else None))
    client = connect(daemon)
    client.await_light()
    return daemon


def test_a_display_is_a_light_that_dims_and_switches(home, port, key, connect):
    client = connect(home)
    client.set(0.4)

    async def talk():
        async with Home(port, key) as home:
            await home.light(True, 0.4)
            home.turn(state=True, brightness=0.7)
            await home.light(True, 0.7)
            state = client.state
            assert (state["brightness"], state["cause"]["by"], state["cause"]["principal"]) == (0.7, "home-assistant", "esphome")
            home.turn(state=False)
            await home.light(False, 0.7)
            assert client.state["power"]["on"] is False
            home.turn(state=True)
            await home.light(True, 0.7)
            home.turn(state=True, brightness=0.2, transition_length=0.2)
            await home.light(True, 0.2)
            client.set(0.9)
            await home.light(True, 0.9)

    esphome.run(talk())


def test_off_and_then_a_brightness_is_lit_also_on_a_slow_panel(home, port, key, connect):
    client = connect(home)
    assert client.patch("/v1/simulator", json={"display": client.state["id"], "delay": 0.7}).status_code == 200

    async def talk():
        async with Home(port, key) as home:
            home.turn(state=True, brightness=0.8)
            home.turn(state=False)
            home.turn(state=True, brightness=0.5)
            await home.light(True, 0.5)

    esphome.run(talk())
    until(lambda: client.state["brightness"] == 0.5 and client.state["power"] == {"on": True, "baseline": True, "switchable": True}, "lit")


def test_the_device_and_its_entities(home, port, key):
    async def talk():
        async with Home(port, key) as home:
            device = home.device
            assert (device.manufacturer, device.model) == ("brightnessd", "Display brightness")
            assert device.project_name == "brightnessd.Display brightness"
            assert device.api_encryption_supported == bool(key)
            assert device.mac_address.startswith("02:") and len(device.mac_address) == 17
            assert 1 <= len(device.name) <= 31
            [display] = device.devices
            entities = {name: type(info).__name__ for (_, name), info in home.entities.items() if info.device_id == display.device_id}
            assert entities == {
                "": "LightInfo",
                "Keep awake": "SwitchInfo",
                "Automatic brightness": "SwitchInfo",
                "Changed by a person": "EventInfo",
                "Boost": "ButtonInfo",
                "Restore": "ButtonInfo",
                "Boosted": "BinarySensorInfo",
                "Last change": "TextSensorInfo",
            }
            [illuminance] = [info for info in home.entities.values() if not info.device_id]
            assert (illuminance.device_class, illuminance.unit_of_measurement) == ("illuminance", "lx")
            await home.until(lambda states: len(states) == 6, "six states")

    esphome.run(talk())


def test_buttons_and_switches_hold_leases_of_their_own(home, port, key, connect):
    client = connect(home)
    client.set(0.5)
    client.boost(holder="page", brightness=0.6)

    async def talk():
        async with Home(port, key) as home:
            entities = {name: info for (_, name), info in home.entities.items()}
            owner = next(name for name in home.entities if name[1] == "Boosted")
            await home.until(lambda states: owner in states and states[owner].state, "boosted by the page")
            home.client.button_command(entities["Boost"].key, device_id=entities["Boost"].device_id)
            await home.light(True, 1.0)
            home.client.button_command(entities["Restore"].key, device_id=entities["Restore"].device_id)
            await home.light(True, 0.6)
            awake = next(name for name in home.entities if name[1] == "Keep awake")
            home.client.switch_command(home.entities[awake].key, True, device_id=home.entities[awake].device_id)
            await home.until(lambda states: states[awake].state, "awake")
            [lease] = [lease for lease in client.get("/v1/leases").json()["leases"] if lease["kind"] == "wake"]
            assert (lease["holder"], lease["principal"]) == ("home-assistant", "esphome")
            home.client.switch_command(home.entities[awake].key, False, device_id=home.entities[awake].device_id)
            await home.until(lambda states: not states[awake].state, "not awake")

    esphome.run(talk())
    assert [lease["holder"] for lease in client.get("/v1/leases").json()["leases"]] == ["page"]


def test_an_overridden_wake_is_off_and_can_be_switched_on_again(home, port, key, connect):
    client = connect(home)

    async def talk():
        async with Home(port, key) as home:
            awake = next(name for name in home.entities if name[1] == "Keep awake")
            switch = home.entities[awake]
            home.client.switch_command(switch.key, True, device_id=switch.device_id)
            await home.until(lambda states: awake in states and states[awake].state, "awake")
            home.turn(state=False)
            await home.until(lambda states: not states[awake].state, "overridden by a person")
            home.client.switch_command(switch.key, True, device_id=switch.device_id)
            await home.until(lambda states: states[awake].state, "awake again")

    esphome.run(talk())
    [lease] = client.get("/v1/leases").json()["leases"]
    assert (lease["kind"], lease["overridden"]) == ("wake", False)
    assert client.state["power"]["on"] is True


@pytest.mark.parametrize("key", ["plain"], indirect=True)
def test_the_list_of_many_displays_comes_without_a_pause(start, port, key):
    names = [f"simulated:display-number-{number}" for number in range(64)]
    start(*(word for name in names for word in ("--display", name)), "--esphome", f"127.0.0.1:{port}")

    async def talk():
        # Its first ping comes later than the time limit.
        async with Home(port, key, keepalive=600) as home:
            return len(home.entities)

    assert esphome.run(talk()) > 64 * 5


def test_the_wrong_form_and_the_wrong_key_have_errors_of_their_own(start, tmp_path):
    plain, encrypted = free_port(), free_port()
    start(*esphome.options(plain))
    start(*esphome.options(encrypted, tmp_path))

    async def connect(port, key):
        async with Home(port, key):
            pass

    with pytest.raises(EncryptionPlaintextAPIError):
        esphome.run(connect(plain, KEY))
    with pytest.raises(RequiresEncryptionAPIError):
        esphome.run(connect(encrypted, None))
    with pytest.raises(InvalidEncryptionKeyAPIError) as failure:
        esphome.run(connect(encrypted, esphome.new_key()))
    assert failure.value.received_mac.startswith("02")


def test_clients_and_refusals_are_reported(start, tmp_path, connect):
    port = free_port()
    daemon = start(*esphome.options(port, tmp_path))
    client = connect(daemon)
    health = {"state": "listening", "detail": None, "clients": 0, "refused": 0, "key": "set", "address": f"127.0.0.1:{port}"}
    until(lambda: client.get("/readyz").json()["homeAssistant"] == health, "it listens")

    async def refused():
        async with Home(port, esphome.new_key()):
            pass

    async def connected():
        async with Home(port, KEY):
            await asyncio.to_thread(daemon.line, r"ESPHome: Tests.* \(127\.0\.0\.1\) connected")
            await asyncio.to_thread(
                until, lambda: client.get("/readyz").json()["homeAssistant"]["state"] == "connected", "a client", TIMEOUT
            )
            assert "\nbrightnessd_esphome_clients 1\n" in client.get("/metrics").text

    with pytest.raises(InvalidEncryptionKeyAPIError):
        esphome.run(refused())
    daemon.line(r"ESPHome: refused 127\.0\.0\.1: it has another key than the daemon")
    esphome.run(connected())
    daemon.line(r"ESPHome: Tests.* disconnected")
    until(
        lambda: client.get("/readyz").json()["homeAssistant"] == health | {"detail": "1 refused", "refused": 1},
        "the refused one is counted",
        TIMEOUT,
    )
    assert "\nbrightnessd_esphome_refused_total 1\n" in client.get("/metrics").text


def test_a_daemon_without_the_server_says_so(daemon, client):
    assert client.get("/readyz").json()["homeAssistant"] == {"state": "off", "detail": None}


def test_twenty_clients_at_once(home, port, key, connect):
    client = connect(home)
    client.set(0.3)

    async def talk():
        homes = [Home(port, key) for _ in range(20)]
        await asyncio.gather(*(home.__aenter__() for home in homes))
        await asyncio.gather(*(home.light(True, 0.3) for home in homes))
        homes[7].turn(state=True, brightness=0.8)
        await asyncio.gather(*(home.light(True, 0.8) for home in homes))
        await asyncio.gather(*(home.__aexit__() for home in homes))

    esphome.run(talk())
    assert client.get("/livez").status_code == 200


def test_clients_reconnect_after_a_restart(start, port, key, tmp_path):
    options = esphome.options(port, tmp_path if key else None)
    first = start(*options)

    async def talk():
        connected, lost = asyncio.Queue(), asyncio.Queue()
        home = Home(port, key)

        async def on_connect():
            await connected.put(None)

        logic = ReconnectLogic(client=home.client, on_connect=on_connect, on_disconnect=lost.put, zeroconf_wake=False)
        await logic.start()
        try:
            await asyncio.wait_for(connected.get(), TIMEOUT)
            await asyncio.to_thread(first.stop)
            # The daemon said goodbye: Home Assistant shows no error.
            assert await asyncio.wait_for(lost.get(), TIMEOUT) is True
            await asyncio.to_thread(start, *options)
            await asyncio.wait_for(connected.get(), 2 * TIMEOUT)
        finally:
            await logic.stop()
            await home.client.disconnect(force=True)

    esphome.run(talk())


def test_a_display_that_comes_and_goes(home, port, key):
    daemon = home

    async def talk():
        async with Home(port, key) as home:
            names = {device.name for device in home.device.devices}
            provider = await asyncio.to_thread(Provider, daemon, PAGE)
            # After ten seconds, in which other changes are collected.
            await asyncio.wait_for(home.ended.wait(), 60)
            assert home.expected is True
        async with Home(port, key) as home:
            assert "The page" in {device.name for device in home.device.devices} - names
            await asyncio.to_thread(provider.call, "withdraw", display="page")
        # A client that connects while no other is there needs no pause.
        await asyncio.to_thread(provider.__exit__, None, None, None)
        async with Home(port, key) as home:
            assert "The page" not in {device.name for device in home.device.devices}

    esphome.run(talk())


def test_keep_alive(home, port, key):
    async def talk():
        async with Home(port, key) as home:
            # The library sends one every 20 seconds, and ends the connection without an answer.
            for _ in range(3):
                await home.client._get_connection().send_message_await_response(PingRequest(), PingResponse, TIMEOUT)

    esphome.run(talk())


@pytest.mark.parametrize("key", ["encrypted"], indirect=True)
def test_ten_thousand_changes_for_a_client_that_does_not_read(home, port, key, connect):
    client = connect(home)

    async def talk():
        async with Home(port, key) as home:
            await home.light(True, None)
            before = home.received
            # Blocks the client's own loop, so that it reads nothing.
            with Connection(client.base_url.port) as writer:
                patches = [request(writer.port, "PATCH", "/v1/brightness", body=b'{"delta":%s0.01}' % sign) for sign in (b"-", b"")]
                for _ in range(100):
                    writer.send(b"".join(patches * 50))
                    assert {writer.response().status for _ in range(100)} == {200}
            client.set(0.25)
            await home.light(True, 0.25)
            return home.received - before

    assert esphome.run(talk()) < 15_000
    until(lambda: client.state["brightness"] == 0.25, "the end is right")


def test_each_preset_is_a_button_of_the_machine(home, port, key, connect):
    client = connect(home)
    client.set(0.8)

    async def press():
        async with Home(port, key) as home:
            button = home.entities["", "Film"]
            home.client.button_command(button.key)
            await home.light(True, 0.3)

    assert client.put("/v1/presets/Film", json={"displays": {"all": {"brightness": 0.3}}}).status_code == 201
    esphome.run(press())
    assert client.state["cause"]["by"] == "home-assistant"
    assert client.delete("/v1/presets/Film").status_code == 204
