# SPDX-License-Identifier: Apache-2.0
"""Single threads of a daemon that stand still."""

import ctypes
import os
from contextlib import contextmanager
from pathlib import Path

PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WALL = 0x40000000


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
