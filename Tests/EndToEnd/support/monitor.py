# SPDX-License-Identifier: Apache-2.0
"""Monitors behind a stand-in libddcutil, and the kernel's connectors they are plugged into."""

import ctypes.util
import json
import os
import shutil
import subprocess
from pathlib import Path

from .until import TIMEOUT, until

LIBRARY = Path(__file__).with_name("libddcutil.c")


def build(folder: Path):
    """Compiles the stand-in; the directory to put into LD_LIBRARY_PATH."""
    compiler = next((c for c in ("clang", "/opt/swift/usr/bin/clang", "cc") if _runs(c)), None)
    assert compiler, "the stand-in libddcutil needs clang or cc"
    name = library_name()
    flags = ["-Wall", "-Werror", "-fPIC", "-shared", "-D_GNU_SOURCE", f"-Wl,-soname,{name}"]
    subprocess.run([compiler, *flags, "-o", folder / name, LIBRARY], check=True)
    return folder


def library_name():
    """libddcutil.so.4, or .5 from Debian 13 on: the name that brightness-ddc was linked with."""
    name = ctypes.util.find_library("ddcutil")
    assert name, "the development files of libddcutil are missing"
    return name


def _runs(compiler):
    try:
        return subprocess.run([compiler, "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


class Helper:
    """`brightness-ddc` alone, asked as the daemon asks it."""

    def __init__(self, machine, program):
        self._process = subprocess.Popen(
            [program, str(machine.sys)],
            env=os.environ | machine.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **request):
        """The answers to a request: dictionaries."""
        self._process.stdin.write(json.dumps(request | {"number": 1}) + "\n")
        self._process.stdin.flush()
        answers = []
        while not answers or "monitor" in answers[-1]:
            answers.append(json.loads(self._process.stdout.readline()))
        return answers

    def detect(self):
        """The ids of the monitors that answer."""
        return [answer["monitor"] for answer in self.ask(do="detect")[:-1]]

    def power(self, monitor):
        """`None` while it is read, else why not."""
        return self.ask(do="read", monitor=monitor)[0].get("error")

    def end(self):
        self._process.stdin.close()
        self._process.wait(timeout=TIMEOUT)
        self._process.stdout.close()


class Machine:
    """A directory that looks like /sys with i2c buses and connectors, next to one with monitors.

    `options` and `env` make a daemon use them.
    """

    def __init__(self, folder: Path, library: Path):
        self.sys = folder / "sys"
        self.monitors = folder / "monitors"
        (self.sys / "class/i2c-dev").mkdir(parents=True)
        (self.sys / "class/drm").mkdir()
        self.monitors.mkdir()
        self.options = ("--sysfs-root", str(self.sys))
        paths = [str(library), os.environ.get("LD_LIBRARY_PATH")]
        self.env = {
            "LD_LIBRARY_PATH": ":".join(path for path in paths if path),
            "DDCUTIL_MONITORS": str(self.monitors),
        }

    def add(self, bus=5, **what):
        return Monitor(self, bus, **what)


class Monitor:
    """One monitor. A value set here is changed by a person with the monitor's own buttons.

    - tells_bus: whether the driver says by which bus its connector is reached, and whether something is plugged in.
    """

    def __init__(
        self, machine, bus, maker="DEL", model="DELL U2720Q", serial="ABC 123", current=40, maximum=100, tells_bus=False
    ):
        self.folder = machine.monitors / str(bus)
        self.connector = machine.sys / f"class/drm/card0-DP-{bus}"
        (machine.sys / f"class/i2c-dev/i2c-{bus}").mkdir()
        self.connector.mkdir()
        self.folder.mkdir()
        edid = f"EDID of {maker} {model} {serial}".encode().ljust(128, b"\1")
        (self.connector / "edid").write_bytes(edid + b"extension")
        (self.folder / "edid").write_bytes(edid)
        if tells_bus:
            (self.connector / "ddc").symlink_to(f"../../../../pci0000:00/i2c-{bus}")
            (self.connector / "status").write_text("connected\n")
        self._set("maker", maker)
        self._set("model", model)
        self._set("serial", serial)
        self._set("maximum", maximum)
        self._set("current", current)
        self.sleeps(False)

    def _set(self, name, value):
        # Atomic, so that no reader finds a partial file.
        new = self.folder / f".{name}"
        new.write_text(f"{value}\n")
        new.rename(self.folder / name)

    @property
    def step(self):
        return int((self.folder / "current").read_text() or -1)

    @step.setter
    def step(self, step):
        self._set("current", step)

    def takes(self, milliseconds):
        """From now on a read or write takes so long."""
        self._set("delay", milliseconds)

    def keeps_at_most(self, step):
        """From now on its own menu limits it; `None` ends that."""
        if step is None:
            (self.folder / "most").unlink()
        else:
            self._set("most", step)

    def fails(self, fault):
        """From now on a read or write does this: a status of libddcutil, `hang`, `crash`; `None` is all well again."""
        if fault is None:
            (self.folder / "fault").unlink(missing_ok=True)
        else:
            self._set("fault", fault)

    def hides_while_off(self):
        """From now on it does not answer while it is off or asleep, and a search lists it as invalid."""
        self._set("hides", "yes")

    @property
    def is_on(self):
        """Whether the last command that switched it was one that switched it on."""
        path = self.folder / "power"
        return not path.exists() or path.read_text() == "1\n"

    def shows(self, edid):
        """The kernel's EDID of the monitor at this connector; empty without a monitor."""
        (self.connector / "edid").write_bytes(edid)

    @property
    def edid(self):
        return (self.connector / "edid").read_bytes()

    def has_no_connector(self):
        """None that the kernel knows."""
        shutil.rmtree(self.connector)

    def sleeps(self, does=True):
        """The kernel's power state of it; a request would wake the monitor itself."""
        self._set("asleep", int(does))
        (self.connector / "dpms").write_text("Off\n" if does else "On\n")

    def log(self, what=""):
        """When and what was asked of it: pairs of seconds and words."""
        path = self.folder / "log"
        lines = path.read_text().splitlines() if path.exists() else []
        pairs = [line.split(" ", 1) for line in lines]
        return [(int(time) / 1_000, words) for time, words in pairs if words.startswith(what)]

    @property
    def writes(self):
        """The steps that were written to it."""
        return [int(words.split()[-1]) for _, words in self.log("write")]


def shows(monitor, step):
    until(lambda: monitor.step == step, f"the monitor shows {step}")


def becomes(client, what, **members):
    """Waits until the state has these members."""
    until(lambda: members.items() <= client.state.items(), what)
