# SPDX-License-Identifier: Apache-2.0
"""The event stream: its first events, the ones that follow, its filters and its bytes."""

import json
import socket
import struct
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import httpx_sse
import pytest

from support.events import Stream
from support.until import TIMEOUT, until
from support.wire import Connection, request

KINDS = ("boost", "dim", "wake", "sleep")


def epoch(client):
    return client.get("/v1/displays").json()["epoch"]


def test_the_head_is_that_of_an_event_stream(daemon):
    with Stream(daemon.port) as stream:
        headers = stream.head.headers
    assert headers["content-type"].replace(" ", "") in ("text/event-stream", "text/event-stream;charset=utf-8")
    assert (headers["cache-control"], headers["x-accel-buffering"]) == ("no-cache, no-transform", "no")
    assert headers["transfer-encoding"] == "chunked"


def test_events_are_these_bytes_on_the_wire(daemon, client):
    """The exact bytes up to the first change, apart from numbers."""
    state = client.get("/v1/brightness").text.removesuffix("\n")
    revision = json.loads(state)["revision"]
    with Stream(daemon.port, "/v1/events?types=state,boost") as stream:
        chunks = stream.connection.chunks()
        text = next(chunks).decode()
        while not text.endswith("}\n\n"):
            text += next(chunks).decode()
    retry, event, end = text.split("\n\n")
    assert 1500 <= int(retry.removeprefix("retry: ")) <= 2500
    assert event == f"event: state\nid: {epoch(client)}-{revision}\ndata: {state}"
    assert end == ""


def test_a_stream_begins_with_the_state_that_get_returns(daemon, client):
    client.boost(holder="kiosk-3")
    state = client.state
    with Stream(daemon.port) as stream:
        first, second = stream.next(), stream.next()
    assert (first.name, first.id) == ("boost", None)
    assert first.data["lease"] == client.get("/v1/displays/simulated/boost").json()["leases"][0]
    assert (first.data["change"], first.data["display"]) == ("granted", "simulated")
    assert (second.name, second.data, second.id) == ("state", state, f"{epoch(client)}-{state['revision']}")


@pytest.mark.parametrize("has_things", [False, True])
def test_a_stream_of_each_type_begins_with_what_its_get_returns(daemon, client, has_things):
    if has_things:
        for name in ("day", "film"):
            client.put(f"/v1/presets/{name}", json={"displays": {"all": {"brightness": 0.3}}})
            client.put(f"/v1/schedules/{name}", json={"from": "22:00", "to": "07:00", "dim": 0.2, "paused": True})
        for kind in KINDS:
            client.post(f"/v1/{kind}", json={"holder": kind, "ttl": 60}).raise_for_status()

    def get(path):
        return client.get(path).json()

    def leases(kind):
        granted = get(f"/v1/displays/simulated/{kind}")["leases"]
        assert bool(granted) == has_things
        return [{"lease": lease, "change": "granted", "display": "simulated"} for lease in granted]

    def light():
        return {sensor["id"]: sensor.get("illuminance") for sensor in get("/v1/ambient").get("sensors", [])}

    until(lambda: light() == {"simulated:front": 320, "simulated:back": 180, "simulated:proximity": None}, "it is light")
    schedules = get("/v1/schedules")
    current = {
        "state": get("/v1/displays")["displays"],
        "schedule": schedules.pop("schedules"),
        "day": [schedules],
        "preset": get("/v1/presets")["presets"],
        "health": [get("/readyz")],
        "simulator": [get("/v1/simulator")],
        "default": [{"id": client.state["id"]}],
        "ambient": [get("/v1/ambient")],
        # Of a gateway: test_nodes.py.
        "node": get("/v1/nodes")["nodes"],
    } | {kind: leases(kind) for kind in KINDS}
    for name, documents in current.items():
        with Stream(daemon.port, f"/v1/events?types={name}") as stream:
            assert stream.block().name == "retry"
            blocks = [stream.block() for _ in documents]
            assert [(block.name, block.data) for block in blocks] == [(name, document) for document in documents]
            assert (stream.block().name, name) == ("synced", name)


