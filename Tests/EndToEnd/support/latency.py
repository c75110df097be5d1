# SPDX-License-Identifier: Apache-2.0
"""The memory of a daemon under load, and how long its `/livez` takes."""

import time
from pathlib import Path

from .wire import Connection

MEBIBYTE = 1 << 20
MOST_MEMORY = 50 * MEBIBYTE
LONGEST_WAIT = 0.1


class Probe:
    """Asks `/livez` on a connection of its own.

    From each latency it subtracts how long the shards and the test had no processor: on a machine with other work
    that is longer than all the daemon does.
    """

    def __init__(self, daemon):
        self.daemon = daemon
        self.connection = Connection(daemon.port)
        shards = [task for task in Path(f"/proc/{daemon.pid}/task").iterdir() if (task / "comm").read_text().startswith("shard")]
        self._statistics = [task / "schedstat" for task in shards] + [Path("/proc/thread-self/schedstat")]
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
        begun, idle = time.monotonic(), self._idle()
        assert self.connection.request("GET", "/livez").status == 200
        wait = time.monotonic() - begun
        self.longest = max(self.longest, wait)
        self.waits.append(max(0, wait - (self._idle() - idle)))
        self.peak = max(self.peak, self.daemon.resident)

    def _idle(self):
        """Seconds that the threads were ready and had no processor."""
        return sum(int(file.read_text().split()[1]) for file in self._statistics) / 1e9

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
