# SPDX-License-Identifier: Apache-2.0
"""Every command of the client against a real daemon, for people and as JSON."""

import json
import re
import subprocess
import time
from datetime import datetime

import pytest

from support.brightness import CLIENT, brightness, environment
from support.daemon import BINARY, ROOT
from support.daemon import run as daemon_run
from support.until import TIMEOUT, until

LEASES = "/v1/displays/simulated/leases"


def test_the_state_is_readable(run, client):
    client.set(0.4, holder="kiosk-3", reason="closing time")
    status, text, complaints = run()
    at = datetime.fromisoformat(client.state["cause"]["at"]).astimezone().strftime("%H:%M:%S")
    assert (status, complaints) == (0, "")
    assert text == (
        "Simulated display (simulated)\n"
        "  brightness  40 %  (400 of 1000)\n"
        "  automatic   off\n"
        f"  last change {at} set by kiosk-3: closing time\n"
    )
    for words in (["state"], ["get"], ["g"], ["info"], ["i"], ["--display", "simulated"], ["-d", "all"]):
        assert run(*words) == (0, text, "")


def test_the_list_has_a_row_for_each_display(run):
    assert run("list") == (
        0, "ID         BRIGHTNESS  BASELINE  KIND       NAME\nsimulated  50 %        50 %      simulated  Simulated display\n", "",
    )  # fmt: skip
    assert run("list", "--ids") == (0, "simulated\n", "")
    assert run("list", "--ids", BRIGHTNESS_DISPLAY="none") == (0, "simulated\n", "")


def test_a_display_gets_a_name_and_its_own_again(run, client):
    own = "simulated  Simulated display\n"
    assert run("name") == (0, own, "")
    for words in (["name", "simulated", "Left"], ["name", "-d", "simulated", "Desk, left"], ["-d", "simulated", "name", "夜"]):
        assert run(*words) == (0, f"simulated  {words[-1]}\n", "")
        assert client.state["name"] == words[-1]
        assert run("name", "simulated") == (0, f"simulated  {words[-1]}\n", "")
    status, text, _ = run("name", "simulated", "--json")
    assert (status, json.loads(text)["name"]) == (0, "夜")
    assert "夜 (simulated)" in run()[1]
    assert run("name", "simulated", "--reset") == (0, own, "")
    assert json.loads(run("name", "simulated", "Left", "--json")[1])["name"] == "Left"
    assert run("name", "--reset") == (0, own, "")


def test_presets_are_set_saved_applied_and_removed(run, client):
    status, text, complaint = run("presets")
    assert (status, text) == (0, "")
    assert "There is no preset" in complaint
    assert run("presets", "set", "film", "simulated=30%", "tag:big=0.4,on", "all=off") == (
        0, "film  simulated=30%  tag:big=40%,on  all=off\n", "",
    )  # fmt: skip
    client.set(0.6)
    assert run("presets", "save", "now") == (0, "now  simulated=60%,on\n", "")
    assert run("preset", "list") == run("presets")
    assert run("presets")[1].splitlines() == ["film  simulated=30%  tag:big=40%,on  all=off", "now  simulated=60%,on"]
    assert [preset["name"] for preset in json.loads(run("presets", "--json")[1])["presets"]] == ["film", "now"]
    status, text, complaint = run("presets", "apply", "film", "--for", "10m", "--holder", "tester")
    assert (status, complaint, "30 %" in text) == (0, "", True)
    assert (client.state["brightness"], client.state["baseline"]) == (0.3, 0.6)
    assert run("restore", "--holder", "tester")[0] == 0
    assert run("presets", "apply", "film")[0] == 0
    assert client.state["baseline"] == 0.3
    for words, complaint in [
        (["set", "film"], "A preset has 1 to 64 displays"),
        (["set", "film", "left"], "is not a display with its value"),
        (["set", "film", "left="], "is not a brightness"),
        (["set", "film", "left=raw:3"], "is not a brightness for a preset"),
        (["set", "a/b", "left=on"], "is not a name"),
        (["set", "film", "left=on", "left=off"], "each once"),
        (["apply", "flim"], 'Did you mean "film"?'),
        (["apply", "film", "--for", "2h"], "A preset is held for at most 1 h: write --for 1h."),
    ]:
        status, text, error = run("presets", *words)
        assert (status in (1, 64), text, complaint in error) == (True, "", True), error
    for name in ("film", "now"):
        assert run("presets", "remove", name) == (0, f"{name}  removed\n", "")
    client.set(0.5)


