# SPDX-License-Identifier: Apache-2.0
"""The cases of the Autobahn test suite, run by PyPI's `kosoku` against the daemon's WebSockets in echo mode.

Sections 12 and 13 are about compression, which is not negotiated.
"""

import asyncio
import os
import subprocess
from pathlib import Path

import pytest
from kosoku import FailureError, run_fuzzingclient

from support.daemon import BINARY

ECHO = Path(os.environ.get("WEBSOCKET_ECHO_BINARY") or Path(BINARY).with_name("WebSocketEcho"))


@pytest.fixture
def echo():
    """The address of an echo server, which must end well."""
    with subprocess.Popen([ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()
        assert process.wait(5) == 0


@pytest.mark.timeout(120)
def test_no_case_fails(echo):
    async def run():
        try:
            return await run_fuzzingclient(echo, None, ["12.*", "13.*"], concurrency=2)
        except FailureError as failure:
            return failure.results

    results = asyncio.run(run())
    verdicts = {result.case_id: (result.behavior.value, result.behavior_close.value) for result in results}
    assert len(verdicts) > 250
    assert {case: verdict for case, verdict in verdicts.items() if set(verdict) - {"OK", "INFORMATIONAL"}} == {}
