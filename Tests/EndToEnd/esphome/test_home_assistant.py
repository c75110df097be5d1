# SPDX-License-Identifier: Apache-2.0
"""A real Home Assistant with a daemon as its ESPHome device: make try-home-assistant.

One Home Assistant and one daemon serve the whole file, and both are restarted in it. The last test plays the steps of
docs/how-to/home-assistant.md in a browser and takes its pictures.
"""

import os
import re
import shutil
import socket
from contextlib import closing, contextmanager
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from aioesphomeapi import RequiresEncryptionAPIError
from zeroconf import ServiceInfo, Zeroconf

from support import esphome
from support.client import Client
from support.daemon import ROOT as PROJECT
from support.daemon import Daemon, run
from support.esphome import KEY
from support.home_assistant import ROOT, TIMEOUT, HomeAssistant, reduce
from support.ports import free_port
from support.provider import Provider
from support.until import until

pytestmark = [
    pytest.mark.skipif(not ROOT, reason="needs Home Assistant: make try-home-assistant"),
    pytest.mark.timeout(600),
]

LIGHT = "light.simulated_display"
LUX = "sensor.desk_illuminance"
DISPLAY = "/v1/displays/simulated"
WINDOW = "/v1/home-assistant/key-window"
ACTION, AUTOMATION = (
    yaml.safe_load(block)
    for block in re.findall(r"```yaml\n(.*?)```", (PROJECT / "docs/how-to/home-assistant.md").read_text(), re.DOTALL)[:2]
)
"""The examples of the how-to."""


