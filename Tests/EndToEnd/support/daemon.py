# SPDX-License-Identifier: Apache-2.0
"""A real daemon, as a process of its own."""

import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from .ports import free_port
from .until import TIMEOUT

ROOT = Path(__file__).resolve().parents[3]
BINARY = os.environ.get("BRIGHTNESSD_BINARY") or str(ROOT / ".build/debug/brightnessd")

READY = re.compile(r"serving at http://(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)")
SURPRISE = re.compile(r"\b(error|critical|fatal|panic)\b", re.IGNORECASE)


def environment(**extra):
    """This process's environment without any option of the daemon's, plus `extra`."""
    return {k: v for k, v in os.environ.items() if not k.startswith("BRIGHTNESSD_")} | extra


def run(*arguments, env=None, within=TIMEOUT):
    """Runs the binary to its end; without a state directory, unless one is given."""
    variables = environment(**{"BRIGHTNESSD_STATE_DIRECTORY": "none"} | (env or {}))
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=within, env=variables)


class Daemon:
    """`brightnessd serve` on a port of its own. Ready when the constructor returns.

    - options: of `serve`; a simulated display and a new state directory unless they name one.
    - env: options by environment variable.
    - prefix: a command that runs the daemon in its place.
    - expects: a pattern of log lines that are no surprise.
    - pass_fds: descriptors that the prefix gets.
    - binary: another build of it.
    - timeout: at most how many seconds it may take to be ready, and to end.
    """

    def __init__(
        self, *options, env=None, prefix=(), expects=None, pass_fds=(), binary=BINARY, timeout=None
    ):
        arguments = ["serve", *map(str, options)]
        if "--listen" not in options and "BRIGHTNESSD_LISTEN" not in (env or {}):
            arguments += ["--listen", f"127.0.0.1:{free_port()}"]
        if "--display" not in options and "BRIGHTNESSD_DISPLAY" not in (env or {}):
            arguments += ["--display", "simulated"]
        # A journal of its own, gone with this object, unless the test wants to see it again.
        if "--state-directory" not in options and "BRIGHTNESSD_STATE_DIRECTORY" not in (env or {}):
            self._state = tempfile.TemporaryDirectory(prefix="brightnessd-", ignore_cleanup_errors=True)
            arguments += ["--state-directory", self._state.name]
        self.expects = expects
        self.timeout = timeout
        self.was_killed = False
        self.lines = []
        self._grown = threading.Condition()
        self.process = subprocess.Popen(
            [*prefix, binary, *arguments],
            env=environment(**(env or {})),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=pass_fds,
        )
        self._pump = threading.Thread(target=self._read, daemon=True)
        self._pump.start()
        try:
            self.port = int(self.line(READY, within=timeout or TIMEOUT).group(1))
        except BaseException:
            self.process.kill()
            raise
        self.url = f"http://127.0.0.1:{self.port}"

    def _read(self):
        for line in self.process.stderr:
            with self._grown:
                self.lines.append(line.rstrip("\n"))
                self._grown.notify_all()
        with self._grown:
            self.lines.append(None)
            self._grown.notify_all()

    def line(self, pattern, within=TIMEOUT):
        """The match of the first log line that has `pattern`; waits for it."""
        deadline = time.monotonic() + within
        looked = 0
        with self._grown:
            while True:
                for line in self.lines[looked:]:
                    assert line is not None, f"ended without saying {pattern}: {self.lines}"
                    if match := re.search(pattern, line):
                        return match
                looked = len(self.lines)
                left = deadline - time.monotonic()
                assert left > 0 and self._grown.wait(left), f"never said {pattern}: {self.lines}"

    @property
    def pid(self):
        return self.process.pid

    @property
    def sockets(self):
        """Returns the number of its open sockets."""
        folder = f"/proc/{self.pid}/fd"
        links = []
        for descriptor in os.listdir(folder):
            try:
                links.append(os.readlink(f"{folder}/{descriptor}"))
            except FileNotFoundError:
                pass
        return sum(link.startswith("socket:") for link in links)

    @property
    def unread(self):
        """Returns the number of its clients' bytes that it has not read yet."""
        lines = [line.split() for line in Path(f"/proc/{self.pid}/net/tcp").read_text().splitlines()[1:]]
        local = f":{self.port:04X}"
        # The state is ESTABLISHED or CLOSE_WAIT: of the listening socket, the queue is that of connections.
        return sum(int(line[4].split(":")[1], 16) for line in lines if line[1].endswith(local) and line[3] != "0A")

    @property
    def resident(self):
        """Its resident memory in bytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    def terminate(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def kill(self):
        """SIGKILL: it can do nothing more about anything."""
        self.was_killed = True
        self.process.kill()
        self.process.wait()

    def ended(self, within=TIMEOUT):
        """Waits for its end, which must be a good one."""
        code = self.process.wait(within)
        self._pump.join(within)
        assert code == (-signal.SIGKILL if self.was_killed else 0), f"exit code {code}: {self.lines}"
        surprises = [
            line
            for line in self.lines
            if line and SURPRISE.search(line) and not (self.expects and re.search(self.expects, line))
        ]
        assert not surprises, surprises

    def stop(self):
        """SIGTERM and a good end; whatever happens, nothing is left running."""
        try:
            if self.process.poll() is None:
                self.terminate()
            # A monitor that waits for its turn, on a loaded machine.
            self.ended(within=self.timeout or TIMEOUT)
        finally:
            self.process.kill()
            self.process.wait()
