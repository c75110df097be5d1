# SPDX-License-Identifier: Apache-2.0
"""--unix: a socket in the file system, whose clients the kernel names; by curl, as several users."""

import json
import os
import shutil
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest

from support.daemon import run
from support.until import TIMEOUT

NOBODY = 65_534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
OWNER = {}
OTHER = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
GROUP = {"user": NOBODY, "group": 0, "extra_groups": []}
ALSO_GROUP = {"user": NOBODY, "group": NOBODY, "extra_groups": [1, 0]}
PUT = ("-X", "PUT", "--json", '{"percent":60}', "-H", "Prefer: wait=20")
ALL = ("-X", "POST", "--json", '{"all":true}')


@pytest.fixture
def path():
    """A folder that every user may read, unlike pytest's folders."""
    folder = Path(tempfile.mkdtemp(prefix="brightnessd-"))
    folder.chmod(0o755)
    yield folder / "socket"
    shutil.rmtree(folder)


def curl(path, target, *options, user=OWNER):
    """Status and body."""
    url = target if "://" in target else f"http://localhost{target}"
    command = ["curl", "--silent", "--max-time", "30", "--unix-socket", str(path), "-w", "\n%{http_code}", *options, url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, cwd="/", **user)
    body, _, status = done.stdout.rpartition("\n")
    return int(status), body


def test_the_socket_serves_what_the_address_serves(start, connect, path):
    daemon = start("--unix", str(path))
    client = connect(daemon)
    status, body = curl(path, "/v1/brightness")
    assert (status, json.loads(body)) == (200, client.state)
    status, body = curl(path, "/v1/brightness", *PUT)
    assert (status, json.loads(body)) == (200, client.state)
    assert client.state["percent"] == 60
    assert stat.S_IMODE(path.stat().st_mode) == 0o666


def test_the_socket_serves_streams(start, path):
    start("--unix", str(path))
    command = ["curl", "--silent", "--no-buffer", "--unix-socket", str(path), "http://localhost/v1/events"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stream:
        assert stream.stdout.readline().startswith("retry: ")
        assert any(line == "event: state\n" for line in stream.stdout)
        stream.kill()


@as_root
@pytest.mark.parametrize(
    ("user", "sets", "ends_all"), [(OWNER, 200, 200), (GROUP, 200, 403), (ALSO_GROUP, 200, 403), (OTHER, 403, 403)]
)
def test_owner_group_and_others_have_different_scopes(start, path, user, sets, ends_all):
    start("--unix", str(path))
    assert curl(path, "/v1/brightness", user=user)[0] == 200
    for options, target, expected in [(PUT, "/v1/brightness", sets), (ALL, "/v1/restore", ends_all)]:
        status, body = curl(path, target, *options, user=user)
        assert status == expected
        if status == 403:
            assert json.loads(body)["type"] == "/problems/forbidden"


@as_root
def test_the_files_owner_and_group_decide(start, path):
    start("--unix", str(path))
    assert curl(path, "/v1/brightness", *PUT, user=OTHER)[0] == 403
    os.chown(path, 0, NOBODY)
    assert curl(path, "/v1/brightness", *PUT, user=OTHER)[0] == 200
    assert curl(path, "/v1/restore", *ALL, user=OTHER)[0] == 403
    os.chown(path, NOBODY, 0)
    assert curl(path, "/v1/restore", *ALL, user=OTHER)[0] == 200
    path.chmod(0o600)
    os.chown(path, 0, 0)
    assert curl(path, "/v1/brightness", user=OTHER)[0] == 0, "the file's mode says who may connect"


@as_root
def test_a_token_adds_its_scope(start, path, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text(f"one:write:{'1' * 16}\n")
    tokens.chmod(0o600)
    start("--unix", str(path), "--token-file", str(tokens))
    assert curl(path, "/v1/brightness", user=OTHER)[0] == 200
    assert curl(path, "/v1/brightness", *PUT, user=OTHER)[0] == 401
    bearer = ("-H", f"Authorization: Bearer {'1' * 16}")
    assert curl(path, "/v1/brightness", *PUT, *bearer, user=OTHER)[0] == 200
    assert curl(path, "/v1/brightness", *PUT, user=GROUP)[0] == 200


@as_root
def test_each_user_is_a_client(start, path):
    start("--unix", str(path), "--limit", "writes=1")
    statuses = {curl(path, "/v1/brightness", *PUT, user=GROUP)[0] for _ in range(2)}
    command = ["--next", "-X", "PUT", "--json", '{"percent":60}', "--silent", "--unix-socket", str(path), "-w", "%{http_code}\n"]
    many = sum(([*command, "http://localhost/v1/brightness"] for _ in range(100)), [])
    done = subprocess.run(["curl", *many[1:]], capture_output=True, text=True, timeout=TIMEOUT, cwd="/", **GROUP)
    assert 429 in statuses or "429" in done.stdout
    assert curl(path, "/v1/brightness", *PUT)[0] == 200


def test_host_and_origin_are_checked(start, path):
    start("--unix", str(path))
    assert curl(path, "http://evil.example/v1/brightness")[0] == 421
    assert curl(path, "/v1/brightness", *PUT, "-H", "Origin: https://evil.example")[0] == 403


def test_the_file_is_removed_at_the_end(start, path):
    daemon = start("--unix", str(path))
    assert path.is_socket()
    daemon.terminate()
    daemon.ended()
    assert not path.exists()


def test_a_file_that_was_replaced_stays(start, path):
    daemon = start("--unix", str(path))
    path.unlink()
    path.write_text("mine")
    daemon.terminate()
    daemon.ended()
    assert path.read_text() == "mine"


def test_the_socket_of_a_crashed_daemon_is_replaced(start, path):
    start("--unix", str(path)).kill()
    assert path.is_socket()
    start("--unix", str(path))
    assert curl(path, "/livez")[0] == 200


def test_a_path_that_cannot_be_used_is_reported(start, path):
    path.write_text("precious")
    done = run("--listen", "127.0.0.1:0", "--display", "simulated", "--unix", str(path))
    assert done.returncode == 1 and "not a socket" in done.stderr
    assert path.read_text() == "precious"

    live = path.with_name("live")
    daemon = start("--unix", str(live))
    done = run("--listen", "127.0.0.1:0", "--display", "simulated", "--unix", str(live))
    assert done.returncode == 1 and "in use" in done.stderr
    assert curl(live, "/livez")[0] == 200
    # An address that is taken leaves no file behind.
    done = run("--listen", f"127.0.0.1:{daemon.port}", "--display", "simulated", "--unix", str(path.with_name("new")))
    assert done.returncode == 1 and "in use" in done.stderr
    assert not path.with_name("new").exists()

    for nonsense in ("/nowhere/socket", str(path.with_name("x" * 120))):
        done = run("--listen", "127.0.0.1:0", "--display", "simulated", "--unix", nonsense)
        assert done.returncode == 1 and nonsense in done.stderr


def test_a_socket_with_a_full_queue_is_not_replaced(path):
    """A listener that accepts no connection."""
    with socket.socket(socket.AF_UNIX) as busy:
        busy.bind(str(path))
        busy.listen(0)
        with socket.socket(socket.AF_UNIX) as first:
            first.connect(str(path))
            done = run("--listen", "127.0.0.1:0", "--display", "simulated", "--unix", str(path))
            assert done.returncode == 1 and "in use" in done.stderr
