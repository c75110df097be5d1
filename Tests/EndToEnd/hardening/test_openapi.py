# SPDX-License-Identifier: Apache-2.0
"""openapi.yaml and the daemon agree about generated requests, others in each run."""

import os
import random

import pytest

from support.generated import LOCATION, check_answers

SEED = int(os.environ.get("HARDENING_SEED") or random.randrange(1 << 32))
EXAMPLES = int(os.environ.get("HARDENING_EXAMPLES") or 50)


@pytest.mark.timeout(1_800)
def test_every_answer_is_a_documented_one(start, tmp_path):
    print(f"HARDENING_SEED={SEED}")
    check_answers(start(*LOCATION), tmp_path, SEED, EXAMPLES)
