# SPDX-License-Identifier: Apache-2.0
"""When changes arrive on an event stream, measured in a process of its own: the publisher's work does not delay it.

`python -m support.arrivals PORT LAST` reports each change whose reason is a number, until LAST arrives. The times are
those of `time.monotonic`, which all processes of a machine share.
"""

import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

NUMBERED = re.compile(rb'"reason":"(\d+)"')


class Arrivals:
    """Reads the states of a daemon's displays from its creation on."""

    def __init__(self, port, last):
        command = [sys.executable, "-B", "-m", "support.arrivals", str(port), str(last)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])
        assert self._process.stdout.readline() == b"connected\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()

    def result(self, timeout):
        """The time of each change, once the last one has arrived."""
        output, _ = self._process.communicate(timeout=timeout)
        return {int(change): at for change, at in json.loads(output).items()}


def read(port, last):
    arrived = {}
    with socket.create_connection(("127.0.0.1", port)) as stream:
        stream.sendall(b"GET /v1/events?types=state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        rest = b""
        while last not in arrived:
            received = stream.recv(1 << 18)
            assert received, "the stream ended"
            if not rest and received.startswith(b"HTTP/1.1 200"):
                print("connected", flush=True)
            now = time.monotonic()
            *lines, rest = (rest + received).split(b"\n")
            for line in lines:
                if number := NUMBERED.search(line):
                    arrived[int(number[1])] = now
    return arrived


if __name__ == "__main__":
    print(json.dumps(read(int(sys.argv[1]), int(sys.argv[2]))))
