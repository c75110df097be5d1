# SPDX-License-Identifier: Apache-2.0
"""The client in the language of the terminal."""

import json
import re

import pytest

from support.brightness import brightness

GERMAN = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "de_DE.UTF-8"}
COMMANDS = [
    "", "state", "list", "set", "boost", "dim", "wake", "sleep", "power", "restore", "auto", "name", "curve", "order", "light", "schedules",
    "schedules set", "presets", "presets apply", "watch", "history", "provide", "key-window", "completions",
]  # fmt: skip


@pytest.fixture
def german(run):
    return lambda *words, **variables: run(*words, **GERMAN | variables)


def test_results_are_german(german, client):
    client.set(0.4)
    assert german("list")[1].splitlines()[0].split() == ["ID", "HELLIGKEIT", "GRUNDWERT", "ART", "NAME"]
    assert german("boost", "10m")[1].startswith("simulated  100 % bis ")
    assert "  Boost       100 %, bis " in german("state")[1]
    assert german("restore") == (0, "simulated  40 %\n", "")


def test_messages_are_german(german):
    assert german("set", "50") == (
        64, "", "brightness: „50“ hat keine Einheit: Schreibe 50%, oder raw:50 für eine Stufe des Displays.\n",
    )  # fmt: skip
    assert german("-d", "simulatde", "set", "50%")[2] == "brightness: Es gibt kein Display „simulatde“. Meintest du simulated?\n"
    status, _, complaints = german("bost", "1m")
    assert status == 64
    assert complaints.startswith("Fehler: Unbekannter Befehl „bost“. Meintest du boost? Die Befehle sind state, ")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_german(command):
    done = brightness("help", *command.split(), **GERMAN)
    assert (done.returncode, done.stderr) == (0, "")
    assert "AUFRUF: brightness" in done.stdout and "Zeige diese Hilfe." in done.stdout
    assert not re.search(r"\b(the|with|every|default|Show|USAGE|OPTIONS|ARGUMENTS)\b", done.stdout)


def test_json_and_the_daemon_s_sentences_are_the_same_everywhere(german, run):
    assert json.loads(german("--json")[1]) == json.loads(run("--json")[1])
    for words in (["key-window"], ["schedules", "remove", "nothing"]):
        assert german(*words) == run(*words)


@pytest.mark.parametrize(
    ("variables", "is_german"),
    [
        ({"LC_ALL": "de_AT"}, True),
        ({"LC_ALL": "C.UTF-8"}, False),
        ({"LC_MESSAGES": "en_GB.UTF-8"}, False),
        ({"LANG": "fr_FR.UTF-8"}, False),
    ],
)
def test_the_usual_variables_choose_it(german, variables, is_german):
    assert ("ART" in german("list", **variables)[1]) is is_german
