# SPDX-License-Identifier: Apache-2.0
"""The client, as a person of the file's daemon runs it."""

import itertools
import re
import signal

import pytest

from support.brightness import brightness, start_brightness
from support.until import until

# A shell without job control starts background jobs with these ignored, and every child would inherit that.
for number, handler in (
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
):
    signal.signal(number, handler)


@pytest.fixture
def run(daemon, client):
    """Runs the client against the file's daemon, which is at 50 %. Returns the exit status, the output and the complaints."""

    def run(*arguments, **more):
        done = brightness(*arguments, **({"BRIGHTNESS_SERVER": daemon.url} | more))
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def begin(processes):
    """Starts clients of any daemon; none outlives the test."""

    def begin(daemon, *arguments, **variables):
        process = start_brightness(*arguments, BRIGHTNESS_SERVER=daemon.url, **variables)
        processes.append(process)
        return process

    return begin


@pytest.fixture
def answers_another():
    """Waits until a daemon has answered another client than this one. An accepted stream is not counted."""

    def answers_another(client):
        def answers():
            return sum(map(int, re.findall(r"^brightnessd_http_responses_total\{.*\} (\d+)$", client.get("/metrics").text, re.MULTILINE)))

        first, own = answers(), itertools.count(1)
        until(lambda: answers() > first + next(own), "another client is answered")

    return answers_another
