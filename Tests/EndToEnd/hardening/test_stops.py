# SPDX-License-Identifier: Apache-2.0
"""SIGTERM at HARDENING_STOPS random moments: exit 0 within five seconds each time, and every panel as it was."""

import os
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.stops import stop

ROUNDS = int(os.environ.get("HARDENING_STOPS") or 500)
FIRST = int(os.environ.get("HARDENING_FIRST") or 0)
"""The number of the first round, which decides its moments."""


@pytest.mark.timeout(3_600)
def test_sigterm_at_any_moment(tmp_path):
    took = defaultdict(list)
    with ThreadPoolExecutor(4) as pool:
        rounds = [pool.submit(stop, tmp_path / str(number), number) for number in range(FIRST, FIRST + ROUNDS)]
        for round in rounds:
            scene, seconds = round.result()
            took[scene].append(seconds)
    for scene, seconds in took.items():
        print(f"{scene}: {len(seconds)} times, the longest took {max(seconds):.2f} s")
        assert max(seconds) < 5
