# SPDX-License-Identifier: Apache-2.0
"""The memory of a daemon under load, and how long its `/livez` takes."""

import subprocess
import time
from contextlib import suppress
from pathlib import Path

from .wire import Connection

MEBIBYTE = 1 << 20
MOST_MEMORY = 50 * MEBIBYTE
LONGEST_WAIT = 0.1


class Probe:
    """Asks `/livez` on a connection of its own.

    From each latency it subtracts how long the daemon's threads, the test, and the kernel's threads that hand packets
    on had no processor: on a machine with other work that is longer than all the daemon does.
    """

    def __init__(self, daemon):
        self.daemon = daemon
        self.connection = Connection(daemon.port)
        self._delays = {}
        found = subprocess.run(["pgrep", "^ksoftirqd/"], capture_output=True, text=True).stdout
        self._kernel = [Path("/proc") / number for number in found.split()]
        # The daemon has made once whatever it keeps.
        self.connection.request("GET", "/v1/displays")
        self.begin()
        for _ in range(100):
            self.ask()
        self.unloaded = max(self.waits)
        self.begin()

    def begin(self):
        """Forgets what was measured."""
        self.before = self.peak = self.daemon.resident
        self.waits = []
        self.longest = 0

    def ask(self):
        idle, begun = self._idle(), time.monotonic()
        assert self.connection.request("GET", "/livez").status == 200
        wait = time.monotonic() - begun
        self.longest = max(self.longest, wait)
        self.waits.append(max(0, wait - (self._idle() - idle)))
        self.peak = max(self.peak, self.daemon.resident)

    def _idle(self):
        """Seconds that these threads were ready and had no processor, also of those that have ended."""
        for task in (*Path(f"/proc/{self.daemon.pid}/task").iterdir(), *self._kernel, Path("/proc/thread-self")):
            with suppress(FileNotFoundError, ProcessLookupError):
                self._delays[task] = int((task / "schedstat").read_text().split()[1])
        return sum(self._delays.values()) / 1e9

    def check(self, name, within=LONGEST_WAIT, memory=MOST_MEMORY):
        """The measured times must be within the bounds.

        - within: at most how many seconds an answer takes.
        - memory: at most how many bytes more are resident.
        """
        waits = sorted(self.waits)
        print(
            f"{name}: {len(waits)} times /livez, in {waits[len(waits) // 2] * 1_000:.1f} ms in the median, "
            f"{waits[-1] * 1_000:.1f} at most (unloaded {self.unloaded * 1_000:.1f}; with the time without a processor "
            f"{self.longest * 1_000:.1f}); {self.before / MEBIBYTE:.1f} MiB before, {self.peak / MEBIBYTE:.1f} at most"
        )
        assert self.peak - self.before < memory
        assert waits[-1] < within
