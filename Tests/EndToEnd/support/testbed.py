# SPDX-License-Identifier: Apache-2.0
"""Kernel devices by umockdev: a /sys that only programs of the testbed see, and uevents that reach them through libudev."""

import os
import subprocess
import sys
from pathlib import Path

from .until import TIMEOUT

PROGRAM = Path(__file__).with_name("testbed_program.py")


class Testbed:
    """A /sys without devices at first. `with` a testbed, `prefix` and `environment` make a daemon see it."""

    __test__ = False
    prefix = ("umockdev-wrapper",)

    def __init__(self):
        # Code that adds devices and sends uevents has to see the mocked /sys, too, so it is a process of its own.
        self._process = subprocess.Popen(
            [*self.prefix, sys.executable, "-B", str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.root = Path(self._process.stdout.readline().strip())
        self.environment = {"UMOCKDEV_DIR": str(self.root)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        assert self._process.wait(TIMEOUT) == 0
        self._process.stdout.close()

    def _ask(self, *words):
        self._process.stdin.write("\t".join(words) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().rstrip("\n")
        assert answer.startswith("ok"), f"{words}: {answer}"
        return answer[3:]

    def add(self, subsystem, name, **attributes):
        """Adds a device, and says so as the kernel does. Returns where its files are."""
        words = [word for item in attributes.items() for word in map(str, item)]
        path = self._ask("add", subsystem, name, *words)
        self.uevent(path, "add")
        return self.root / path[1:]

    def add_backlight(self, name="intel_backlight", step=403, maximum=960, **attributes):
        usual = {"type": "raw", "scale": "linear", "bl_power": 0, "actual_brightness": step}
        return self.add("backlight", name, **usual | attributes, max_brightness=maximum, brightness=step)

    def set(self, file, text):
        """Writes to a file like on sysfs, where a file is never empty: `text` has the length of the old contents."""
        assert len(text) == file.stat().st_size, (file, text)
        with file.open("r+") as stream:
            stream.write(text)

    def remove(self, folder):
        """Unplugs a device."""
        path = self._path(folder)
        # The kernel says so when the files are gone already.
        (folder / "brightness").unlink()
        self._ask("uevent", path, "remove", "SOURCE", "")
        self._ask("remove", path)

    def uevent(self, path, action="change", source=""):
        """The kernel's notice of a change."""
        self._ask("uevent", path if isinstance(path, str) else self._path(path), action, "SOURCE", source)

    def plug(self, card):
        """The kernel's notice that a connector of a graphics card has changed."""
        self._ask("uevent", self._path(card), "change", "HOTPLUG", "1")

    def _path(self, folder):
        return "/" + str(folder.relative_to(self.root))

    def run(self, *command):
        """Another program that sees the same devices."""
        return subprocess.run(
            [*self.prefix, *command],
            env=os.environ | self.environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=TIMEOUT,
        )