def test_displays_get_an_order_and_their_own_again(start, connect):
    daemon = start("--display", "simulated:a", "--display", "simulated:b", "--display", "simulated:c")
    client = connect(daemon)

    def run(*words):
        done = brightness("order", *words, BRIGHTNESS_SERVER=daemon.url)
        return done.returncode, [line.split()[0] for line in done.stdout.splitlines()], done.stderr

    none = (0, [], "brightness: No display has a position: brightness help order shows how to give one.\n")
    assert run() == none
    assert run("c", "a") == run() == (0, ["c", "a"], "")
    assert run("b") == run() == (0, ["b"], "")
    before = client.get("/v1/displays").json()
    for words, complaint in [(["a", "d"], 'no display "d"'), (["a", "a"], "each display once"), (["a", "--reset"], "either")]:
        status, lines, error = run(*words)
        assert (status, lines, complaint in error) == (64, [], True), error
    assert client.get("/v1/displays").json() == before
    assert run("--reset") == run() == none


def test_the_order_as_json_is_the_daemons_answers(start, connect):
    daemon = start("--display", "simulated:a", "--display", "simulated:b")
    client = connect(daemon)

    def answers(*words):
        done = brightness("order", "--json", *words, BRIGHTNESS_SERVER=daemon.url)
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    assert [(answer["id"], answer["position"]) for answer in answers("b", "a")] == [("b", 1), ("a", 2)]
    assert answers() == [client.get("/v1/displays").json()]
    assert [(answer["id"], answer.get("position")) for answer in answers("--reset")] == [("b", None), ("a", None)]


def test_a_display_gets_a_curve_and_its_own_again(run, client):
    for text, step in [("perceptual", 184), ("0:3,50:30,100:80", 300), ("0:0.5,100:99.5", 500), ("linear", 500)]:
        assert run("curve", "simulated", text) == (0, f"simulated  {text}\n", "")
        assert client.state["raw"]["value"] == step
        assert run("curve", "-d", "simulated") == (0, f"simulated  {text}\n", "")
    assert run("curve", "--reset") == (0, "simulated  linear\n", "")
    assert json.loads(run("curve", "--json")[1])["curve"] is None
    status, text, complaints = run("curve", "simulated", "0:3,100:2")
    assert (status, text) == (64, "")
    assert "write linear, perceptual, or 2 to 32 points such as 0:3,50:30,100:80" in complaints


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["simulated", ""], "is not a name: it has 1 to 64 characters"),
        (["simulated", " Left"], "is not a name: it has 1 to 64 characters, and no space at an end."),
        (["all", "Left"], "A name is for one display"),
        (["simulatd", "Left"], "Did you mean simulated?"),
        (["simulated", "Left", "--reset"], "either a name or --reset"),
    ],
)
def test_a_name_that_is_refused_states_why(run, client, words, complaint):
    status, text, complaints = run("name", *words)
    assert (status != 0, text) == (True, "")
    assert complaint in complaints
    assert client.state["name"] == "Simulated display"


@pytest.mark.parametrize(
    ("level", "percent"),
    [
        ("40%", 40), ("0.4", 40), ("+5%", 55), ("5%+", 55), ("-5%", 45), ("5%-", 45), ("-0.05", 45), ("raw:480", 48), ("0%", 0),
    ],
)  # fmt: skip
def test_set_takes_every_form(run, client, level, percent):
    assert run("set", level) == (0, f"simulated  {percent} %\n", "")
    assert client.state["percent"] == percent


def test_brightnessctls_words_are_understood(run, client):
    assert run("-d", "simulated", "s", "10%-") == (0, "simulated  40 %\n", "")