def test_retry_differs_between_clients(daemon):
    """Otherwise all clients would reconnect at the same moment."""
    retries = set()
    for _ in range(20):
        with Stream(daemon.port) as stream:
            block = stream.block()
            assert block.name == "retry" and 1500 <= block.data <= 2500
            retries.add(block.data)
    assert len(retries) > 5


def test_every_change_is_an_event(daemon, client):
    with Stream(daemon.port) as stream:
        assert stream.next().data == client.state
        for percent in (10, 20, 30):
            state = client.put("/v1/brightness", json={"percent": percent}).json()
            event = stream.next()
            assert (event.name, event.data) == ("state", state)


def test_a_request_that_changes_nothing_is_not_an_event(daemon, client):
    with Stream(daemon.port) as stream:
        stream.next()
        client.set(0.5)
        client.post("/v1/restore")
        client.put("/v1/brightness", json={"brightness": 2})
        changed = client.set(0.6)
        assert stream.next().data == changed


def test_the_grant_renewal_and_end_of_a_lease_are_events(daemon, client):
    """A lease's event comes before the state it led to."""
    with Stream(daemon.port) as stream:
        stream.next()

        def assert_next(change, lease):
            event = stream.next()
            lease = {name: value for name, value in lease.items() if name != "limitedBy"}
            assert (event.name, event.data) == ("boost", {"lease": lease, "change": change, "display": "simulated"})
            assert stream.next().data == client.state

        lease = client.boost(holder="kiosk-3", ttl=60)
        assert_next("granted", lease)
        path = f"/v1/displays/simulated/leases/{lease['id']}"
        lease = client.patch(path, json={"ttl": 600}).json()
        assert_next("renewed", lease)
        client.delete(path)
        assert_next("released", lease)


def test_restore_all_reports_the_end_of_every_lease(daemon, client):
    leases = {client.boost(holder=holder)["id"] for holder in "abc"}
    with Stream(daemon.port, "/v1/events?types=boost") as stream:
        assert {stream.next().data["lease"]["id"] for _ in leases} == leases
        client.post("/v1/restore", json={"all": True})
        ended = [stream.next().data for _ in leases]
    assert {event["lease"]["id"] for event in ended} == leases
    assert {event["change"] for event in ended} == {"released"}


def test_a_client_library_reads_the_stream(daemon, client):
    with httpx.Client(base_url=daemon.url, timeout=TIMEOUT) as http:
        with httpx_sse.connect_sse(http, "GET", "/v1/events?types=state") as source:
            # This library shows a block that has no data, which a browser does not.
            events = (event for event in source.iter_sse() if event.data and event.event != "synced")
            first = next(events)
            assert (first.event, first.json()) == ("state", client.state)
            assert first.id == f"{epoch(client)}-{client.state['revision']}"
            changed = client.set(0.6, reason="data: déjà vu")
            assert next(events).json() == changed


def test_every_client_gets_a_change(daemon, client):
    streams = [Stream(daemon.port) for _ in range(100)]
    for stream in streams:
        stream.next("state")
    changed = client.set(0.6)
    for stream in streams:
        with stream:
            assert stream.next("state").data == changed


def test_clients_get_the_changes_of_many_writers_in_one_order(daemon, client):
    """Two readers, four writers: both readers receive states in the order of revisions, and end on the same one."""

    def write(number):
        with Connection(daemon.port) as connection:
            for percent in range(50):
                connection.request("PUT", "/v1/brightness", body=b'{"raw":%d}' % (1 + (number * 50 + percent) % 100))

    with Stream(daemon.port) as one, Stream(daemon.port) as other:
        writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        final = client.set(0.123)
        for stream in (one, other):
            last = stream.next("state", lambda event: event.revision >= final["revision"]).data
            last.pop("skipped", None)
            assert last == final


def test_head_of_a_stream_ends_at_once(daemon):
    with Connection(daemon.port) as connection:
        answer = connection.request("HEAD", "/v1/events")
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, "text/event-stream")
        if answer.closes:
            connection.assert_closed()
        else:
            assert connection.request("GET", "/livez").status == 200


