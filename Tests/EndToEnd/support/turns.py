# SPDX-License-Identifier: Apache-2.0
"""Turns of tests that must not run at the same time, across pytest's worker processes."""

import fcntl
import os
from contextlib import contextmanager


@contextmanager
def turn(folder, alone):
    """Waits for the test's turn. A test that is `alone` runs while no other does, the others run side by side.

    - folder: an existing directory that all workers share. It and its parent are locked; nothing is written.
    """
    entry, room = (os.open(path, os.O_RDONLY | os.O_DIRECTORY) for path in (folder, folder.parent))
    try:
        # Later tests wait at the entry, so a test that waits to be alone is not overtaken.
        fcntl.flock(entry, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(entry, fcntl.LOCK_UN)
        yield
    finally:
        os.close(entry)
        os.close(room)