class Machine:
    """A daemon that can be started again, with the same addresses and the same state."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.options = [
            *esphome.options(self.port, folder),
            *("--listen", f"127.0.0.1:{free_port()}"),
            *("--state-directory", folder),
            *("--home-assistant-light", LUX),
            *("--home-assistant-presence", "binary_sensor.lobby_motion", "--presence-wake", "1"),
        ]
        self.start()

    def start(self):
        self.daemon = Daemon(*self.options)
        self.client = Client(self.daemon)
        # The room that Home Assistant measures is the only one.
        self.client.patch("/v1/simulator", json={"sensors": False}).raise_for_status()

    def stop(self):
        self.client.close()
        self.daemon.stop()

    @property
    def state(self):
        return self.client.get(DISPLAY).json()

    @property
    def leases(self):
        return self.client.get(f"{DISPLAY}/leases").json()["leases"]


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("daemon"))
    yield machine
    machine.stop()


@pytest.fixture(scope="module")
def home_assistant(tmp_path_factory):
    home_assistant = HomeAssistant(tmp_path_factory.mktemp("home-assistant") / "configuration", AUTOMATION)
    yield home_assistant
    home_assistant.stop()


@pytest.fixture(scope="module")
def home(home_assistant, machine):
    """Home Assistant with the daemon as a device."""
    if not home_assistant.entries:
        step = home_assistant.flow(host="127.0.0.1", port=machine.port)
        assert home_assistant.answer(step, noise_psk=KEY)["type"] == "create_entry"
    home_assistant.until(LIGHT, lambda state: state["state"] == "on", "the light is on")
    return home_assistant


def is_near(brightness, wanted):
    """Whether a brightness is the wanted one of 255 steps, which Home Assistant counts in."""
    return abs(brightness - wanted) < 1 / 255


def shows(brightness):
    """Whether a light is on, at a brightness of 0 to 1."""
    return lambda light: light["state"] == "on" and is_near(light["attributes"]["brightness"] / 255, brightness)


def test_home_assistant_makes_the_key_in_an_open_window(home_assistant, tmp_path):
    port = free_port()
    daemon = Daemon("--esphome", f"127.0.0.1:{port}", "--state-directory", tmp_path)
    client = Client(daemon)
    try:
        assert client.put(WINDOW, json={"ttl": 300}).json()["key"] == "awaited"
        step = home_assistant.flow(host="127.0.0.1", port=port)
        assert step["type"] == "create_entry", step
        until(lambda: client.get(WINDOW).json()["key"] == "set", "Home Assistant has made the key")
        # Without the key nobody connects any more, and Home Assistant does.
        client.set(0.3)
        home_assistant.until(LIGHT, shows(0.3), "the light is at 0.3")
        with pytest.raises(RequiresEncryptionAPIError):
            esphome.run(connects(port))
    finally:
        home_assistant.remove_entries()
        client.close()
        daemon.stop()


async def connects(port):
    async with esphome.Home(port):
        pass


def test_the_config_flow_asks_for_the_key(home_assistant, machine):
    step = home_assistant.flow(host="127.0.0.1", port=machine.port)
    assert (step["type"], step["step_id"], step["errors"]) == ("form", "encryption_key", {})
    for wrong in (esphome.new_key(), "no key"):
        step = home_assistant.answer(step, noise_psk=wrong)
        assert (step["type"], step["step_id"], step["errors"]) == ("form", "encryption_key", {"base": "invalid_psk"})
    assert home_assistant.entries == []
    step = home_assistant.answer(step, noise_psk=KEY)
    assert step["type"] == "create_entry", step
    [entry] = home_assistant.entries
    assert entry["state"] == "loaded"
    # A machine is one device, however often it is added.
    step = home_assistant.flow(host="localhost", port=machine.port)
    step = home_assistant.answer(step, noise_psk=KEY)
    assert (step["type"], step["reason"].startswith("already_configured")) == ("abort", True), step


def test_every_entity_is_there(home):
    home.until(LIGHT, lambda state: state["state"] == "on", "the light is on")
    registry = home.command(type="config/entity_registry/list")
    entities = {entry["entity_id"] for entry in registry if entry["platform"] == "esphome"}
    assert entities == {
        LIGHT,
        "sensor.lobby_illuminance",
        "switch.simulated_display_automatic_brightness",
        "switch.simulated_display_keep_awake",
        "button.simulated_display_boost",
        "button.simulated_display_restore",
        "binary_sensor.simulated_display_boosted",
        "sensor.simulated_display_last_change",
        "event.simulated_display_changed_by_a_person",
    }
    assert not {entity for entity in entities if home.states[entity]["state"] == "unavailable"}
    light = home.states[LIGHT]["attributes"]
    assert light["supported_color_modes"] == ["brightness"]
    lux = home.states["sensor.lobby_illuminance"]["attributes"]
    assert (lux["device_class"], lux["unit_of_measurement"]) == ("illuminance", "lx")
    machine, display = home.devices["lobby"], home.devices["Simulated display"]
    assert (machine["manufacturer"], machine["model"]) == ("brightnessd", "Display brightness")
    assert display["via_device_id"] == machine["id"]
    # Home Assistant advises nothing.
    issues = home.command(type="repairs/list_issues")["issues"]
    assert [issue for issue in issues if "esphome" in (issue["domain"], issue["issue_domain"])] == []


def test_a_light_is_the_display(home, machine):
    home.call("light.turn_on", entity_id=LIGHT, brightness_pct=70)
    until(lambda: is_near(machine.state["brightness"], 0.7), "the display is brighter")
    assert (machine.state["cause"]["by"], machine.state["cause"]["principal"]) == ("home-assistant", "esphome")
    home.call("light.turn_off", entity_id=LIGHT)
    until(lambda: not machine.state["power"]["on"], "the display is off")
    home.until(LIGHT, lambda state: state["state"] == "off", "the light is off")
    home.call("light.turn_on", entity_id=LIGHT)
    until(lambda: machine.state["power"]["on"], "the display is on")
    home.until(LIGHT, shows(0.7), "the light is on")
    home.call("light.turn_on", entity_id=LIGHT, brightness_pct=20, transition=1)
    until(lambda: is_near(machine.state["brightness"], 0.2), "the display is darker")
    machine.client.patch(f"{DISPLAY}/brightness", json={"delta": 0.3}).raise_for_status()
    home.until(LIGHT, shows(0.5), "the light follows")


def test_buttons_switches_and_events(home, machine):
    boosted = "binary_sensor.simulated_display_boosted"
    home.call("button.press", entity_id="button.simulated_display_boost")
    home.until(boosted, lambda state: state["state"] == "on", "it is boosted")
    assert [lease["holder"] for lease in machine.leases] == ["home-assistant"]
    home.call("button.press", entity_id="button.simulated_display_restore")
    home.until(boosted, lambda state: state["state"] == "off", "it is restored")
    for entity, member in [("keep_awake", "wake"), ("automatic_brightness", "auto")]:
        entity = f"switch.simulated_display_{entity}"
        for service in ("on", "off"):
            home.call(f"switch.turn_{service}", entity_id=entity)
            home.until(entity, lambda state: state["state"] == service, f"{entity} is {service}")
            value = machine.state[member]
            assert (value["enabled"] if member == "auto" else value is not None) == (service == "on")
    event = "event.simulated_display_changed_by_a_person"
    machine.client.patch("/v1/simulator", json={"slider": 0.64}).raise_for_status()
    state = home.until(event, lambda state: state["state"] not in ("unknown", "unavailable"), "a person was there")
    assert state["attributes"]["event_type"] == "simulator"
    home.until(LIGHT, shows(0.64), "the light follows")


def test_actions_have_fields(home, machine):
    [actions] = [domain["services"] for domain in home.get("/api/services") if domain["domain"] == "esphome"]
    assert actions.keys() == {f"lobby_{action}" for action in ("boost", "dim", "wake", "sleep", "restore")}
    assert actions["lobby_boost"]["fields"].keys() == {"display", "percent", "ttl", "holder", "reason"}
    fields = {"display": "simulated", "percent": 90, "ttl": 60, "holder": "door", "reason": "motion"}
    home.call("esphome.lobby_boost", **fields)
    [lease] = until(lambda: machine.leases, "the lease is granted")
    granted = [lease[member] for member in ("kind", "brightness", "holder", "reason", "principal")]
    assert granted == ["boost", 0.9, "door", "motion", "esphome"]
    home.until(LIGHT, shows(0.9), "the light shows it")
    assert "percent must be a number from 0 to 100" in home.refusal("esphome.lobby_boost", **fields | {"percent": 900})
    assert "required key not provided" in home.refusal("esphome.lobby_boost", percent=90)
    home.call("esphome.lobby_restore", display="all", holder="door")
    until(lambda: not machine.leases, "the lease has ended")


def test_the_examples_of_the_how_to(home, machine):
    home.call(ACTION["action"], **ACTION["target"], **ACTION["data"])
    until(lambda: is_near(machine.state["brightness"], 0.4), "the display has 40 %")
    home.call("input_boolean.turn_on", entity_id="input_boolean.door")
    [lease] = until(lambda: machine.leases, "the automation boosts")
    assert [lease[member] for member in ("kind", "brightness", "holder", "reason")] == ["boost", 1, "door", "motion"]
    home.call("esphome.lobby_restore", display="", holder="door")
    until(lambda: not machine.leases, "the lease has ended")


def test_a_motion_sensor_of_home_assistant_is_presence(home, machine):
    home.call("input_boolean.turn_on", entity_id="input_boolean.lobby")
    until(lambda: machine.state["wake"], "somebody is there")
    home.call("input_boolean.turn_off", entity_id="input_boolean.lobby")
    until(lambda: not machine.state["wake"], "nobody is there")


def measure(home, machine, lux):
    """Changes the light that Home Assistant measures, and waits until the daemon has it."""
    home.call("input_number.set_value", entity_id="input_number.lux", value=lux)
    until(lambda: machine.client.get("/v1/ambient").json()["illuminance"] == lux, f"{lux} lux")


def test_a_sensor_of_home_assistant_is_the_light_in_the_room(home, machine):
    measure(home, machine, 5)
    machine.client.put(f"{DISPLAY}/auto", json={"enabled": True}).raise_for_status()
    until(lambda: machine.state["cause"]["kind"] == "auto", "it follows the light")
    dark = machine.state["brightness"]
    measure(home, machine, 20_000)
    until(lambda: machine.state["brightness"] > dark + 0.2, "it is brighter")
    home.until(LIGHT, shows(machine.state["brightness"]), "the light follows")
    measure(home, machine, 1_000)


def test_all_of_it_outlives_a_restart_of_the_daemon(home, machine):
    machine.stop()
    home.until(LIGHT, lambda state: state["state"] == "unavailable", "the light is unavailable")
    machine.start()
    works(home, machine)


def test_all_of_it_outlives_a_restart_of_home_assistant(home, machine):
    home.stop()
    home.start()
    works(home, machine)


def test_home_assistant_starts_before_the_daemon(home, machine):
    home.stop()
    machine.stop()
    home.start()
    home.until(LIGHT, lambda state: state["state"] == "unavailable", "the light is unavailable")
    machine.start()
    home.until(LIGHT, lambda state: state["state"] == "on", "the light is back")


def test_a_display_that_comes_and_goes(home, machine):
    light = "light.the_page"
    page = {"id": "page", "name": "The page", "maximum": 100, "switchable": False, "brightness": 0.8}
    with Provider(machine.daemon, page) as provider:
        home.until(light, shows(0.8), "the new display is a light")
        home.call("light.turn_on", entity_id=light, brightness_pct=30)
        until(lambda: is_near(machine.client.get("/v1/displays/page").json()["brightness"], 0.3), "it is dimmed")
        provider.call("withdraw", display="page")
        until(lambda: light not in home.states, "the light is gone")
    home.until(LIGHT, lambda state: state["state"] == "on", "the other light stays")


def test_another_key(home, machine):
    key = esphome.new_key()
    machine.stop()
    esphome.key_file(machine.folder, key)
    machine.start()
    [step] = until(lambda: home.flows("reauth"), "Home Assistant asks for the key")
    step = home.answer(step, noise_psk=KEY)
    assert (step["step_id"], step["errors"]) == ("reauth_confirm", {"base": "invalid_psk"})
    step = home.answer(step, noise_psk=key)
    assert (step["type"], step["reason"]) == ("abort", "reauth_successful")
    home.until(LIGHT, lambda state: state["state"] == "on", "the light is back")
    machine.stop()
    esphome.key_file(machine.folder)
    machine.start()
    [step] = until(lambda: home.flows("reauth"), "Home Assistant asks for the key")
    home.answer(step, noise_psk=KEY)
    home.until(LIGHT, lambda state: state["state"] == "on", "the light is back")


def works(home, machine):
    """Both directions, an action, and the pushed light, which the display still follows."""
    home.until(LIGHT, lambda state: state["state"] == "on", "the light is back")
    test_every_entity_is_there(home)
    measure(home, machine, 10)
    assert machine.state["auto"]["enabled"]
    dark = until(lambda: machine.state["brightness"] < 0.5 and machine.state["brightness"], "it is dark")
    measure(home, machine, 20_000)
    until(lambda: machine.state["brightness"] > dark + 0.2, "it follows the light")
    test_a_light_is_the_display(home, machine)
    test_actions_have_fields(home, machine)
    machine.client.put(f"{DISPLAY}/auto", json={"enabled": True}).raise_for_status()


@contextmanager
def announced(machine, folder):
    """Announces a daemon by the file that it writes for Avahi, without Avahi."""
    answer = run("avahi", "--esphome", f"0.0.0.0:{machine.port}", "--esphome-key-file", str(esphome.key_file(folder)))
    assert answer.returncode == 0, answer.stderr
    service = ElementTree.fromstring(answer.stdout).find("service")
    kind = f"{service.findtext('type')}.local."
    records = dict(record.text.split("=", 1) for record in service.findall("txt-record"))
    info = ServiceInfo(
        kind,
        f"lobby.{kind}",
        port=int(service.findtext("port")),
        addresses=[socket.inet_aton("127.0.0.1")],
        properties=records,
        server="lobby.local.",
    )
    with closing(Zeroconf(interfaces=["127.0.0.1"])) as zeroconf:
        zeroconf.register_service(info)
        yield
        zeroconf.unregister_service(info)


def test_it_is_discovered(home, machine, tmp_path):
    home.remove_entries()
    with announced(machine, tmp_path):
        [step] = until(lambda: home.flows("zeroconf"), "it is discovered")
        assert step["context"]["title_placeholders"]["name"] == "lobby"
        step = home.answer(step)
        assert (step["step_id"], step["errors"]) == ("encryption_key", {})
        assert home.answer(step, noise_psk=KEY)["type"] == "create_entry"
    home.until(LIGHT, lambda state: state["state"] == "on", "the light is on")


def test_the_steps_in_a_browser(home, machine, _chromium, tmp_path):
    def picture(name, **clip):
        path = tmp_path / f"{name}.png"
        page.wait_for_timeout(1_000)
        page.screenshot(path=path, clip=clip)
        reduce(path)
        if pictures := os.environ.get("BRIGHTNESSD_PICTURES"):
            shutil.copy(path, Path(pictures) / path.name)

    machine.client.put(f"{DISPLAY}/auto", json={"enabled": False}).raise_for_status()
    machine.client.put(f"{DISPLAY}/brightness", json={"percent": 60}).raise_for_status()
    home.remove_entries()
    _, browser = _chromium
    context = browser.new_context(locale="en-GB", viewport={"width": 1_060, "height": 940}, reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT * 1_000)
    home.log_in(context)
    page = context.new_page()
    page.goto(f"{home.url}/config/integrations/dashboard/add?domain=esphome")
    page.get_by_role("button", name="OK").click()
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port").fill(str(machine.port))
    page.get_by_role("button", name="Submit").click()
    page.get_by_label("Encryption key").fill(KEY)
    picture("home-assistant-key", x=220, y=300, width=620, height=340)
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("button", name="Skip and finish").click()
    home.until(LIGHT, shows(0.6), "the light is back")

    page.goto(f"{home.url}/config/devices/device/{home.devices['Simulated display']['id']}")
    for name in ("Automatic brightness", "Boost", "Keep awake", "Restore", "Boosted", "Last change", "Changed by a person"):
        page.get_by_text(name, exact=True).first.wait_for()
    picture("home-assistant-device", x=0, y=0, width=710, height=905)
    page.get_by_role("button", name="Press").first.click()
    [lease] = until(lambda: machine.leases, "the button boosts")
    assert lease["holder"] == "home-assistant"
    machine.client.post(f"{DISPLAY}/restore", json={"all": True}).raise_for_status()

    entities = {"Boost": "button.{}_boost", "Restore": "button.{}_restore"}
    entities |= {"Automatic": "switch.{}_automatic_brightness", "Keep awake": "switch.{}_keep_awake"}
    tiles = [{"type": "tile", "name": name, "entity": entity.format("simulated_display")} for name, entity in entities.items()]
    slider = {"type": "tile", "entity": LIGHT, "features": [{"type": "light-brightness"}], "grid_options": {"columns": 12}}
    light = {"type": "light", "entity": LIGHT, "name": "Lobby"}
    sections = [{"type": "grid", "cards": cards} for cards in ([slider, *tiles], [light])]
    home.make_dashboard("lobby-displays", {"title": "Lobby", "type": "sections", "max_columns": 2, "sections": sections})
    page.goto(f"{home.url}/lobby-displays/0")
    page.get_by_text("60%").first.wait_for()
    picture("home-assistant-dashboard", x=0, y=0, width=1_060, height=350)
    context.close()