def test_set_waits_for_a_slow_panel(run, client):
    assert client.patch("/v1/simulator", json={"delay": 1}).status_code == 200
    assert run("set", "40%") == (0, "simulated  40 %\n", "")
    # Longer than the client waits.
    assert client.patch("/v1/simulator", json={"delay": 6}).status_code == 200
    status, text, complaints = run("set", "60%")
    assert client.patch("/v1/simulator", json={"delay": 0}).status_code == 200
    assert (status, complaints) == (0, "brightness: simulated has not confirmed it yet.\n")
    assert text.startswith("simulated  40 %")
    assert client.set(0.6)["percent"] == 60


def test_a_change_of_no_display_is_reported(run, start):
    nothing = start("--display", "none").url
    assert run("-d", "all", "set", "40%", BRIGHTNESS_SERVER=nothing) == (0, "", "brightness: There is no display for it now.\n")


def test_set_during_a_boost_shows_what_follows(run, client):
    client.boost()
    assert run("set", "30%", "--reason", "night", "--transition", "0") == (0, "simulated  100 %  boosted, then 30 %\n", "")
    assert client.state["cause"]["reason"] == "night"


def test_a_boost_lasts_until_it_is_restored(run, client):
    status, text, _ = run("boost", "--ttl", "1m", "--reason", "qr", "--brightness", "80%", "--holder", "me")
    [lease] = client.get(LEASES).json()["leases"]
    assert (lease["brightness"], lease["reason"], lease["holder"], lease["lifespan"]) == (0.8, "qr", "me", "custom")
    end = datetime.fromisoformat(lease["until"])
    assert (end - datetime.fromisoformat(lease["grantedAt"])).total_seconds() == pytest.approx(60, abs=0.1)
    # On the next day if that has begun by then.
    assert status == 0 and re.fullmatch(rf"simulated  80 % until (?:[-0-9]{{10}} )?{end.astimezone():%H:%M:%S}\n", text), text
    # The boost of somebody else stays.
    status, text, advice = run("restore")
    assert (status, text) == (0, "simulated  80 %  boosted, then 50 %\n")
    assert advice.startswith("brightness: No boost of this holder was in force.") and "--all" in advice
    assert run("restore", "--holder", "me") == (0, "simulated  50 %\n", "")
    client.boost(holder="other")
    assert run("restore", "--all") == (0, "simulated  50 %\n", "")


def test_a_reason_and_a_holder_may_begin_with_a_minus(run, client):
    assert run("boost", "--reason", "-10% to save power", "--holder", "-1kiosk")[0] == 0
    [lease] = client.get(LEASES).json()["leases"]
    assert (lease["reason"], lease["holder"]) == ("-10% to save power", "-1kiosk")
    assert run("restore", "--holder", "-1kiosk") == (0, "simulated  50 %\n", "")
    assert run("set", "--reason", "-5 % for the film", "-5%") == (0, "simulated  45 %\n", "")
    assert client.state["cause"]["reason"] == "-5 % for the film"


def test_a_restore_names_the_kind_that_it_did_not_find(run, client):
    assert run("restore", "--all") == (0, "simulated  50 %\n", "brightness: No lease was in force.\n")
    client.boost(holder="other")
    assert run("restore", "dim") == (0, "simulated  100 %  boosted, then 50 %\n", "brightness: No dim was in force.\n")
    assert run("restore", "--holder", "me")[2].startswith("brightness: No lease of this holder was in force.")


def test_a_dimmed_display_says_what_follows(run, client):
    assert run("dim", "--ttl", "1m", "--holder", "cinema")[0] == 0
    assert run("set", "30%") == (0, "simulated  20 %  dimmed, then 30 %\n", "")
    assert run("restore", "--kind", "dim", "--holder", "cinema") == (0, "simulated  30 %\n", "")
    assert " dim by cinema" in run("history", "--since", "2m")[1]


