# SPDX-License-Identifier: Apache-2.0
"""A client that keeps up gets every event, ends and removals included. One that missed events is notified of the loss."""


import pytest

from support.emulation import native
from support.events import Stream
from support.remote import Remote
from support.threads import suspended
from support.until import until
from support.wire import Connection, request

FEW, MANY = 6, 8
"""Displays. With their leases: more than the daemon keeps for reconnecting clients, and about the limit of a display."""
EACH = 125
"""Leases of a display: a little less than one principal may have."""


def simulated(count):
    """The names of that many displays, and the options for them."""
    names = [f"d{number}" for number in range(count)]
    return names, [part for name in names for part in ("--display", f"simulated:{name}")]


def hold(daemon, display, count):
    """Grants `count` leases of a display, by pipelined requests."""
    path = f"/v1/displays/{display}/boost"
    bodies = [b'{"holder":"holder-%d"}' % number for number in range(count)]
    with Connection(daemon.port) as connection:
        for start in range(0, count, 50):
            batch = bodies[start : start + 50]
            connection.send(b"".join(request(daemon.port, "POST", path, body=body) for body in batch))
            assert {connection.response().status for _ in batch} == {201}


def last_id(client):
    displays = client.get("/v1/displays").json()
    return f"{displays['epoch']}-{displays['revision']}"


def beginning(stream):
    """Returns the first events of a stream, up to the health of the daemon, without those of the whole daemon."""
    events = []
    while (block := stream.block()).name != "health":
        if block.name not in ("default", "day", "simulator", "synced"):
            events.append(block)
    assert events.pop(0).name == "retry"
    return events


DONE = (200, 207)
"""A busy machine may confirm a change of a panel only after the response: that is 202 in the results."""


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize("protocol", ["events", "ws"])
def test_every_one_of_many_leases_that_end_at_once_is_reported(start, connect, protocol, count):
    displays, options = simulated(2 * count)
    daemon = start(*options)
    client = connect(daemon)
    for display in displays:
        hold(daemon, display, EACH)
    total = len(displays) * EACH
    restore = {"json": {"all": True}}
    if protocol == "events":
        with Stream(daemon.port, "/v1/events?types=boost", validates=False) as stream:
            held = {stream.next("boost").data["lease"]["id"] for _ in range(total)}
            assert client.post("/v1/displays/all/restore", **restore).status_code in DONE
            ended = [stream.next() for _ in range(total)]
            assert {event.name for event in ended} == {"boost"}
            ended = [event.data for event in ended]
    else:
        with Remote(daemon, "/v1/ws?types=boost", validates=False) as remote:
            held = {remote.event("boost")["lease"]["id"] for _ in range(total)}
            assert client.post("/v1/displays/all/restore", **restore).status_code in DONE
            ended = [remote.event() for _ in range(total)]
    assert {event["change"] for event in ended} == {"released"}
    assert {event["lease"]["id"] for event in ended} == held


def opened_without(daemon, shard, open):
    """Calls `open` until its result is on another shard: connections on the suspended shard time out."""
    with suspended(daemon, shard):
        while True:
            try:
                return open()
            except TimeoutError:
                continue


@native("40 displays take the emulator longer than the daemon waits for them")
def test_more_ends_than_the_daemon_remembers_are_a_reset(start):
    """A request on another shard ends 5,000 leases while the client's shard is suspended."""
    displays, options = simulated(40)
    daemon = start("--shards", "2", *options)
    for display in displays:
        hold(daemon, display, EACH)

    def connect():
        connection = Connection(daemon.port, timeout=1)
        connection.request("GET", "/livez")
        return connection

    def follow():
        return Stream(daemon.port, "/v1/events?types=boost,state", validates=False, timeout=1)

    with opened_without(daemon, "shard-0", connect) as writer, opened_without(daemon, "shard-1", follow) as stream:
        for connection in (writer, stream.connection):
            connection.socket.settimeout(60)
        for _ in range(len(displays) * EACH):
            stream.next("boost")
        with suspended(daemon, "shard-0"):
            assert writer.request("POST", "/v1/displays/all/restore", body=b'{"all":true}').status in DONE
            until(lambda: b'"boost":{' not in writer.request("GET", "/v1/displays").body, "every lease has ended")
        assert stream.next("reset").data == {}
        after = [stream.next() for _ in displays]
    assert {event.data["id"] for event in after} == set(displays)
    assert all(event.data["boost"] is None for event in after)


def test_a_client_that_reconnects_gets_the_ends_it_missed(daemon, client):
    kept, gone = client.boost(holder="kept"), client.boost(holder="gone")
    last = last_id(client)
    client.post("/v1/restore", json={"holder": "gone"})
    new = client.boost(holder="new")
    with Stream(daemon.port, headers={"Last-Event-ID": last}) as stream:
        end, *others = [event for event in beginning(stream) if event.name != "ambient"]
    assert (end.data["lease"]["id"], end.data["change"]) == (gone["id"], "released")
    assert [event.name for event in others] == ["boost", "state"]
    assert others[0].data["lease"]["id"] == new["id"]
    # The client has this one, so it is not repeated.
    assert kept["id"] not in str(others)


