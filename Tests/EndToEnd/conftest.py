# SPDX-License-Identifier: Apache-2.0
"""Daemons for the tests: one per file, which is set to 50 % before each test, and others that a test starts itself."""

import random
import re
import resource
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect, sync_playwright

from support import schedules
from support.backlight import Backlight
from support.broker import Broker
from support.browser import WHOLE, launch, quiet_context
from support.client import Client
from support.daemon import Daemon
from support.idle import IdleStream
from support.pages import Pages
from support.ports import free_port
from support.until import TIMEOUT
from support.wire import Connection, request

INSIDE = re.compile(r"/(sys|dev|proc|home|tmp|usr)/|errno|\bSwift|\.swift|Error\b|Optional\(|nil\b", re.IGNORECASE)
"""Texts that must not leak: paths, error numbers, names of types."""
expect.set_options(timeout=1_000 * TIMEOUT)

# Some tests hold 1,000 streams open.
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
_wanted = 8_192 if _hard == resource.RLIM_INFINITY else min(8_192, _hard)
if _soft != resource.RLIM_INFINITY and _soft < _wanted:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_wanted, _hard))


@pytest.fixture(autouse=True)
def _begin():
    schedules.begin()


@pytest.fixture
def processes():
    """The list of the programs that the test has started; none outlives the test."""
    processes = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def daemon():
    """The file's daemon: one simulated display, which is also a group, and two shards."""
    daemon = Daemon("--shards", "2", "--group", "everything=*")
    yield daemon
    daemon.stop()


@pytest.fixture(scope="module")
def _client(daemon):
    with Client(daemon) as client:
        yield client


@pytest.fixture
def client(_client):
    """A client of the file's daemon, which is at 50 %, with no boost."""
    _client.reset()
    return _client


@pytest.fixture
def refuse(daemon, client):
    """Sends a request that must be refused; the problem document."""

    def refuse(status, method, path, headers=None, body=None):
        before = client.state
        with Connection(daemon.port) as connection:
            connection.send_anyway(request(daemon.port, method, path, headers, body))
            answer = connection.response(method, path)
            assert answer.status == status, answer
            if answer.closes:
                connection.assert_closed()
            else:
                assert connection.request("GET", "/v1/brightness").json == before
        assert client.state == before
        if method == "HEAD":
            return None
        problem = answer.json
        assert (answer.headers["content-type"], problem["status"]) == ("application/problem+json", status)
        assert not INSIDE.search(answer.body.decode()), problem
        explanation = client.get(problem["type"])
        assert (explanation.status_code, len(explanation.text) > 20) == (200, True)
        return problem

    return refuse


@pytest.fixture
def start():
    """Starts daemons with these options and environment; they must end well after the test."""
    with ExitStack() as ends:

        def start(*options, **how):
            daemon = Daemon(*options, **how)
            ends.callback(daemon.stop)
            return daemon

        yield start


@pytest.fixture
def connect():
    """Clients of daemons that the test started."""
    with ExitStack() as ends:
        yield lambda daemon, **options: ends.enter_context(Client(daemon, **options))


@pytest.fixture
def backlight(tmp_path):
    """A backlight that is at 403 of 960."""
    return Backlight(tmp_path / "sys")


@pytest.fixture
def broker(tmp_path):
    """An MQTT broker of the test's own, which may be killed."""
    broker = Broker(tmp_path)
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def shared_broker(tmp_path_factory):
    """The file's MQTT broker, which stays up."""
    broker = Broker(tmp_path_factory.mktemp("broker"))
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def _chromium():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield playwright, browser
        browser.close()


@pytest.fixture
def new_context(_chromium, start):
    """Makes browser contexts whose pages wait for slow machines. Whatever a page says on the console is a failure.

    - expects: a pattern of console lines that are no surprise.
    - start: not used. A fixture ends before those that it requests, so the pages end before their daemons.
    """
    _, browser = _chromium
    with ExitStack() as ends:
        yield lambda **options: ends.enter_context(quiet_context(browser, **options))


@pytest.fixture
def tabs(_chromium):
    """The pages of the whole Chromium are tabs of one window: only the one in front is visible. (Playwright's own are all.)"""
    playwright, _ = _chromium
    port = free_port()
    window = launch(playwright, f"--remote-debugging-port={port}", program=WHOLE)
    browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}", no_defaults=True, timeout=1_000 * TIMEOUT)
    browser.contexts[0].set_default_timeout(1_000 * TIMEOUT)
    yield browser.contexts[0]
    browser.close()
    window.close()


@pytest.fixture(scope="module")
def pages():
    """A web server next to the daemon, for kiosk pages."""
    pages = Pages()
    yield pages
    pages.stop()


def pytest_addoption(parser):
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the files, and the tests of each file, in this random order")


def pytest_report_header(config):
    seed = config.getoption("--shuffle")
    return None if seed is None else f"random order: --shuffle={seed}"


def pytest_collection_modifyitems(config, items):
    """Runs slow tests last, so that their waits overlap with other tests."""
    if (seed := config.getoption("--shuffle")) is not None:
        order = random.Random(seed)
        files = {item.path: order.random() for item in items}
        items.sort(key=lambda item: (files[item.path], order.random()))
    items.sort(key=lambda item: "idle" in item.fixturenames)


@pytest.fixture(scope="session", autouse=True)
def _idle(request):
    """The silent stream, if a test of this session wants to read it."""
    if not any("idle" in item.fixturenames for item in request.session.items):
        yield None
        return
    daemon = Daemon()
    yield IdleStream(daemon.port)
    daemon.stop()


@pytest.fixture
def idle(_idle):
    return _idle
