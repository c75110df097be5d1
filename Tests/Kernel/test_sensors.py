# SPDX-License-Identifier: Apache-2.0
"""An ambient light sensor of the kernel's HID driver, and buses without a monitor."""

from virtual_machine import wait_for


def test_a_light_sensor_that_is_plugged_in_is_read(machine):
    machine.write("/run/lux", 250)
    machine.run("modprobe uhid; modprobe hid-sensor-hub; modprobe hid-sensor-als")
    machine.run("setsid light_sensor /run/lux >/run/light_sensor.log 2>&1 </dev/null & echo $! >/run/light_sensor")
    wait_for("the IIO device", lambda: machine.run("ls /sys/bus/iio/devices", check=False), within=30)
    # Streams make the daemon sample; a GET alone does not.
    ambient = wait_for("a reading", lambda: (now := machine.get("/v1/ambient")) and now.get("source") == "sensor" and now, within=60)
    assert ambient["illuminance"] == 250

    machine.write("/run/lux", 20)
    wait_for("the dark", lambda: machine.get("/v1/ambient")["illuminance"] == 20, within=60)


def test_a_sensor_that_is_unplugged_is_reported(machine):
    machine.run("kill $(cat /run/light_sensor) || pkill light_sensor")
    wait_for("the removal", lambda: machine.get("/v1/ambient").get("illuminance") is None, within=60)


def test_an_i2c_bus_without_a_monitor_is_no_display(machine):
    machine.run("modprobe i2c-dev; modprobe i2c-stub chip_addr=0x50")
    wait_for("the bus", lambda: machine.run("ls /dev/i2c-*", check=False))
    assert "i2c" in machine.run("brightnessd probe")
    assert [display["id"] for display in machine.get("/v1/displays")["displays"]] == ["acpi_video0", "acpi_video1"]
