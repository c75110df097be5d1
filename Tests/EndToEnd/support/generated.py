# SPDX-License-Identifier: Apache-2.0
"""Requests that schemathesis generates from openapi.yaml, and what it thinks of the answers."""

import os
import subprocess
import sys
from pathlib import Path

from .daemon import ROOT

HERE = Path(__file__).parent
LOCATION = ("--location", "52.52,13.40")
"""An option of the daemon, which knows no sunrise without a place."""


def check_answers(daemon, folder, seed, examples):
    """Every answer must be a documented one, and every documented request must be accepted."""
    command = [
        *(Path(sys.executable).with_name("schemathesis"), "--config-file", HERE / "schemathesis.toml"),
        *("run", ROOT / "openapi.yaml", "--url", daemon.url, "--checks", "all"),
        *("--max-examples", str(examples), "--seed", str(seed)),
    ]
    # It keeps what it found out in the directory that it runs in.
    variables = os.environ | {"SCHEMATHESIS_HOOKS": str(HERE / "schemathesis_hooks.py")}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    print(done.stdout[-20_000:], done.stderr[-2_000:])
    assert done.returncode == 0
