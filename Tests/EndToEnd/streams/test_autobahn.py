# SPDX-License-Identifier: Apache-2.0
"""The cases of the Autobahn test suite, run by PyPI's `kosoku` against the daemon's WebSockets in echo mode.

Sections 12 and 13 are about compression, which is not negotiated.
"""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kosoku import FailureError, run_fuzzingclient

from support.daemon import BINARY
from support.emulation import native
from support.until import TIMEOUT

GOOD = {"OK", "INFORMATIONAL"}
ECHO = Path(os.environ.get("WEBSOCKET_ECHO_BINARY") or Path(BINARY).with_name("WebSocketEcho"))


@pytest.fixture
def echo():
    """The address of an echo server, which must exit with status 0."""
    with subprocess.Popen([ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()
        assert process.wait(TIMEOUT) == 0


@pytest.mark.timeout(900)
@native("the echo server is a program of its own, which is not in the package")
def test_every_autobahn_case_passes(echo):
    async def run(cases, excluded, concurrency):
        try:
            return await run_fuzzingclient(echo, cases, excluded, concurrency=concurrency)
        except FailureError as failure:
            return failure.results

    async def run_all():
        # Messages of 16 MiB, one at a time: two of them exceed the memory that all connections share.
        results = await run(None, ["9.*", "12.*", "13.*"], 2)
        # A minute for a thousand messages there and back is too short on a busy machine.
        timed = sys.modules["case9_7_X"]
        for case in timed.Case9_7_X + timed.Case9_8_X:
            case.WAITSECS = 600
        results += await run(["9.*"], [], 1)
        # The client's waits of a second are its own: a case that failed next to others has one more chance.
        failed = [result.case_id for result in results if result.behavior.value not in GOOD or result.behavior_close.value not in GOOD]
        return results + (await run(failed, [], 1) if failed else [])

    # On a thread without Playwright, whose event loop stays with the main thread once a browser was started.
    with ThreadPoolExecutor(1) as pool:
        results = pool.submit(asyncio.run, run_all()).result()
    verdicts = {result.case_id: (result.behavior.value, result.behavior_close.value) for result in results}
    assert len(verdicts) > 250
    assert {case: verdict for case, verdict in verdicts.items() if set(verdict) - GOOD} == {}
