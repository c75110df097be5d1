# SPDX-License-Identifier: Apache-2.0
"""A process, or a single thread of it, that stands still."""

import ctypes
import os
import signal
from contextlib import contextmanager, suppress
from pathlib import Path

from .until import until

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000


def suspend(process):
    """Sends SIGSTOP, and waits for it: on a busy machine some of the threads run on for a moment. SIGCONT ends it."""
    process.send_signal(signal.SIGSTOP)

    def is_still(task):
        with suppress(FileNotFoundError):
            return (task / "stat").read_text().rpartition(")")[2].split()[0] == "T"
        return True

    until(lambda: all(map(is_still, Path(f"/proc/{process.pid}/task").iterdir())), "no thread runs")


@contextmanager
def suspended(daemon, name):
    """The thread of this name does nothing, as under a debugger; the others go on."""
    tasks = Path(f"/proc/{daemon.pid}/task")
    # The oldest: a thread that it creates inherits the name.
    thread = min(int(task.name) for task in tasks.iterdir() if (task / "comm").read_text() == f"{name}\n")
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace

    def ask(request):
        assert ptrace(request, thread, None, None) == 0, os.strerror(ctypes.get_errno())

    ask(PTRACE_SEIZE)
    ask(PTRACE_INTERRUPT)
    os.waitpid(thread, WALL)
    try:
        yield
    finally:
        ask(PTRACE_DETACH)
