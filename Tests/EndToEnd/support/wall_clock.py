# SPDX-License-Identifier: Apache-2.0
"""A wall clock that the test sets, for a daemon that runs with `environment`."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from .emulation import skip_preloading

SOURCE = Path(__file__).with_name("wall_clock.c")


@cache
def _library():
    """Built once; the C compiler is Swift's."""
    skip_preloading()
    compiler = shutil.which("clang", path=os.environ["PATH"] + ":/opt/swift/usr/bin")
    library = Path(mkdtemp(prefix="brightnessd-clock-")) / "wall_clock.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread"]
    subprocess.run([compiler, *flags, "-o", str(library), str(SOURCE)], check=True)
    return library


class WallClock:
    """Shows this many seconds more than the machine's clock."""

    def __init__(self, folder: Path, offset=0):
        self._file = folder / "clock-offset"
        self.set(offset)
        self.environment = {"LD_PRELOAD": str(_library()), "CLOCK_OFFSET": str(self._file)}

    def set(self, offset):
        """Sets the clock, as a person or NTP does."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{offset}\n")
        new.rename(self._file)
