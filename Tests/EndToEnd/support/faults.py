# SPDX-License-Identifier: Apache-2.0
"""A driver that is slow or fails, for a daemon that runs with `environment`."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from .emulation import skip_preloading

SOURCE = Path(__file__).with_name("faults.c")


@cache
def _library():
    """Built once; the C compiler is Swift's."""
    skip_preloading()
    compiler = shutil.which("clang", path=os.environ["PATH"] + ":/opt/swift/usr/bin")
    library = Path(mkdtemp(prefix="brightnessd-faults-")) / "faults.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    subprocess.run([compiler, *flags, "-o", str(library), str(SOURCE)], check=True)
    return library


class Faults:
    """The faults of every panel of the daemon; none at first."""

    def __init__(self, folder: Path):
        self._file = folder / "faults"
        self._writes = folder / "writes"
        self.set()
        self.environment = {
            "LD_PRELOAD": str(_library()),
            "PANEL_FAULTS": str(self._file),
            "PANEL_WRITES": str(self._writes),
        }

    def set(self, delay=0, writing=0, reading=0, hand=-1):
        """A write takes `delay` seconds; `writing` and `reading` are the errno they fail with. `hand` is a step that
        somebody sets once, between the next write and its read-back."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{round(delay * 1_000)} {writing} {reading} {hand}\n")
        new.rename(self._file)

    @property
    def writes(self):
        """Every step that was written, failed ones included."""
        return [int(line) for line in self._writes.read_text().split()] if self._writes.exists() else []
