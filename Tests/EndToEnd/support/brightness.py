# SPDX-License-Identifier: Apache-2.0
"""The command-line client, built next to the daemon's program."""

import os
import subprocess
from pathlib import Path

from .daemon import BINARY
from .until import TIMEOUT

CLIENT = Path(BINARY).with_name("brightness")


def environment(**extra):
    """This process's environment without any variable of the client's, plus `extra`."""
    return {k: v for k, v in os.environ.items() if not k.startswith("BRIGHTNESS_")} | extra


def brightness(*arguments, within=TIMEOUT, user=None, **variables):
    """Runs the client to its end; its output has no colour without a terminal."""
    command = [CLIENT, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=within, env=environment(**variables), stdin=subprocess.DEVNULL, **(user or {})
    )


def start_brightness(*arguments, **variables):
    """Starts the client; its output can be read line by line."""
    return subprocess.Popen(
        [CLIENT, *map(str, arguments)],
        env=environment(**variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