def test_automatic_brightness_is_switched_and_resumed(run, client):
    client.await_light()
    assert run("auto", "resume")[::2] == (1, 'brightness: Automatic brightness is off: "brightness auto on" switches it on.\n')
    assert run("auto") == (0, "simulated  off\n", "")
    status, text, _ = run("auto", "on")
    assert (status, text.endswith(" %  automatic\n")) == (0, True)
    client.set(0.9)
    assert client.state["auto"]["heldUntil"]
    assert re.fullmatch(r"simulated  on, held until [-\d: ]+\n", run("auto")[1])
    assert json.loads(run("auto", "--json")[1]) == client.get("/v1/auto").json()
    assert run("-d", "all", "auto", "resume")[0] == 0
    assert client.state["auto"] == {"enabled": True, "heldUntil": None, "waiting": None}
    status, text, _ = run("auto", "off", "--display", "simulated")
    assert (status, "automatic" in text) == (0, False)
    assert client.state["auto"]["enabled"] is False


def test_the_history_is_a_line_of_blocks(run, client):
    client.boost(holder="me", reason="qr")
    # The history keeps the first and the last of the changes within a second.
    time.sleep(1.2)
    client.reset()
    until(lambda: run("history", "--since", "2m")[1].splitlines()[1].strip(), "a column is known")
    status, text, _ = run("history", "--since", "2m")
    head, blocks, limits, *boosts = text.splitlines()
    assert (status, head.split()[0], head.split(", ")[1]) == (0, "simulated", "a column for 2 s")
    assert set(blocks) <= set(" ▁▂▃▄▅▆▇█") and blocks.strip() and len(blocks) <= 80
    # Of every change, and not of the columns alone.
    assert re.match(r"lowest \d+ %, highest 100 %, 50 % at the end$", limits), limits
    assert any(re.search(r"^[\d:]+  100 %  boost by me: qr$", line) for line in boosts), boosts
    assert any(re.search(r"^[\d:]+  50 %  boost ended$", line) for line in boosts), boosts


def test_the_history_lists_who_set_what(run, client):
    client.set(0.3, holder="maria", reason="evening")
    client.put("/v1/power", json={"on": False, "holder": "otto"})
    client.put("/v1/power", json={"on": True, "holder": "otto"})
    status, text, _ = run("history", "--changes", "--since", "5m")
    lines = [line.split("  ", 1)[1] for line in text.splitlines()[-3:]]
    assert (status, lines) == (0, ["30 %  set by maria: evening", "off  set by otto", "on, 30 %  set by otto"])
    document = json.loads(run("history", "--changes", "--json")[1])
    assert document["changes"][0]["cause"]["by"] == "otto"


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ([], "/v1/brightness"),
        (["state", "-d", "simulated"], "/v1/displays/simulated"),
        (["-d", "all"], "/v1/displays"),
        (["list"], "/v1/displays"),
    ],
)
def test_json_is_the_daemons_answer(run, client, words, path):
    status, text, _ = run("--json", *words)
    assert (status, text) == (0, client.get(path).text.strip() + "\n")


def test_json_of_changes(run, client):
    assert json.loads(run("set", "40%", "--json")[1]) == client.state
    assert json.loads(run("boost", "--json")[1]) == client.get(LEASES).json()["leases"][0] | {"limitedBy": []}
    assert json.loads(run("restore", "--json")[1])["boost"] is None
    assert json.loads(run("auto", "off", "--json")[1])["auto"]["enabled"] is False
    assert json.loads(run("history", "--json")[1])["display"] == "simulated"
    [result] = json.loads(run("set", "60%", "--json", "-d", "all")[1])["results"]
    assert (result["display"], result["status"]) == ("simulated", 200)


@pytest.mark.parametrize("words", [["set", "40%"], [], ["history"], ["boost"]])
def test_a_refusal_is_one_sentence_and_1(run, words):
    status, text, complaints = run(*words, "-d", "simulatd")
    assert (status, text) == (1, "")
    assert complaints == 'brightness: There is no display "simulatd". Did you mean simulated?\n'
    assert run(*words, "-d", "hall")[2] == 'brightness: There is no display "hall". The only display is simulated.\n'
    status, text, _ = run(*words, "-d", "simulatd", "--json")
    assert (status, json.loads(text)["title"]) == (1, "Display not found")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["set", "40%", "-d", "group:nope"], 'Not found: No group has the name "nope".'),
        (["schedules", "remove", "nope"], 'Not found: No schedule has the name "nope".'),
        (["boost", "--holder", "x" * 200], "holder must be a string of 1 to 128 characters"),
    ],
)
def test_a_refusal_has_no_words_of_the_http_api(run, words, sentence):
    status, text, complaints = run(*words)
    assert (status, text, complaints.count("\n")) == (1, "", 1)
    assert complaints.startswith(f"brightness: {sentence}"), complaints
    assert not re.search("GET|POST|PUT|/v1|body|member", complaints), complaints


