# SPDX-License-Identifier: Apache-2.0
"""A driver that is slow or fails, for a daemon that runs with `environment`."""

from pathlib import Path

from .emulation import preloaded


class Faults:
    """The faults of every panel of the daemon; none at first."""

    def __init__(self, folder: Path):
        self._file = folder / "faults"
        self._writes = folder / "writes"
        self.set()
        self.environment = {
            "LD_PRELOAD": preloaded("faults"),
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
