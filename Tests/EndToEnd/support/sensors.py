# SPDX-License-Identifier: Apache-2.0
"""Light sensors of a directory that looks like /sys."""


class Sensor:
    """`/sys/bus/iio/devices/iio:deviceN` with these files: a driver's, and what it says is written here."""

    def __init__(self, root, number=0, **files):
        self.folder = root / f"bus/iio/devices/iio:device{number}"
        self.folder.mkdir(parents=True)
        self.write(**files)

    def write(self, **files):
        """Replaces each file at once, as reading a driver's is never half a number."""
        for name, value in files.items():
            new = self.folder / f".{name}"
            new.write_text(f"{value}\n")
            new.rename(self.folder / name)

    def vanish(self):
        for file in self.folder.iterdir():
            file.unlink()
        self.folder.rmdir()
