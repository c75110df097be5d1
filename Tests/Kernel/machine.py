# SPDX-License-Identifier: Apache-2.0
"""A virtual machine with Debian's own kernel, two panels of its ACPI driver, and the daemon."""

import json
import subprocess
import urllib.error
from pathlib import Path

import image
from virtual_machine import VirtualMachine, wait_for


class Machine(VirtualMachine):
    """- daemon: options of the daemon; `None` starts none.
    - clock: what its clock shows at the boot.
    """

    def __init__(self, directory, disk=None, daemon=(), clock="utc"):
        kernel, initrd, table = image.build()
        disk = disk or self._make_disk(Path(directory))
        super().__init__(directory, disk, kernel, initrd, table, append="no_console_suspend", clock=clock)
        try:
            if daemon is not None:
                self.start_daemon(*daemon)
        except BaseException:
            self.cut_power()
            raise

    @staticmethod
    def _make_disk(directory):
        directory.mkdir(parents=True, exist_ok=True)
        disk = directory / "state.img"
        subprocess.run(["truncate", "--size=32M", disk], check=True)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", disk], check=True)
        return disk

    def start_daemon(self, *options):
        words = " ".join(options)
        self.run(
            "setsid brightnessd serve --listen 0.0.0.0:8787 --anonymous write --state-directory /state "
            f"--log-level debug {words} >>/state/log 2>&1 </dev/null & echo $! >/run/daemon"
        )
        try:
            wait_for("the daemon", self._answers, within=120)
        except AssertionError:
            print(self.run("pidof brightnessd; ip addr; mount; cat /state/log", check=False))
            raise

    def _answers(self):
        try:
            return self.get("/livez") is not None
        except (urllib.error.URLError, ConnectionError, TimeoutError, json.JSONDecodeError):
            return False

    def signal_daemon(self, name):
        self.run(f"kill -{name} $(pidof brightnessd)")
        wait_for("the daemon's end", lambda: not self.run("pidof brightnessd", check=False))

    def wait_for_step(self, step, panel=0):
        """Waits until the driver has it: the limit of flashes may hold a change back for a second."""
        wait_for(f"step {step}", lambda: self.step(panel) == step)

    def state(self, panel=0):
        return self.get(f"/v1/displays/acpi_video{panel}")

    def wait_for_state(self, what, condition, panel=0, within=30):
        return wait_for(what, lambda: (state := self.state(panel)) and condition(state) and state, within)
