# SPDX-License-Identifier: Apache-2.0
"""The service file by which Avahi announces the daemon to Home Assistant."""

import os
import subprocess
import xml.etree.ElementTree as ET

from support import esphome
from support.daemon import BINARY, ROOT, run
from support.esphome import KEY, Home
from support.ports import free_port
from support.until import TIMEOUT


def test_the_service_file_describes_the_server(start, tmp_path):
    port, key = free_port(), str(esphome.key_file(tmp_path))
    start("--esphome", f"0.0.0.0:{port}", "--esphome-key-file", key)
    answer = run("avahi", "--esphome", str(port), env={"BRIGHTNESSD_ESPHOME_KEY_FILE": key})
    assert answer.returncode == 0, answer.stderr
    service = ET.fromstring(answer.stdout).find("service")
    assert (service.findtext("type"), service.findtext("port")) == ("_esphomelib._tcp", str(port))
    records = dict(record.text.split("=", 1) for record in service.findall("txt-record"))
    assert records["api_encryption"] == "Noise_NNpsk0_25519_ChaChaPoly_SHA256"

    async def talk():
        async with Home(port, KEY) as home:
            return home.device

    device = esphome.run(talk())
    assert device.mac_address.replace(":", "").lower() == records["mac"]
    assert (device.friendly_name, device.project_name) == (records["friendly_name"], records["project_name"])


def test_what_other_machines_do_not_reach_is_not_announced():
    for options in [(), ("--esphome", "6053"), ("--esphome", "127.0.0.1:6053")]:
        answer = run("avahi", *options)
        assert (answer.returncode != 0, answer.stdout) == (True, "")
        assert "--esphome" in answer.stderr


def test_the_service_of_the_package_writes_the_file_and_removes_it(tmp_path):
    lines = (ROOT / "packaging/systemd/brightnessd-avahi.service").read_text().splitlines()
    file = tmp_path / "services" / "brightnessd.service"
    file.parent.mkdir()

    def act(name, **variables):
        [line] = [line.split("=", 1)[1] for line in lines if line.startswith(f"{name}=")]
        line = line.replace("/usr/bin/brightnessd", str(BINARY)).replace("/etc/avahi", str(tmp_path))
        environment = {"PATH": os.environ["PATH"], "RUNTIME_DIRECTORY": str(tmp_path)} | variables
        return subprocess.run(line, shell=True, env=environment, capture_output=True, text=True, timeout=TIMEOUT)

    failed = act("ExecStart")
    assert (failed.returncode != 0, file.exists(), "--esphome" in failed.stderr) == (True, False, True)
    state = {"BRIGHTNESSD_STATE_DIRECTORY": str(tmp_path / "state")}
    assert act("ExecStart", BRIGHTNESSD_ESPHOME="0.0.0.0:6053", **state).returncode == 0
    assert ET.parse(file).find("service").findtext("port") == "6053"
    assert act("ExecStop").returncode == 0
    assert not file.exists()
