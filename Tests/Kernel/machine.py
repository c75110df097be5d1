# SPDX-License-Identifier: Apache-2.0
"""A virtual machine with Debian's own kernel, two panels of its ACPI driver, and the daemon."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import image

BOOT_SECONDS = 120
"""QEMU emulates the processor, and this machine may be busy: a boot takes some 15 seconds on an idle one."""


def wait_for(what, condition, within=30):
    """What the condition returns, as soon as it is true."""
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


class Machine:
    """A booted machine. `disk` outlives it: a second machine with the same disk is the same one after a power cut.

    - daemon: options of the daemon; `None` starts none.
    """

    def __init__(self, directory, disk=None, daemon=()):
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        kernel, initrd, table = image.build()
        self.disk = disk or self._make_disk()
        self.port = free_port()
        self.log = self.directory / "console.log"
        self.process = subprocess.Popen(
            [
                "qemu-system-x86_64", "-accel", "tcg", "-m", "768", "-vga", "std", "-display", "none", "-no-reboot",
                "-serial", f"file:{self.log}",
                "-serial", f"unix:{self.directory}/shell,server,nowait",
                "-monitor", f"unix:{self.directory}/monitor,server,nowait",
                "-acpitable", f"file={table}",
                "-kernel", str(kernel), "-initrd", str(initrd),
                "-append", "console=ttyS0 panic=-1 acpi_backlight=video no_console_suspend",
                "-netdev", f"user,id=n,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:8787",
                "-device", "e1000,netdev=n,romfile=",
                "-drive", f"file={self.disk},format=raw,if=virtio,cache=writethrough",
            ],
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            wait_for("the boot", lambda: "guest-is-ready" in self.console, within=BOOT_SECONDS)
            self._shell = self._connect("shell")
            if daemon is not None:
                self.start_daemon(*daemon)
        except BaseException:
            self.cut_power()
            raise

    def _make_disk(self):
        disk = self.directory / "state.img"
        subprocess.run(["truncate", "--size=32M", disk], check=True)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", disk], check=True)
        return disk

    def _connect(self, name):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(f"{self.directory}/{name}")
        connection.settimeout(60)
        return connection

    @property
    def console(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    # MARK: Inside

    def run(self, command, check=True):
        """What a shell command in the machine prints."""
        self._shell.sendall(command.encode() + b"\n")
        answer = b""
        while not (answer.endswith(b"\n") and b"\n\x01" in answer):
            part = self._shell.recv(4096)
            assert part, f"the machine ended in: {command}"
            answer += part
        output, _, status = answer.rpartition(b"\n\x01")
        text = output.decode(errors="replace").rstrip("\n")
        assert not check or int(status) == 0, f"{command}: {int(status)}: {text}"
        return text

    def start_daemon(self, *options):
        words = " ".join(options)
        self.run(
            "setsid brightnessd serve --listen 0.0.0.0:8787 --anonymous write --state-directory /state "
            f"--log-level debug {words} >>/state/log 2>&1 </dev/null & echo $! >/run/daemon"
        )
        wait_for("the daemon", lambda: self._answers(), within=60)

    def _answers(self):
        try:
            return self.get("/livez") is not None
        except (urllib.error.URLError, ConnectionError, TimeoutError, json.JSONDecodeError):
            return False

    def signal_daemon(self, name):
        self.run(f"kill -{name} $(pidof brightnessd)")
        wait_for("the daemon's end", lambda: not self.run("pidof brightnessd", check=False))

    def step(self, panel=0):
        """What the kernel's driver says of a panel: 0 to 10."""
        return int(self.run(f"cat /sys/class/backlight/acpi_video{panel}/brightness"))

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

    def state(self, panel=0):
        return self.get(f"/v1/displays/acpi_video{panel}")

    def wait_for_state(self, what, condition, panel=0, within=30):
        return wait_for(what, lambda: (state := self.state(panel)) and condition(state) and state, within)

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
