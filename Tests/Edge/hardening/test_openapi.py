# SPDX-License-Identifier: Apache-2.0
"""openapi.yaml and the daemon agree about requests that nobody thought of."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXAMPLES = os.environ.get("HARDENING_EXAMPLES") or "50"


@pytest.mark.timeout(1_800)
def test_every_answer_is_a_documented_one(start):
    daemon = start("--log-level", "warning")
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", "schemathesis.toml"),
        *("run", str(HERE.parents[2] / "openapi.yaml"), "--url", daemon.url, "--checks", "all"),
        *("--max-examples", EXAMPLES),
    ]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    print(done.stdout[-20_000:], done.stderr[-2_000:])
    assert done.returncode == 0