def test_a_client_that_reconnects_without_a_change_gets_nothing(daemon, client):
    client.boost()
    client.post("/v1/restore", json={"all": True})
    with Stream(daemon.port, headers={"Last-Event-ID": last_id(client)}) as stream:
        assert {event.name for event in beginning(stream)} <= {"ambient"}


def test_a_client_that_reconnects_is_notified_of_a_removed_display(start, connect, backlight):
    daemon = start("--sysfs-root", str(backlight.root), "--display", "auto", expects="intel_backlight")
    client = connect(daemon)
    with Stream(daemon.port) as stream:
        last = stream.next("state").id
    backlight.unplug()
    # No client is connected, and the kernel reports nothing: a command finds the change, unless a look of each second has.
    assert client.put("/v1/brightness", json={"percent": 20}).status_code in (404, 503)
    until(lambda: client.get("/v1/displays").json()["displays"] == [], "it is removed")
    with Stream(daemon.port, headers={"Last-Event-ID": last}) as stream:
        [event] = [event for event in beginning(stream) if event.name != "ambient"]
        assert (event.name, event.data) == ("display", {"id": "intel_backlight", "change": "removed"})
    with Stream(daemon.port) as newcomer:
        assert {event.name for event in beginning(newcomer)} <= {"ambient"}


def test_a_client_that_missed_more_ends_than_are_remembered_begins_again(start, connect):
    displays, options = simulated(FEW)
    daemon = start(*options)
    client = connect(daemon)
    for display in displays:
        hold(daemon, display, EACH)
    last = last_id(client)
    client.post("/v1/displays/all/restore", json={"all": True})
    with Stream(daemon.port, headers={"Last-Event-ID": last}) as stream:
        names = [event.name for event in beginning(stream)]
    assert names[:2] == ["reset", "state"]
    assert "boost" not in names


@pytest.mark.parametrize("last", ["00000000-7", "nonsense", "-"])
@pytest.mark.parametrize("protocol", ["events", "ws"])
def test_an_id_of_another_run_is_a_reset(daemon, client, protocol, last):
    client.boost()
    if protocol == "ws":
        with Remote(daemon, f"/v1/ws?last_event_id={last}") as remote:
            methods = [remote.receive()["method"] for _ in range(3)]
    else:
        with Stream(daemon.port, f"/v1/events?last_event_id={last}") as stream:
            methods = [event.name for event in beginning(stream)][:3]
    assert methods == ["reset", "boost", "state"]


def test_a_slow_client_gets_the_end_of_every_lease(daemon, client):
    """The client reads nothing while its lease ends and the display changes, until the daemon cannot send more."""
    with Stream(daemon.port, receive_buffer=4_096) as slow:
        slow.next("state")
        lease = client.boost(holder="short")
        with Connection(daemon.port) as writer:
            for begin in range(0, 600, 100):
                bodies = [b'{"percent":%d,"reason":"%s"}' % (number % 100, b"x" * 200) for number in range(begin, begin + 100)]
                writer.send(b"".join(request(daemon.port, "PUT", "/v1/brightness", body=body) for body in bodies))
                assert {writer.response().status for _ in bodies} == {200}
        client.post("/v1/restore", json={"holder": "short"})
        final = client.set(0.123)
        changes = []
        while (event := slow.next()).name != "state" or event.revision < final["revision"]:
            if event.name == "boost":
                assert event.data["lease"]["id"] == lease["id"]
                changes.append(event.data["change"])
    assert changes[-1] == "released"


def epoch(client):
    return client.get("/v1/displays").json()["epoch"]


@pytest.mark.parametrize("place", ["header", "query"])
def test_a_state_that_the_client_has_is_not_repeated(daemon, client, place):
    last = f"{epoch(client)}-{client.state['revision']}"
    target = "/v1/events" if place == "header" else f"/v1/events?last_event_id={last}"
    with Stream(daemon.port, target, {"Last-Event-ID": last} if place == "header" else {}) as stream:
        assert stream.block().name == "retry"
        changed = client.set(0.6)
        assert stream.next("state").data == changed


@pytest.mark.parametrize(
    "last", ["{epoch}-{older}", "00000000-{revision}", "{epoch}-{newer}", "nonsense", "-", "{epoch}-x"]
)
def test_a_client_with_an_older_or_unknown_id_gets_the_state(daemon, client, last):
    old = client.state["revision"]
    state = client.set(0.6)
    ids = {"epoch": epoch(client), "older": old, "revision": state["revision"], "newer": state["revision"] + 1_000}
    with Stream(daemon.port, headers={"Last-Event-ID": last.format(**ids)}) as stream:
        assert stream.next("state").data == state