def test_a_stream_may_follow_another_request_on_its_connection(daemon, client):
    """A connection that was kept alive becomes a stream."""
    with Connection(daemon.port) as connection:
        for _ in range(3):
            assert connection.request("GET", "/v1/brightness").status == 200
        connection.send(request(daemon.port, "GET", "/v1/events"))
        assert connection.head().status == 200
        chunks = connection.chunks()
        text = b""
        while b"event: state" not in text:
            text += next(chunks)


def test_displays_share_one_sequence_of_revisions(start):
    """Otherwise a client that resumes after the highest id would miss events with a lower one."""
    daemon = start(*(option for name in "abcd" for option in ("--display", f"simulated:{name}")))

    def write(display):
        with Connection(daemon.port) as connection:
            for step in range(200):
                path = f"/v1/displays/{display}/brightness"
                assert connection.request("PUT", path, body=b'{"raw":%d}' % (1 + step)).status == 200

    def read(stream):
        # `Stream` itself refuses a revision that does not grow.
        seen = {}
        while set(seen.values()) != {200} or len(seen) < 4:
            state = stream.next("state").data
            seen[state["id"]] = state["raw"]["value"]

    # All at once: the daemon closes a stream that reads nothing for half a minute.
    with Stream(daemon.port) as reader, Stream(daemon.port, receive_buffer=4096) as slow, ThreadPoolExecutor() as pool:
        tasks = [pool.submit(write, display) for display in "abcd"] + [pool.submit(read, one) for one in (reader, slow)]
        for task in tasks:
            task.result()
    with Stream(daemon.port) as late:
        assert len({late.next("state").data["id"] for _ in "abcd"}) == 4


@pytest.mark.parametrize(
    ("types", "names"),
    [
        ("state", ["state"]),
        ("boost", ["boost"]),
        ("boost,state", ["boost", "state"]),
        ("state,boost,ambient,display", ["boost", "state"]),
        ("state%2Cambient", ["state"]),
    ],
)
def test_types_selects_events_by_name(daemon, client, types, names):
    """`names`: the events of one change of a lease."""
    with Stream(daemon.port, f"/v1/events?types={types}") as stream:
        if "state" in names:
            assert stream.next().name == "state"
        for change in (client.boost, lambda: client.post("/v1/restore"), client.boost):
            change()
            assert [stream.next().name for _ in names] == names


def test_display_selects_events_by_display(start, connect):
    daemon = start("--display", "simulated:a", "--display", "simulated:b", "--display", "simulated:c")
    client = connect(daemon)
    with Stream(daemon.port, "/v1/events?display=a&display=c&unknown=x") as stream, Stream(daemon.port) as everything:
        assert [stream.next().data["id"] for _ in range(2)] == ["a", "c"]
        assert [everything.next().data["id"] for _ in range(3)] == ["a", "b", "c"]
        for number, display in enumerate("bcab", 1):
            client.put(f"/v1/displays/{display}/brightness", json={"brightness": number / 10})
            assert everything.next().data["id"] == display
            if display != "b":
                assert stream.next().data["id"] == display
        client.post("/v1/displays/b/boost")
        client.post("/v1/displays/c/boost")
        assert stream.next("boost").data["display"] == "c"


def test_a_silent_stream_gets_a_comment_after_fifteen_seconds(idle):
    blocks = idle.until_comment()
    assert [block.name for _, block in blocks] == ["retry", "state", "synced", "comment"]
    when, comment = blocks[-1]
    assert comment.data == "keep-alive"
    assert when - idle.begun > 14.5


def data_segments(stream):
    """The TCP segments with data that the client has received: `tcpi_data_segs_in` of linux/tcp.h."""
    return struct.unpack_from("I", stream.connection.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 160), 152)[0]


def test_the_events_of_a_command_arrive_in_one_segment(daemon, client):
    with Stream(daemon.port, "/v1/events?types=state,boost") as stream, Stream(
        daemon.port, "/v1/events?types=boost"
    ) as narrow:
        for each in (stream, narrow):
            each.next("synced")
        before = [data_segments(stream), data_segments(narrow)]
        client.boost()
        assert (narrow.next().name, stream.next().name, stream.next().name) == ("boost", "boost", "state")
        assert [data_segments(stream), data_segments(narrow)] == [count + 1 for count in before]
