# SPDX-License-Identifier: Apache-2.0
"""A stream on which nothing happens, watched by a thread while other tests run."""

import threading
import time

from .events import Stream
from .until import TIMEOUT


class IdleStream:
    """Opened at once; remembers when each block came, up to the first comment."""

    def __init__(self, port):
        self.blocks = []
        self._done = threading.Event()
        self.begun = time.monotonic()
        # The light in the room changes when it likes.
        self._stream = Stream(port, "/v1/events?types=state,boost")
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self):
        try:
            while not self.blocks or self.blocks[-1][1].name != "comment":
                block = self._stream.block()
                self.blocks.append((time.monotonic(), block))
        finally:
            self._done.set()

    def until_comment(self):
        assert self._done.wait(TIMEOUT), f"no comment: {self.blocks}"
        return self.blocks
