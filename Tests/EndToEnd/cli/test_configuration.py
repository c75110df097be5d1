# SPDX-License-Identifier: Apache-2.0
"""Copies of what people have set: the client's export and import, and the daemon's --configuration."""

import json
import os
import signal
import sqlite3

import pytest

from support.brightness import start_brightness
from support.daemon import run as daemon_run
from support.until import until

EMPTY = {"version": 1, "presets": [], "schedules": [], "displays": [], "location": None}
FULL = {
    "version": 1,
    "presets": [{"name": "day", "displays": {"all": {"brightness": 0.8}}}],
    "schedules": [
        {
            "name": "night", "displays": ["all"], "days": ["mon", "sun"], "from": "sunset", "to": "06:00", "dim": 0.2,
            "transition": None, "paused": True,
        }
    ],
    "displays": [{"display": "later", "name": "Hall", "curve": "perceptual", "position": 2}],
    "location": {"latitude": 52.52, "longitude": 13.4},
}  # fmt: skip


def configuration(client):
    return client.get("/v1/configuration").json()


def test_an_export_is_imported_elsewhere(run, client, start, connect, tmp_path):
    client.put("/v1/configuration", json=FULL).raise_for_status()
    copy = tmp_path / "copy.json"
    assert run("configuration", "export", str(copy)) == (0, "", "")
    assert json.loads(copy.read_text()) == FULL
    assert '\n    {"name":"day",' in copy.read_text()
    assert json.loads(run("config", "export")[1]) == FULL

    other = start("--display", "simulated")
    assert run("import", str(copy), "--server", other.url) == (0, "presets: 1, schedules: 1, displays: 1\n", "")
    assert configuration(connect(other)) == FULL
    process = start_brightness("configuration", "import", "-", BRIGHTNESS_SERVER=other.url)
    assert process.communicate(json.dumps(EMPTY), timeout=60) == ("presets: 0, schedules: 0, displays: 0\n", "")
    assert configuration(connect(other)) == EMPTY
    client.put("/v1/configuration", json=EMPTY).raise_for_status()
    assert configuration(client) == EMPTY


def test_an_export_keeps_a_link_the_rights_of_a_file_and_a_pipe(run, tmp_path):
    copy, link, pipe = tmp_path / "private.json", tmp_path / "link.json", tmp_path / "pipe"
    copy.touch(mode=0o600)
    link.symlink_to(copy)
    assert run("configuration", "export", str(link)) == (0, "", "")
    assert (link.is_symlink(), copy.stat().st_mode & 0o777) == (True, 0o600)
    assert json.loads(copy.read_text())["version"] == 1
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert run("configuration", "export", str(pipe)) == (0, "", "")
    assert pipe.is_fifo() and json.loads(os.read(reader, 65_536))["version"] == 1
    os.close(reader)
    assert run("configuration", "export", str(tmp_path))[0] == 1
    assert sorted(tmp_path.iterdir()) == [link, pipe, copy]


def test_a_file_with_faults_changes_nothing(run, client, tmp_path):
    before = configuration(client)
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(FULL | {"presets": [{"name": "day", "displays": {"all": {"brightness": 80}}}], "versoin": 1}))
    status, text, complaint = run("configuration", "import", str(file))
    assert (status, text) == (1, "")
    assert "/presets/0/displays/all/brightness: brightness must be a number from 0 to 1, not 80." in complaint
    assert "/versoin: Unknown member" in complaint
    assert configuration(client) == before
    assert run("configuration", "import", str(tmp_path / "missing"))[0] == 64
    status, _, complaint = run("configuration", "export", str(tmp_path / "missing" / "file"))
    assert (status, "No such file" in complaint) == (1, True)


def test_a_file_is_applied_at_the_start_and_at_sighup(start, connect, tmp_path):
    file = tmp_path / "configuration.json"
    options = ("--display", "simulated:later", "--state-directory", tmp_path / "state", "--configuration", file)
    file.write_text(json.dumps(FULL))
    daemon = start(*options)
    daemon.line("configuration: applied")
    client = connect(daemon)
    assert configuration(client) == FULL
    assert client.state["name"] == "Hall"
    client.delete("/v1/presets/day").raise_for_status()
    daemon.stop()

    daemon = start(*options, expects="configuration")
    client = connect(daemon)
    assert configuration(client) == FULL | {"presets": []}
    file.write_text('{"version":1,"schedules":[{"name":"night"}]}')
    daemon.terminate(signal.SIGHUP)
    line = daemon.line("configuration: .*Keeping.*").group(0)
    assert f"{file}: /schedules/0/from: from is required" in line
    until(lambda: "\nbrightnessd_last_reload_successful 0\n" in client.get("/metrics").text, "the fault is in the metrics")
    file.write_text(json.dumps(FULL | {"location": None, "schedules": []}))
    daemon.terminate(signal.SIGHUP)
    until(lambda: configuration(client) == FULL | {"location": None, "schedules": []}, "the new content is applied")


@pytest.mark.parametrize("check", [(), ("--check",)])
def test_a_file_with_a_fault_ends_the_start(tmp_path, check):
    file = tmp_path / "configuration.json"
    file.write_text('{"version":1,"displays":[{"display":"a","position":0}]}')
    done = daemon_run("serve", *check, "--listen", "127.0.0.1:0", "--display", "simulated", "--configuration", file)
    assert done.returncode == 1
    assert f"{file}: /displays/0/position: position must be" in done.stderr


def test_the_state_file_is_locked_while_the_daemon_runs(start, tmp_path):
    daemon = start("--display", "simulated", "--state-directory", tmp_path)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        sqlite3.connect(tmp_path / "journal.db", timeout=0).execute("SELECT count(*) FROM record")
    daemon.stop()
    assert sqlite3.connect(tmp_path / "journal.db").execute("SELECT count(*) FROM record").fetchone()
