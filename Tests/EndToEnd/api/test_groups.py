# SPDX-License-Identifier: Apache-2.0
"""Groups of displays (`--group`)."""

import pytest

from support.daemon import run


@pytest.mark.parametrize("group", ["hall", "hall=", "hall=a b", "hall=*,all"])
def test_a_group_that_is_wrong_ends_the_start(group):
    done = run("--display", "simulated", "--group", group)
    assert done.returncode != 0
    assert "invalid value for --group" in done.stderr
