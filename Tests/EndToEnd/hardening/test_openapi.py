# SPDX-License-Identifier: Apache-2.0
"""openapi.yaml and the daemon agree about generated requests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SEED = os.environ.get("HARDENING_SEED") or "4711"
"""The same requests in each run; another seed tries others."""
EXAMPLES = os.environ.get("HARDENING_EXAMPLES") or "50"


@pytest.mark.timeout(1_800)
def test_every_answer_is_a_documented_one(start, tmp_path):
    daemon = start()
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(HERE / "schemathesis.toml")),
        *("run", str(HERE.parents[2] / "openapi.yaml"), "--url", daemon.url, "--checks", "all"),
        *("--max-examples", EXAMPLES, "--seed", SEED),
    ]
    # It keeps what it found out in the directory that it runs in.
    variables = os.environ | {"SCHEMATHESIS_HOOKS": str(HERE / "schemathesis_hooks.py")}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
    print(done.stdout[-20_000:], done.stderr[-2_000:])
    assert done.returncode == 0
