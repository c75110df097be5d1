# SPDX-License-Identifier: Apache-2.0
"""The writes and reads of a monitor: how many there are, and the response while it is slow."""

import threading
import time
from datetime import datetime, timezone

from support.client import AT_ONCE
from support.events import Stream
from support.monitor import becomes, shows
from support.until import until
from support.wall_clock import WallClock
from support.wire import Connection

BRIGHTNESS = "/v1/brightness"


def test_a_transition_is_one_write(serve, machine):
    monitor = machine.add()
    client = serve("--transition", "5")[1]
    client.put(BRIGHTNESS, json={"brightness": 0.9, "transition": 3})
    shows(monitor, 90)
    client.put(BRIGHTNESS, json={"brightness": 0.2})
    shows(monitor, 20)
    assert monitor.writes == [90, 20]


def test_the_monitor_is_asked_whether_it_has_the_written_value(serve, machine):
    monitor = machine.add()
    serve()[1].put(BRIGHTNESS, json={"brightness": 0.7})
    shows(monitor, 70)
    assert [words for _, words in monitor.log("verify")] == ["verify 0x10"]


def test_a_monitor_that_its_own_menu_limits_changes_nobodys_wish(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    monitor.keeps_at_most(80)
    with Stream(daemon.port, validates=False):
        client.boost(holder="qr")
        becomes(client, "it shows what the monitor keeps", brightness=0.8, limitedBy=["device"])
        daemon.line("shows 80 of its own steps after 100 was written")
        # A client that begins to watch makes the daemon read the monitor.
        reads = len(monitor.log("read 0x10"))
        with Stream(daemon.port, validates=False):
            until(lambda: len(monitor.log("read 0x10")) > reads, "it is read")
    assert (client.state["baseline"], client.state["boost"]["overridden"]) == (0.4, False)
    client.post("/v1/restore", json={"holder": "qr"})
    becomes(client, "the baseline is back", brightness=0.4, limitedBy=[])
    assert monitor.step == 40


def test_equal_values_are_not_written(serve, machine):
    monitor = machine.add()
    client = serve()[1]
    for percent in (70, 70.2, 69.9, 70):
        client.put(BRIGHTNESS, json={"percent": percent})
    shows(monitor, 70)
    client.put(BRIGHTNESS, json={"raw": 70})
    client.set(0.7)
    assert monitor.writes == [70]


def test_many_changes_are_a_few_writes_that_end_with_the_newest(serve, machine):
    monitor = machine.add()
    daemon, client = serve()
    begin = time.monotonic()
    with Stream(daemon.port, validates=False) as stream:
        stream.next("state")
        threads = [threading.Thread(target=_slide, args=(daemon, 40)) for _ in range(4)]
        for thread in threads:
            thread.start()
        # Other clients are served during it.
        assert client.get(BRIGHTNESS).status_code == 200
        for thread in threads:
            thread.join()
        client.put(BRIGHTNESS, json={"percent": 33})
        shows(monitor, 33)
    becomes(client, "the state has it", brightness=0.33)
    took = time.monotonic() - begin
    times = [seconds for seconds, _ in monitor.log("write")]
    assert all(later - earlier >= 0.5 for earlier, later in zip(times, times[1:]))
    assert len(times) <= 2 * took + 2
    assert monitor.writes[-1] == 33


def _slide(daemon, count):
    with Connection(daemon.port) as connection:
        for number in range(count):
            body = b'{"percent":%d}' % (10 + number % 80)
            answer = connection.request("PUT", BRIGHTNESS, body=body)
            assert answer.status in (200, 202), answer


def test_a_slow_monitor_is_answered_with_202(serve, machine):
    monitor = machine.add()
    client = serve()[1]
    # Long enough that no busy machine has the result before the answer, and well within the helper's time.
    monitor.takes(4_000)
    answer = client.put(BRIGHTNESS, json={"brightness": 0.7}, headers=AT_ONCE)
    assert (answer.status_code, answer.json()["brightness"]) == (202, 0.4)
    becomes(client, "it has it", brightness=0.7)
    monitor.takes(50)
    assert monitor.step == 70
    assert client.boost()["brightness"] == 1


def test_the_daily_write_limit_keeps_a_write_for_the_restore(serve, machine, tmp_path):
    # Noon: the next day has writes of its own.
    now = datetime.now(timezone.utc)
    offset = round((now.replace(hour=12) - now).total_seconds())
    machine.env |= WallClock(tmp_path, offset).environment
    monitor = machine.add()
    daemon, client = serve("--ddc-writes-per-day", "2")
    client.put(BRIGHTNESS, json={"brightness": 0.5})
    shows(monitor, 50)
    client.boost()
    shows(monitor, 100)
    becomes(client, "both are counted", writes={"today": 2, "budget": 2})
    assert client.post("/v1/restore").status_code in (200, 202)
    shows(monitor, 50)
    for method, path, body in (("PUT", BRIGHTNESS, {"brightness": 0.7}), ("POST", "/v1/boost", {})):
        refused = until(lambda: _refusal(client, method, path, body), f"{method} is refused")
        assert "2 writes" in refused.json()["detail"]
        assert int(refused.headers["retry-after"]) >= 1
    state = client.state
    assert (state["available"], state["brightness"], state["boost"]) == (True, 0.5, None)
    assert state["writes"]["today"] == 3
    assert monitor.writes == [50, 100, 50]


def _refusal(client, method, path, body):
    """The answer that says no. While the monitor waits for its turn, there is none yet but "accepted"."""
    answer = client.request(method, path, json=body)
    assert answer.status_code in (202, 503), answer.text
    return answer if answer.status_code == 503 else None


def test_a_monitor_is_not_polled_without_clients(serve, machine):
    """A read costs time on a bus that others want too, and may wake."""
    monitor = machine.add()
    daemon, client = serve()
    before = monitor.log()
    monitor.step = 80
    for _ in range(20):
        assert client.state["brightness"] == 0.4
    assert monitor.log() == before
    with Stream(daemon.port) as stream:
        state = stream.next("state", lambda event: event.data["brightness"] == 0.8).data
    assert state["cause"]["kind"] == "external"
