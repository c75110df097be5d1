# SPDX-License-Identifier: Apache-2.0
"""A wall clock that the test sets, for a daemon that runs with `environment`."""

from pathlib import Path

from .emulation import preloaded


class WallClock:
    """Shows this many seconds more than the machine's clock."""

    def __init__(self, folder: Path, offset=0):
        self._file = folder / "clock-offset"
        self.set(offset)
        self.environment = {"LD_PRELOAD": preloaded("wall_clock"), "CLOCK_OFFSET": str(self._file)}

    def set(self, offset):
        """Sets the clock, as a person or NTP does."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{offset}\n")
        new.rename(self._file)
