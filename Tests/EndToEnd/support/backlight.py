# SPDX-License-Identifier: Apache-2.0
"""A directory that looks like /sys to the daemon."""

import shutil
import time
from pathlib import Path


class Backlight:
    """`/sys/class/backlight/NAME` under a root of its own; what is written here is another program's doing."""

    def __init__(self, root: Path, name="intel_backlight", step=403, maximum=960):
        self.root = root
        self.name = name
        self.folder = root / "class/backlight" / name
        self.folder.mkdir(parents=True)
        (self.folder / "max_brightness").write_text(f"{maximum}\n")
        (self.folder / "actual_brightness").write_text(f"{step}\n")
        (self.folder / "type").write_text("raw\n")
        (self.folder / "scale").write_text("linear\n")
        (self.folder / "bl_power").write_text("0\n")
        self.step = step

    @property
    def options(self):
        """Makes a daemon drive this backlight."""
        return ("--sysfs-root", str(self.root), "--display", f"backlight:{self.name}")

    @property
    def step(self):
        return int((self.folder / "brightness").read_text())

    @step.setter
    def step(self, step):
        # As on sysfs, no reader finds an empty file.
        file, new = self.folder / "brightness", self.folder / ".brightness"
        new.write_text(f"{step}\n")
        if file.exists():
            shutil.copymode(file, new)
        new.rename(file)

    def is_restored_first(self, daemon):
        """Ends the daemon, which waits two seconds for something that hangs; whether this panel was written well before."""
        daemon.terminate()
        daemon.ended()
        return time.time() - (self.folder / "brightness").stat().st_mtime > 0.5

    def unplug(self):
        self.folder.rename(self.root / "unplugged")

    def plug(self):
        (self.root / "unplugged").rename(self.folder)
