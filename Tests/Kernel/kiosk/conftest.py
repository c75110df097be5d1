# SPDX-License-Identifier: Apache-2.0
"""A kiosk in a box: Debian with systemd on a disk of its own, in QEMU."""

import os
import shutil
from pathlib import Path

import pytest

from virtual_machine import SLOWNESS, VirtualMachine, wait_for

BUILT = Path(os.environ.get("BRIGHTNESSD_KIOSK", ""))
"""The files that scripts/try/kiosk made: the kernel, the RAM disk, the disk, and the ACPI table or the device tree."""
ARCHITECTURE = os.environ.get("BRIGHTNESSD_KIOSK_ARCHITECTURE", "amd64")


class Kiosk:
    """A computer that can be started again. Everything is asked for inside: the daemon listens on loopback."""

    def __init__(self, directory):
        self.directory = directory
        self.disk = directory / "disk.img"
        shutil.copy(BUILT / "disk.img", self.disk)
        self.boots = 0
        self.boot()

    def boot(self):
        self.boots += 1
        self.machine = VirtualMachine(
            self.directory / str(self.boots), self.disk, BUILT / "vmlinuz", BUILT / "initrd.gz", BUILT / "devices",
            append="root=/dev/vda rw quiet net.ifnames=0", boot_seconds=280,
            memory=1024, architecture=ARCHITECTURE,
        )  # fmt: skip
        self.run, self.step, self.panels = self.machine.run, self.machine.step, self.machine.panels

    def reboot(self):
        self.run("systemctl reboot", check=False)
        self.machine.process.wait(timeout=120 * SLOWNESS)
        self.boot()

    def cut_power(self):
        self.machine.cut_power()

    # MARK: The daemon

    def state(self, query="."):
        """The result of jq on the first panel's state."""
        return self.run(f"curl -sS http://127.0.0.1:8787/v1/displays/{self.panels[0]} | jq -c '{query}'")

    def put(self, percent):
        self.run(f"brightness set {percent}%")

    def process(self):
        return int(self.run("systemctl show --value --property MainPID brightnessd"))

    def wait_until_served(self):
        ready = "curl -sS --fail http://127.0.0.1:8787/readyz"
        wait_for("the service", lambda: '"ready":true' in self.run(ready, check=False), within=120)
        # Until its driver is loaded, the daemon serves a simulated display.
        wait_for("the panel", lambda: self.state(".available") == "true", within=120)


@pytest.fixture(scope="session")
def kiosk(tmp_path_factory):
    """The kiosk of all tests, in the order of the file: it is installed, used and given up."""
    assert (BUILT / "disk.img").exists(), "no disk; run: make try-kiosk"
    kiosk = Kiosk(tmp_path_factory.mktemp("kiosk"))
    yield kiosk
    print(kiosk.run("journalctl --no-pager -u brightnessd | tail -n 60", check=False))
    kiosk.cut_power()
