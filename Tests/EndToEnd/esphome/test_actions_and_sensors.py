# SPDX-License-Identifier: Apache-2.0
"""Features that only the ESPHome server has: actions with fields, events, states that Home Assistant pushes."""

import asyncio

import pytest
from aioesphomeapi import EventInfo

from support import esphome
from support.esphome import KEY, TIMEOUT, Home
from support.ports import free_port
from support.until import until


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def panel(start, port, tmp_path, backlight):
    """A daemon with a backlight, and a light and a motion sensor of Home Assistant."""
    pushed = ["--home-assistant-light", "sensor.desk", "--home-assistant-presence", "binary_sensor.motion"]
    return start(*esphome.options(port, tmp_path), *backlight.options, *pushed, "--presence-wake", "60")


def test_actions_have_fields_and_answer(panel, port, connect):
    client = connect(panel)
    client.set(0.4)

    async def talk():
        async with Home(port, KEY) as home:
            actions = {action.name: action for action in home.actions}
            assert {name: [argument.name for argument in action.args] for name, action in actions.items()} == {
                "boost": ["display", "percent", "ttl", "holder", "reason"],
                "dim": ["display", "percent", "ttl", "holder", "reason"],
                "wake": ["display", "ttl", "holder", "reason"],
                "sleep": ["display", "ttl", "holder", "reason"],
                "restore": ["display", "holder"],
            }

            async def call(name, **values):
                values = {argument.name: 0.0 if argument.name in ("percent", "ttl") else "" for argument in actions[name].args} | values
                return await home.client.execute_service(actions[name], values, return_response=False, timeout=TIMEOUT)

            assert (await call("boost", percent=90.0, ttl=60.0, holder="door", reason="bell")).success
            await home.light(True, 0.9)
            [lease] = client.get("/v1/leases").json()["leases"]
            assert (lease["holder"], lease["reason"], lease["principal"], lease["brightness"]) == ("door", "bell", "esphome", 0.9)
            assert (await call("dim", display="all", percent=20.0)).success
            await home.light(True, 0.2)
            assert (await call("restore", holder="door")).success
            assert (await call("restore")).success
            await home.light(True, 0.4)
            assert client.get("/v1/leases").json()["leases"] == []
            for values, word in [({"display": "none"}, "none"), ({"percent": 900.0}, "percent"), ({"ttl": 1e9}, "ttl")]:
                answer = await call("boost", **values)
                assert not answer.success
                assert word in answer.error_message

    esphome.run(talk())
    assert client.state["boost"] is None


def test_a_person_at_the_machine_is_an_event(panel, port, connect, backlight):
    client = connect(panel)
    client.set(0.4)

    async def talk():
        async with Home(port, KEY) as home:
            [name] = [name for name, info in home.entities.items() if isinstance(info, EventInfo)]
            assert name[1] == "Changed by a person"
            await home.light(True, 0.4)
            assert name not in home.states
            backlight.step = 777
            await home.until(lambda states: name in states, "an event")
            assert home.states[name].event_type in home.entities[name].event_types

    esphome.run(talk())


def test_pushed_states_are_light_and_presence(panel, port, connect):
    client = connect(panel)

    async def talk():
        asked = asyncio.Queue()
        async with Home(port, KEY) as home:
            home.client.subscribe_home_assistant_states(lambda entity, attribute: asked.put_nowait(entity))
            entities = {await asyncio.wait_for(asked.get(), TIMEOUT) for _ in range(2)}
            assert entities == {"sensor.desk", "binary_sensor.motion"}
            dark = None
            for lux in ["2", "20000"]:
                home.client.send_home_assistant_state("sensor.desk", "", lux)
                wanted = float(lux)
                await asyncio.to_thread(
                    until, lambda: client.get("/v1/ambient").json().get("illuminance") == wanted, f"{lux} lux", TIMEOUT
                )
                if dark is None:
                    assert client.put("/v1/auto", json={"enabled": True}).status_code in (200, 202)
                    dark = client.state["brightness"]
            await asyncio.to_thread(until, lambda: client.state["brightness"] > dark, "it follows the light", TIMEOUT)
            home.client.send_home_assistant_state("binary_sensor.motion", "", "on")
            await asyncio.to_thread(until, lambda: client.state["wake"], "somebody is there", TIMEOUT)
        # A client that connects again finds the same entities, since the states count for a while.
        async with Home(port, KEY) as again:
            assert again.entities.keys() == home.entities.keys()
        # Nobody pushes any more.
        await asyncio.to_thread(
            until, lambda: client.get("/v1/ambient").json()["illuminance"] is None, "no light", 3 * TIMEOUT
        )

    esphome.run(talk())