@pytest.mark.parametrize(
    ("words", "percent"),
    [
        ("60%", 60), ("+10%", 60), ("-10%", 40), ("up", 60), ("down 5%", 45), ("max", 100), ("min", 0), ("set 60 %", 60),
        ("set 60% all", 60), ("set simulated 60%", 60), ("60", 60), ("-10", 40), ("-- -10%", 40), ("60 simulated", 60), ("all 60", 60), ("--all set 60%", 60), ("set =60%", 60),
    ],
)  # fmt: skip
def test_a_level_needs_no_command(run, client, words, percent):
    assert run(*words.split(" ")) == (0, f"simulated  {percent} %\n", "")
    assert client.state["percent"] == percent


@pytest.mark.parametrize(
    ("words", "lease", "seconds"),
    [
        ("boost 10m", {"kind": "boost", "brightness": 1}, 600), ("boost 80% 10m", {"kind": "boost", "brightness": 0.8}, 600),
        ("boost --for 1h", {"kind": "boost", "brightness": 1}, 3_600), ("boost 80 10m simulated", {"kind": "boost", "brightness": 0.8}, 600), ("dim 20% for 2h", {"kind": "dim", "brightness": 0.2}, 7_200),
        ("sleep 10m", {"kind": "sleep"}, 600), ("wake 10min", {"kind": "wake"}, 600),
    ],
)  # fmt: skip
def test_a_lease_takes_a_level_and_a_time_in_plain_words(run, client, words, lease, seconds):
    assert run(*words.split(" "))[0] == 0
    [granted] = client.get(LEASES).json()["leases"]
    assert lease.items() <= granted.items()
    times = [datetime.fromisoformat(granted[name]) for name in ("grantedAt", "until")]
    assert (times[1] - times[0]).total_seconds() == pytest.approx(seconds, abs=0.1)


@pytest.mark.parametrize("words", ["dim 20% until 07:00", "dim --until 7am", "sleep until 7:00"])
def test_a_lease_ends_at_a_time_of_the_day(run, client, words):
    begun = time.monotonic()
    assert run(*words.split(" "))[0] == 0
    # It is granted for a duration, so it ends as much later as the request took.
    late = time.monotonic() - begun
    [granted] = client.get(LEASES).json()["leases"]
    end = datetime.fromisoformat(granted["until"])
    assert f"{end.astimezone():%H:%M}" == "07:00" and (end.timestamp() + 0.5) % 60 < 1 + late


def test_a_time_beyond_the_longest_is_answered_with_it(run, client):
    assert run("boost", "2h")[2] == (
        "brightness: A boost lasts at most 1 h: write --for 1h, or brightness boost -- COMMAND for as long as a command runs.\n"
    )
    assert run("dim", "25h")[0] == run("boost", "5m", "--until", "07:00")[0] == 64
    assert client.get(LEASES).json()["leases"] == []


def test_the_power_is_switched_toggled_and_shown(run, client):
    assert run("power") == (0, "simulated  on\n", "")
    assert run("off") == (0, "simulated  off, 50 % when on\n", "")
    assert run("power") == (0, "simulated  off\n", "")
    assert run("boost", "10m")[1].endswith("  off: the boost shows when it is on\n")
    assert "simulated  off         50 %" in run("list")[1]
    assert run("restore") == (0, "simulated  off, 50 % when on\n", "")
    assert run("toggle") == (0, "simulated  50 %\n", "")
    assert run("power", "toggle", "all") == (0, "simulated  off, 50 % when on\n", "")
    assert run("on") == (0, "simulated  50 %\n", "")
    assert json.loads(run("power", "--json")[1]) == client.get("/v1/power").json()


