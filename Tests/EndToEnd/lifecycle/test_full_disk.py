# SPDX-License-Identifier: Apache-2.0
"""A state directory that cannot be written when the daemon starts: what can be read of it is kept."""

import ctypes
import os
import resource
import shutil
import sqlite3
from contextlib import contextmanager

import pytest

from support.daemon import run
from support.emulation import native
from support.until import until

_libc = ctypes.CDLL(None, use_errno=True)
MS_RDONLY, MS_REMOUNT, MNT_DETACH = 1, 32, 2


def _mount(target, options, flags=0):
    result = _libc.mount(b"tmpfs", os.fsencode(target), b"tmpfs", flags, options.encode())
    return 0 if result == 0 else ctypes.get_errno()


@pytest.fixture
def partition(tmp_path):
    """Mounts a small file system of its own as the state directory."""
    mounted = []

    def partition(size):
        folder = tmp_path / "partition"
        folder.mkdir()
        if error := _mount(folder, f"size={size},mode=700"):
            pytest.skip(f"mounting is not possible here: {os.strerror(error)}")
        mounted.append(folder)
        return folder

    yield partition
    for folder in mounted:
        _libc.umount2(os.fsencode(folder), MNT_DETACH)


@pytest.fixture
def begin(start, connect, backlight):
    """Starts a daemon on the backlight and a state directory; it and a client of it."""

    def begin(state, *options, **how):
        daemon = start(*backlight.options, "--state-directory", state, *options, expects="state file", **how)
        return daemon, connect(daemon)

    return begin


def journal(client):
    answer = client.get("/readyz").json()["journal"]
    return answer["state"], answer["detail"]


def holders(client):
    return [lease["holder"] for lease in client.get("/v1/displays/intel_backlight/boost").json()["leases"]]


@contextmanager
def full(folder):
    """Another program fills the rest of the disk, and frees it later."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 512, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                pass
    yield
    filler.unlink()


@contextmanager
def read_only(folder):
    assert _mount(folder, "", MS_REMOUNT | MS_RDONLY) == 0
    yield
    assert _mount(folder, "", MS_REMOUNT) == 0


@contextmanager
def being_read(folder):
    """A backup has a read transaction open."""
    reader = sqlite3.connect(folder / "journal.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM record").fetchall()
    yield
    reader.close()


def raised_and_killed(begin, state):
    daemon, client = begin(state)
    client.boost(holder="kiosk-3", ttl=600)
    daemon.kill()


def assert_goes_on(client, backlight):
    state = client.state
    assert (state["brightness"], state["baseline"]) == (1, pytest.approx(403 / 960))
    assert (holders(client), backlight.step) == (["kiosk-3"], 960)


@pytest.mark.parametrize("trouble", [full, read_only, being_read])
def test_a_boost_continues_and_is_written_later(begin, backlight, partition, trouble):
    state = partition("4m")
    raised_and_killed(begin, state)
    with trouble(state):
        daemon, client = begin(state)
        assert_goes_on(client, backlight)
        # On a full disk the log is written in its own place.
        assert journal(client)[0] == ("durable" if trouble is full else "failing")
        client.set(0.5)
        client.post("/v1/restore", json={"all": True})
        client.boost(holder="kiosk-4", ttl=600)
    until(lambda: journal(client) == ("durable", None), "what was missed is written")
    daemon.kill()
    # Neither the old lease nor the old baseline comes back.
    daemon, client = begin(state)
    assert (holders(client), client.state["baseline"], backlight.step) == (["kiosk-4"], 0.5, 960)
    daemon.terminate()
    daemon.ended()
    assert backlight.step == 480


def test_a_stop_on_a_read_only_file_system_restores_the_display(begin, backlight, partition):
    state = partition("4m")
    raised_and_killed(begin, state)
    with read_only(state):
        daemon, client = begin(state)
        assert journal(client) == ("failing", "the state directory is read-only")
        daemon.terminate()
        daemon.ended()
    assert backlight.step == 403


@pytest.mark.parametrize("size", ["512k", "1m"])
def test_the_log_does_not_fill_a_small_partition(begin, backlight, partition, size):
    state = partition(size)
    daemon, client = begin(state)
    for number in range(200):
        client.boost(holder=f"kiosk-{number}")
        client.post("/v1/restore", json={"all": True})
    client.boost(holder="last", ttl=600)
    assert journal(client) == ("durable", None)
    daemon.kill()
    daemon, client = begin(state)
    assert (holders(client), journal(client)) == (["last"], ("durable", None))


@native("the emulator itself does not start with this limit")
def test_a_journal_that_may_not_grow_is_read(begin, backlight, tmp_path):
    """The same without a mount: a limit on the size of files, which root heeds, too."""
    state = tmp_path / "state"
    raised_and_killed(begin, state)
    # Enough for a file of sysfs, and not for a page of the journal.
    daemon, client = begin(state, prefix=["prlimit", "--fsize=1024:"])
    assert_goes_on(client, backlight)
    assert journal(client)[0] == "failing"
    client.set(0.5)
    client.post("/v1/restore", json={"all": True})
    unlimited = (resource.RLIM_INFINITY, resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE)[1])
    resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, unlimited)
    until(lambda: journal(client) == ("durable", None), "what was missed is written")
    daemon.kill()
    daemon, client = begin(state)
    assert (holders(client), client.state["baseline"], backlight.step) == ([], 0.5, 480)


def test_a_deleted_state_directory_is_created_again(begin, backlight, tmp_path):
    state = tmp_path / "state"
    daemon, client = begin(state)
    client.boost(holder="kiosk-3", ttl=600)
    shutil.rmtree(state)
    told = ("durable", "recreated: the file was removed")
    until(lambda: journal(client) == told, "the file exists again, and the journal reports it")
    assert (state / "journal.db").exists()
    daemon.kill()
    daemon, client = begin(state)
    assert holders(client) == ["kiosk-3"]


def test_two_daemons_do_not_share_a_read_only_directory(begin, partition):
    state = partition("4m")
    daemon, client = begin(state)
    daemon.terminate()
    daemon.ended()
    with read_only(state):
        daemon, client = begin(state)
        done = run("serve", "--listen", "127.0.0.1:0", "--display", "simulated", "--state-directory", str(state))
        assert (done.returncode, "another brightnessd" in done.stderr) == (1, True)
        daemon.terminate()
        daemon.ended()
