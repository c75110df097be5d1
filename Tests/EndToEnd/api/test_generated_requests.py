# SPDX-License-Identifier: Apache-2.0
"""openapi.yaml and the daemon agree about generated requests, the same in each run. `make hardening` tries others."""

import pytest

from support.generated import LOCATION, check_answers


@pytest.mark.timeout(900)
def test_every_answer_is_a_documented_one(start, tmp_path):
    check_answers(start(*LOCATION), tmp_path, seed=4711, examples=5)