def test_the_light_is_shown(run, client):
    until(lambda: len(client.get("/v1/ambient").json().get("sensors", ())) == 3, "there is light")
    status, text, _ = run("light")
    head, *sensors = text.splitlines()
    assert status == 0 and re.fullmatch(r"\d+(\.\d)? lx, (day|night)", head)
    assert [line.split()[0] for line in sensors] == ["simulated:front", "simulated:back", "simulated:proximity"]
    assert json.loads(run("light", "--json")[1])["source"] == "sensor"


def test_an_option_is_suggested_only_where_it_is_near(run):
    assert run("list", "--foo")[2] == "brightness: Unknown option '--foo'. See brightness list --help.\n"
    assert run("list", "--jsom")[2].startswith("brightness: Unknown option '--jsom'. Did you mean '--json'? See ")
    assert run("boost", "--duration", "5m")[::2] == (64, "brightness: There is no option --duration. Did you mean --for 10m?\n")
    assert run("boost", "now", "then", "--", "true")[0] == 125


def test_the_root_of_the_api_is_a_server(run, daemon):
    assert run("list", "--ids", "--server", f"{daemon.url}/v1/") == (0, "simulated\n", "")


def test_a_display_called_dot_dot_is_not_the_default_one(run, client):
    for words in (["-d", "..", "off"], ["-d", "..", "boost", "10s"]):
        assert run(*words) == (1, "", 'brightness: There is no display "..". The only display is simulated.\n')
    assert run("-d", "group:..", "off")[0] == 1
    assert client.state["power"]["on"] is True and client.state["boost"] is None


def test_a_preset_has_displays_of_its_own(run):
    assert run("-d", "simulated", "presets", "apply", "film") == (
        64, "", "brightness: A preset has displays of its own: leave -d simulated out.\n",
    )  # fmt: skip


def test_one_of_all_displays_that_refuses_is_named(start):
    daemon = start("--display", "simulated:left", "--display", "simulated:right")
    subprocess.run(
        ["curl", "-sS", "--fail", "-X", "PATCH", "--json", '{"display":"right","refuses":true}', f"{daemon.url}/v1/simulator"],
        check=True, capture_output=True,
    )  # fmt: skip
    done = brightness("-d", "all", "set", "60%", BRIGHTNESS_SERVER=daemon.url)
    assert (done.returncode, done.stdout) == (1, "left  60 %\n")
    assert done.stderr.startswith("brightness: right: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["set"], ["set", "101"], ["set", "101%"], ["set", "-105"], ["boost", "80", "90"], ["sleep", "7:00"], ["wake", "80%"],
        ["schedules", "disable"], ["boost", "--brightness", "+5%"], ["boost", "--ttl", "0"],
        ["auto", "maybe"], ["history", "--since", "yesterday"], ["nonsense"], ["list", "--nope"], ["completions", "tcsh"],
        ["history", "--since", "5000w"], ["list", "--server", "ftp://kiosk"], ["list", "--server", "kiosk", "--unix", "/socket"], ["list", "--token-file", "/nowhere"],
    ],
)  # fmt: skip
def test_a_command_line_without_sense_is_64(run, client, words):
    status, text, complaints = run(*words)
    assert (status, text, complaints.count("\n")) == (64, "", 1)
    assert re.match(r"brightness: .*[.?]\n", complaints), complaints
    assert client.state["percent"] == 50


def test_the_dashboard_s_address_is_printed(run, daemon):
    assert run("dashboard") == (0, f"{daemon.url}/\n", "")
    assert run("dashboard", "--server", "kiosk:8787") == (0, "http://kiosk:8787/\n", "")
    assert run("dashboard", "--unix", "/run/socket")[0] == 64


def test_examples_of_the_help_are_not_wrapped():
    """At 80 columns, the parser's width without a terminal."""
    commands = [json.loads(daemon_run("--experimental-dump-help").stdout)["command"]]
    commands.append(json.loads(brightness("--experimental-dump-help").stdout)["command"])
    while commands:
        command = commands.pop()
        commands += command.get("subcommands", [])
        examples = [line for line in command.get("discussion", "").splitlines() if line.startswith("  ")]
        assert [line for line in examples if len(line) > 78] == []


