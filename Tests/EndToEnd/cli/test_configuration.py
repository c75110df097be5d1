# SPDX-License-Identifier: Apache-2.0
"""Copies of what people have set: the client's export and import."""

import json

from support.brightness import start_brightness

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
    assert run("import", str(copy), "--server", other.url) == (0, "", "")
    assert configuration(connect(other)) == FULL
    process = start_brightness("configuration", "import", "-", BRIGHTNESS_SERVER=other.url)
    assert process.communicate(json.dumps(EMPTY), timeout=60) == ("", "")
    assert configuration(connect(other)) == EMPTY
    client.put("/v1/configuration", json=EMPTY).raise_for_status()
    assert configuration(client) == EMPTY


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
