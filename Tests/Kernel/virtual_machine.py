# SPDX-License-Identifier: Apache-2.0
"""A virtual machine in QEMU, with a shell on its second serial port and the daemon's port forwarded to loopback."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

SLOWNESS = int(os.environ.get("BRIGHTNESSD_SLOWNESS", "1"))
"""The factor of every time limit, for an emulated processor or a busy machine."""
READY = "guest-is-ready"
"""The text on the machine's console once its shell answers."""


def wait_for(what, condition, within=30):
    """The value of the condition, as soon as it is true."""
    within *= SLOWNESS
    end = time.monotonic() + within
    while True:
        if value := condition():
            return value
        assert time.monotonic() < end, f"{what}: not within {within} s"
        time.sleep(0.1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# A busy machine makes the emulated timer late, which the kernel would take for a broken one.
PC = (
    ["qemu-system-x86_64", "-vga", "std"],
    "console=ttyS0 shell=/dev/ttyS1 no_timer_check acpi_backlight=video",
    ["acpi_video0", "acpi_video1"],
)
# The memory that the kernel leaves alone has the registers of the device tree's PWM (arm64.dtsi).
ARM_BOARD = (
    ["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72", "-device", "virtio-keyboard-pci"],
    "console=ttyAMA0 shell=/dev/ttyS0 mem=960M",
    ["backlight0", "backlight1"],
)
BOARDS = {"amd64": PC, "arm64": ARM_BOARD}
"""Of each architecture: the command of QEMU, the kernel's command line, and the names of the panels."""


class VirtualMachine:
    """A booted machine. `disk` outlives it: a second machine with the same disk is the same one after a power cut.

    - kernel, initrd, devices: what it boots, and its devices: an ACPI table (amd64), or the whole device tree (arm64).
    - append: the kernel's command line, next to the console.
    - boot_seconds: how long a boot may take, before the factor.
    - memory: in MiB.
    - architecture: `amd64` or `arm64`, which has 1024 MiB of memory.
    - clock: what its clock shows at the boot, in UTC, as `1970-01-01T00:00:00`; the right time by default.
    """

    def __init__(self, directory, disk, kernel, initrd, devices, append="", boot_seconds=120, memory=768, clock="utc",
                 architecture="amd64"):  # fmt: skip
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.disk = disk
        self.port = free_port()
        self.log = self.directory / "console.log"
        command, kernel_options, self.panels = BOARDS[architecture]
        self.process = subprocess.Popen(
            [
                *command, "-accel", "tcg", "-m", str(memory), "-display", "none", "-no-reboot",
                "-rtc", f"base={clock}",
                "-serial", f"file:{self.log}",
                "-chardev", f"socket,id=shell,path={self.directory}/shell,server=on,wait=off",
                *(["-serial", "chardev:shell"] if architecture == "amd64" else ["-device", "pci-serial,chardev=shell"]),
                "-monitor", f"unix:{self.directory}/monitor,server,nowait",
                *(["-acpitable", f"file={devices}"] if architecture == "amd64" else ["-dtb", str(devices)]),
                "-kernel", str(kernel), "-initrd", str(initrd),
                "-append", f"{kernel_options} panic=-1 sysrq_always_enabled {append}",
                "-netdev", f"user,id=n,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:8787",
                "-device", "e1000,netdev=n,romfile=",
                "-drive", f"file={disk},format=raw,if=virtio,cache=writethrough",
            ],
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            wait_for("the boot", self._is_ready, within=boot_seconds)
            self._shell = self._connect("shell")
        except BaseException:
            self.cut_power()
            raise

    def _connect(self, name):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(f"{self.directory}/{name}")
        connection.settimeout(120 * SLOWNESS)
        return connection

    def _is_ready(self):
        assert self.process.poll() is None, f"the machine ended: {self.console[-2_000:]}"
        return READY in self.console

    @property
    def console(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    # MARK: Inside

    def run(self, command, check=True):
        """The output of a shell command in the machine."""
        self._shell.sendall(command.encode() + b"\n")
        answer = b""
        while not (answer.endswith(b"\n") and b"\n\x01" in answer):
            try:
                part = self._shell.recv(4096)
            except TimeoutError:
                # The kernel prints what every task waits for.
                self.monitor("sendkey alt-sysrq-t")
                time.sleep(5)
                raise TimeoutError(f"{command}: {answer}: {self.console[-100_000:]}") from None
            assert part, f"the machine ended in: {command}"
            answer += part
        output, _, status = answer.rpartition(b"\n\x01")
        text = output.decode(errors="replace").rstrip("\n")
        assert not check or int(status) == 0, f"{command}: {int(status)}: {text}"
        return text

    def step(self, panel=0):
        """The brightness of a panel by the kernel's driver: 0 to 10."""
        return int(self.run(f"cat /sys/class/backlight/{self.panels[panel]}/brightness"))

    def write(self, file, text):
        self.run(f"echo {text} >{file}")

    def press(self, key):
        """The firmware's key for `up` or `down`."""
        device = {"up": "BRKY0001:00", "down": "BRKY0002:00"}[key]
        self.run(f"cat /sys/bus/acpi/devices/{device}/status")

    # MARK: Outside

    def get(self, path):
        return self._request("GET", path)

    def put(self, path, body):
        return self._request("PUT", path, body)

    def post(self, path, body=None):
        return self._request("POST", path, body)

    def _request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text.startswith(b"{") else text.decode()

    def monitor(self, command):
        """A command to QEMU itself, such as `system_wakeup`."""
        with self._connect("monitor") as connection:
            self._read_prompt(connection)
            connection.sendall(command.encode() + b"\n")
            self._read_prompt(connection)

    @staticmethod
    def _read_prompt(connection):
        answer = b""
        while not answer.endswith(b"(qemu) "):
            answer += connection.recv(4096)

    def cut_power(self):
        """As if somebody pulled the plug."""
        self.process.kill()
        self.process.wait()
