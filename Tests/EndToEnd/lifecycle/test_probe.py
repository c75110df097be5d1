# SPDX-License-Identifier: Apache-2.0
"""`brightnessd probe`: the devices of a machine, and what is missing to use them."""

import json
import os
import subprocess

import pytest

from support.backlight import Backlight
from support.daemon import BINARY, environment, run
from support.until import TIMEOUT

DROP = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
"""Without the capability that lets root write anything."""


def probe_as_ordinary_user(root):
    command = [*DROP, BINARY, "probe", "--sysfs-root", str(root)]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, env=environment())


def add(folder, **files):
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n")
    return folder


def test_probe_lists_every_device(tmp_path):
    Backlight(tmp_path)
    firmware = Backlight(tmp_path, "acpi_video0", step=5, maximum=10).folder
    (firmware / "type").write_text("firmware\n")
    (firmware / "bl_power").write_text("4\n")
    add(tmp_path / "class/leds/tpacpi::kbd_backlight", brightness=1, max_brightness=2, trigger="none [timer]")
    add(tmp_path / "class/leds/input3::capslock", brightness=0, max_brightness=1)
    add(tmp_path / "bus/iio/devices/iio:device0", name="als", in_illuminance_raw=320, in_illuminance_scale=0.1)
    add(tmp_path / "bus/i2c/devices/i2c-77", name="AUX B/DDI B/PHY B")
    found = run("probe", "--sysfs-root", str(tmp_path))
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == f"""\
Panels under {tmp_path}
  display                    type      now               scale    power         can be set  used by auto
  backlight:acpi_video0      firmware  5 of 10, 50 %     linear   off           yes         yes
  backlight:intel_backlight  raw       403 of 960, 42 %  linear   on            yes         no
  led:tpacpi::kbd_backlight  led       1 of 2, 50 %      unknown  set by timer  yes         no
  LEDs with only on and off are not shown: 1.

Monitors over DDC/CI
  none

Televisions (HDMI-CEC)
  none

Light and proximity sensors
  device       name  reading             now
  iio:device0  als   in_illuminance_raw  320

I2C buses (DDC/CI monitors)
  bus     name               usable
  i2c-77  AUX B/DDI B/PHY B  no

Input devices (for --idle-dim and --idle-sleep)
  none

To do
  1. /dev/i2c-77 is missing for i2c-77: sudo modprobe i2c-dev (at every start: echo i2c-dev | sudo tee \
/etc/modules-load.d/i2c-dev.conf; in a container: --device /dev/i2c-77)
"""


def test_probe_says_what_improves_the_estimate_of_the_light(tmp_path):
    Backlight(tmp_path)
    advice = "If a desktop on this machine adjusts the brightness itself, brightnessd estimates the light from that. Otherwise add a sensor: "
    assert advice in run("probe", "--sysfs-root", str(tmp_path)).stdout
    add(tmp_path / "bus/iio/devices/iio:device0", name="als", in_illuminance_raw=320)
    assert advice not in run("probe", "--sysfs-root", str(tmp_path)).stdout


def test_probe_lists_the_input_devices_of_people(tmp_path):
    Backlight(tmp_path)
    inputs = [("event10", "Touch screen", "b", "2"), ("event9", "Keyboard", "120013", "0")]
    for name, title, events, properties in [*inputs, ("event1", "Lid", "21", "0"), ("event2", "Accelerometer", "b", "40")]:
        add(tmp_path / f"class/input/{name}/device", name=title, properties=properties)
        add(tmp_path / f"class/input/{name}/device/capabilities", ev=events)
    (tmp_path / "class/input/mouse0").mkdir()
    found = run("probe", "--json", "--sysfs-root", str(tmp_path))
    assert found.returncode == 0, found.stderr
    report = json.loads(found.stdout)
    table = next(table for table in report["tables"] if table["title"].startswith("Input devices"))
    assert [(row["device"], row["name"]) for row in table["rows"]] == [("event9", "Keyboard"), ("event10", "Touch screen")]
    # This machine has no such devices, as a container.
    if not os.path.exists("/dev/input/event9"):
        assert {row["readable"] for row in table["rows"]} == {"no"}
        assert "--device-cgroup-rule 'c 13:* r'" in table["remarks"][0] and len(table["remarks"]) == 1
    # A display can be set without them: there is nothing to do.
    assert (report["usable"], report["remedies"]) == (True, [])


def test_probe_reports_missing_devices(tmp_path):
    found = run("probe", "--sysfs-root", str(tmp_path))
    assert (found.returncode, found.stderr) == (1, "")
    assert found.stdout.count("  none\n") == 6
    advice = found.stdout.split("To do\n")[1]
    assert "sudo modprobe i2c-dev" in advice and "--display simulated" in advice
    assert "A screen without a backlight" in advice and "docs/how-to/no-backlight.md" in advice


def test_probe_reports_as_json(tmp_path):
    Backlight(tmp_path)
    found = run("probe", "--json", "--sysfs-root", str(tmp_path))
    assert (found.returncode, found.stderr) == (0, "")
    report = json.loads(found.stdout)
    assert (report["usable"], report["remedies"]) == (True, [])
    assert report["tables"][0]["rows"] == [
        {"display": "backlight:intel_backlight", "type": "raw", "now": "403 of 960, 42 %", "scale": "linear",
         "power": "on", "canBeSet": "yes", "usedByAuto": "yes"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "remedy"),
    [
        (0o444, "sudo cp packaging/udev/90-brightnessd.rules /etc/udev/rules.d/"),
        (0o464, 'requires the group "{group}": sudo usermod -aG {group} '),
    ],
)
def test_probe_names_the_remedy_for_missing_permission(tmp_path, mode, remedy):
    file = Backlight(tmp_path).folder / "brightness"
    os.chown(file, 65_534, 65_534)
    file.chmod(mode)
    found = probe_as_ordinary_user(tmp_path)
    assert (found.returncode, found.stderr) == (1, "")
    assert remedy.format(group="nogroup") in found.stdout
    assert "403 of 960" in found.stdout


def test_the_root_of_sysfs_may_come_from_the_environment(tmp_path):
    Backlight(tmp_path, "by_environment")
    found = run("probe", env={"BRIGHTNESSD_SYSFS_ROOT": str(tmp_path)})
    assert (found.returncode, "backlight:by_environment" in found.stdout) == (0, True)


def test_probe_has_help():
    found = run("probe", "--help")
    assert found.returncode == 0
    assert "Exits with 0 if at least one display can be set or switched" in " ".join(found.stdout.split())
