# SPDX-License-Identifier: Apache-2.0
"""The permissions of ESPHome clients: `--esphome-scope`."""

import pytest

from support import esphome
from support.esphome import TIMEOUT, Home
from support.ports import free_port
from support.provider import Provider

LOBBY, OFFICE = ({"id": f"{name}-page", "name": name, "maximum": 100, "switchable": False, "brightness": 0.8} for name in ("lobby", "office"))


@pytest.fixture
def port():
    return free_port()


async def boost(home, **values):
    [action] = [action for action in home.actions if action.name == "boost"]
    values = {argument.name: 0.0 if argument.name in ("percent", "ttl") else "" for argument in action.args} | values
    return await home.client.execute_service(action, values, return_response=False, timeout=TIMEOUT)


def test_a_client_that_may_only_read_sees_states_and_changes_nothing(start, connect, port, backlight):
    daemon = start(*esphome.options(port), *backlight.options, "--esphome-scope", "read")
    client = connect(daemon)
    client.set(0.4)

    async def talk():
        async with Home(port) as home:
            await home.light(True, 0.4)
            before = home.received
            home.turn(state=True, brightness=0.9)
            # The refused command's entity has its state sent again, so that the client shows it.
            await home.until(lambda _: home.received > before, "the state again")
            answer = await boost(home, percent=90.0)
            assert (answer.success, "--esphome-scope read" in answer.error_message) == (False, True)
            client.set(0.6)
            await home.light(True, 0.6)

    esphome.run(talk())
    assert client.get("/v1/leases").json()["leases"] == []


def test_a_client_sees_the_displays_of_its_group_only(start, connect, port, backlight):
    group = ["--group", "lobby=lobby-*", "--esphome-scope", "write[group:lobby]"]
    daemon = start(*esphome.options(port), *backlight.options, *group)
    client = connect(daemon)
    client.set(0.4)

    async def talk():
        async with Home(port) as home:
            assert [device.name for device in home.device.devices] == ["lobby"]
            assert (await boost(home, display="all", percent=90.0)).success
            for display in ["", "office-page"]:
                assert not (await boost(home, display=display)).success

    with Provider(daemon, LOBBY), Provider(daemon, OFFICE):
        esphome.run(talk())
        for display, number in [("lobby-page", 1), ("office-page", 0)]:
            assert len(client.get(f"/v1/displays/{display}/leases").json()["leases"]) == number
    assert client.state["brightness"] == 0.4