def test_an_unknown_command_is_named_with_the_nearest_one(run):
    assert run("wach") == (64, "", 'brightness: There is no command "wach". Did you mean watch?\n')
    assert run("bost", "--", "true")[0] == 125


@pytest.mark.parametrize("word", ["set", "info", "power", "schedules", "completions"])
def test_the_daemon_names_the_client_for_a_command_of_the_client(word):
    done = daemon_run(word)
    assert done.returncode == 64
    assert done.stderr.startswith(f'brightnessd: "{word}" is a command of the client: brightness {word}. ')


def test_help_and_version_are_no_errors(run):
    for words in (["--help"], ["set", "--help"], ["help", "boost"], ["--version"]):
        status, text, complaints = run(*words)
        assert (status, bool(text), complaints) == (0, True, "")


def test_the_client_has_the_daemons_version_and_none_of_its_libraries(run):
    assert run("--version")[1] == daemon_run("--version").stdout
    loaded = subprocess.run(["ldd", CLIENT], capture_output=True, text=True, check=True).stdout
    assert "libjansson" in loaded
    # libcurl is loaded when it is needed: not for --help.
    assert not re.search("libcurl|libmicrohttpd|libsqlite3|libmosquitto|libudev", loaded)


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["list"], ["set", "40%"], ["set"], ["boost", "--", "false"]])
def test_the_daemons_program_under_the_clients_name_is_the_client(daemon, tmp_path, words):
    """The packages have one program with two names."""
    link = tmp_path / "brightness"
    link.symlink_to(BINARY)
    ended = [
        subprocess.run([program, *words], capture_output=True, env=environment(BRIGHTNESS_SERVER=daemon.url), timeout=TIMEOUT)
        for program in (CLIENT, link)
    ]
    assert ended[0].returncode == ended[1].returncode
    assert ended[0].stdout == ended[1].stdout
    assert ended[0].stderr == ended[1].stderr


def test_bash_completes_commands_and_displays(daemon):
    """As a shell does it: its completion function, with the words so far."""
    script = f"""
        set -euo pipefail; shopt -s extglob
        source '{ROOT}/packaging/completions/brightness.bash'
    """
    script += """
        compopt() { :; }
        COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        _brightness brightness "${!#}" "${*: -2:1}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    variables = {"PATH": f"{CLIENT.parent}:/usr/bin:/bin", "BRIGHTNESS_SERVER": daemon.url}

    def completed(*words):
        done = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True, env=variables, timeout=TIMEOUT)
        return [line.strip() for line in done.stdout.splitlines()], done.stderr

    assert completed("brightness", "re") == (["restore"], "")
    for words in (["list", "-d"], ["-d"], ["off", "-d"], ["off"], ["50%"], ["boost", "10m"]):
        assert completed("brightness", *words, "sim") == (["simulated"], ""), words
    daemon_client = brightness("presets", "set", "film:1", "all=40%", BRIGHTNESS_SERVER=daemon.url)
    assert daemon_client.returncode == 0
    assert completed("brightness", "presets", "apply", "fi") == (["film:1"], "")
    # A shell's words end at a colon.
    assert completed("brightness", "presets", "apply", "film:") == (["1"], "")
    assert completed("brightness", "--unix", "/us") == (["/usr"], "")
    assert brightness("presets", "remove", "film:1", BRIGHTNESS_SERVER=daemon.url).returncode == 0
    # The shell reads a completed name as one word, and runs nothing in it.
    assert brightness("presets", "set", "film 1;$(x)", "all=40%", BRIGHTNESS_SERVER=daemon.url).returncode == 0
    for typed in ("fi", r"film\ ", r"film\ 1"):
        assert completed("brightness", "presets", "apply", typed) == ([r"film\ 1\;\$\(x\)"], ""), typed
    assert brightness("presets", "remove", "film 1;$(x)", BRIGHTNESS_SERVER=daemon.url).returncode == 0
