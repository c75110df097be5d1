# SPDX-License-Identifier: Apache-2.0
"""The command line: every option, its environment variable, and the messages about invalid ones."""

import json
import re
import socket

import pytest

from support import contract
from support.daemon import run
from support.until import until

FLAGS = [
    "--listen", "--shards", "--display", "--default-display", "--sysfs-root", "--min-brightness", "--boost-cap",
    "--allow-host", "--allow-origin", "--anonymous", "--on-exit", "--on-boot", "--log-level",
    "--unix", "--limit", "--auto", "--auto-hold", "--auto-curve", "--log-format",
    "--idle-dim", "--idle-sleep", "--presence-wake", "--curve", "--follow",
]  # fmt: skip


def variable(flag):
    return "BRIGHTNESSD_" + flag.removeprefix("--").replace("-", "_").upper()


def test_version_is_one_line():
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    # The version of a package may go on with its commit.
    assert contract.DOCUMENT["info"]["version"] in re.split(r"[~\s]", done.stdout)


def test_help_lists_every_option_and_its_variable():
    done = run("serve", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for flag in FLAGS:
        assert re.search(rf"^\s+{flag} <", done.stdout, re.MULTILINE), flag
        assert f"[env: {variable(flag)}" in " ".join(done.stdout.split()), flag


def test_help_has_examples():
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("serve", "healthcheck", "link", "--version", "--help", "curl localhost:8787/v1/brightness"):
        assert word in done.stdout


def test_serve_is_the_default_command(start):
    done = run("--display", "nonsense")
    assert done.returncode > 0 and "nonsense" in done.stderr


@pytest.mark.parametrize("name", ["writes", "connects"])
@pytest.mark.parametrize("value", ["1000001", "4000000000000000000", "5000000000000000000"])
def test_a_rate_that_is_too_large_is_rejected(name, value):
    done = run("--listen", "127.0.0.1:0", "--limit", f"{name}={value}")
    assert (done.returncode, value in done.stderr) == (64, True), done.stderr


def wakes(client):
    """Whether somebody in the simulated room keeps the display on."""
    assert client.patch("/v1/simulator", json={"near": True}).status_code == 200
    return until(lambda: client.state["wake"], "it is kept on")


@pytest.mark.parametrize(
    ("flag", "value", "check"),
    [
        ("--min-brightness", "0.5", lambda client: client.set(0)["raw"]["value"] > 1),
        ("--boost-cap", "0.75", lambda client: client.boost() and client.state["percent"] == 75),
        ("--allow-host", "kiosk.example", lambda client: allows(client, {"Host": "kiosk.example"})),
        ("--allow-origin", "https://kiosk.example", lambda client: allows(client, {"Origin": "https://kiosk.example"})),
        ("--anonymous", "read", lambda client: client.post("/v1/boost").status_code == 403),
        ("--display", "simulated:left", lambda client: client.state["id"] == "left"),
        ("--auto", "on", lambda client: client.state["auto"]["enabled"]),
        ("--idle-dim", "1:0.1", lambda client: until(lambda: client.state["dim"], "it is dimmed")),
        ("--idle-sleep", "1", lambda client: until(lambda: client.state["power"]["on"] is False, "it is off")),
        ("--presence-wake", "60", wakes),
        ("--shards", "3", lambda client: client.get("/livez").status_code == 200),
        ("--listen", "127.0.0.1:0", lambda client: client.get("/livez").status_code == 200),
    ],
)
def test_a_variable_has_the_effect_of_its_option(start, connect, flag, value, check):
    assert check(connect(start(flag, value)))
    assert check(connect(start(env={variable(flag): value})))


def allows(client, headers):
    return client.post("/v1/boost", headers=headers).status_code == 201


def test_an_option_overrides_its_variable(start, connect):
    daemon = start("--display", "simulated:flag", env={variable("--display"): "simulated:variable"})
    assert connect(daemon).state["id"] == "flag"


def test_a_variable_may_list_several_displays(start, connect):
    client = connect(start(env={variable("--display"): "simulated:left,simulated:right"}))
    assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == ["left", "right"]


MISTAKES = [
    ("--listen", "nonsense"), ("--listen", "127.0.0.1:65536"), ("--listen", "127.0.0.1:-1"),
    ("--listen", "127.0.0.1:x"), ("--shards", "0"), ("--shards", "-1"), ("--shards", "x"),
    ("--shards", "100000"), ("--display", "nonsense"), ("--display", "simulated:a/b"), ("--display", "backlight:"),
    ("--display", "simulated:all"), ("--default-display", "all"), ("--min-brightness", "2"), ("--min-brightness", "x"),
    ("--min-brightness", "nan"), ("--boost-cap", "-0.1"), ("--boost-cap", "1.1"), ("--anonymous", "admin"),
    ("--on-exit", "explode"), ("--on-boot", "explode"), ("--log-level", "loud"), ("--allow-origin", "kiosk.example"),
    ("--auto", "yes"), ("--auto-hold", "-1"), ("--auto-hold", "1e9"), ("--auto-hold", "nan"), ("--auto-curve", "0.5"),
    ("--auto-curve", "10:0.5,1:0.6"), ("--auto-curve", "1:0.5,10:0.4"),
    ("--idle-dim", "300"), ("--idle-dim", "0:0.2"), ("--idle-dim", "300:2"), ("--idle-dim", "300:0.2:1"),
    ("--idle-sleep", "0"), ("--idle-sleep", "nan"), ("--idle-sleep", "86401"), ("--presence-wake", "3601"),
    ("--follow", "x"), ("--follow", "simulated=simulated"),
]  # fmt: skip


@pytest.mark.parametrize(("flag", "value"), MISTAKES)
def test_an_invalid_value_is_named_with_its_option(flag, value):
    others = [] if flag == "--display" else ["--display", "simulated"]
    others += [] if flag == "--listen" else ["--listen", "127.0.0.1:0"]
    done = run("serve", f"{flag}={value}", *others)
    assert 0 < done.returncode < 126
    assert flag in done.stderr and value in done.stderr
    assert not re.search(r"\.swift|Fatal|Error Domain", done.stderr)


@pytest.mark.parametrize(("flag", "value"), [("--shards", "x"), ("--min-brightness", "2"), ("--on-exit", "explode")])
def test_an_invalid_value_is_named_with_its_variable(flag, value):
    done = run("serve", "--display", "simulated", "--listen", "127.0.0.1:0", env={variable(flag): value})
    assert 0 < done.returncode < 126
    assert variable(flag) in done.stderr and f'"{value}"' not in done.stderr


@pytest.mark.parametrize(
    ("flag", "value", "valid"),
    [
        ("--min-brightness", "70", "a number from 0 to 1"), ("--shards", "x", "from 1 to 256"),
        ("--anonymous", "admin", "read|write"), ("--allow-origin", "null", "https://kiosk.example"),
        ("--allow-origin", "*", "https://kiosk.example"), ("--allow-origin", "https://a.example/path", "without a path"),
        ("--log-format", "xml", "text|json|journal"), ("--log-level", "loud", "trace, debug, info"),
    ],
)  # fmt: skip
def test_the_message_about_an_invalid_value_has_the_valid_ones(flag, value, valid):
    done = run("serve", flag, value)
    assert (done.returncode, done.stdout) == (64, "")
    assert valid in done.stderr and "Usage" not in done.stderr
    [line] = done.stderr.splitlines()
    assert line.startswith("brightnessd: invalid value")


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["--port", "80"], "--listen 127.0.0.1:PORT"), (["serve", "--port=80"], "--listen 127.0.0.1:PORT"),
        (["serv"], "Did you mean serve?"), (["boost", "--ttl", "60"], "brightness boost"),
        (["set", "40%"], "brightness set"), (["--verbose"], "--log-level debug"), (["nonsense"], "avahi, healthcheck, link, probe and serve"),
    ],
)  # fmt: skip
def test_mistyped_arguments_are_answered_with_the_meant_ones(arguments, advice):
    done = run(*arguments)
    assert done.returncode == 64
    assert advice in done.stderr


def test_an_unknown_variable_is_named_without_its_value(start):
    daemon = start(env={"BRIGHTNESSD_LISTN": "hunter2", "BRIGHTNESSD_NONSENSE": "hunter2"})
    assert daemon.line(r"unknown variable BRIGHTNESSD_LISTN\. Did you mean (\w+)\?").group(1) == "BRIGHTNESSD_LISTEN"
    assert daemon.line(r"warning: unknown variable BRIGHTNESSD_NONSENSE$")
    assert not [line for line in daemon.lines if line and "hunter2" in line]


def test_an_origin_may_end_with_a_slash(start, connect):
    client = connect(start("--allow-origin", "https://slash.example/"))
    assert allows(client, {"Origin": "https://slash.example"})


def test_a_check_accepts_what_a_start_does_and_opens_nothing(start, tmp_path):
    state, tokens = tmp_path / "state", tmp_path / "tokens"
    tokens.write_text("wall:write:0123456789abcdef\n")
    place = ["--listen", f"127.0.0.1:{start().port}", "--state-directory", str(state)]
    assert run("serve", "--check", *place, "--token-file", str(tokens)).returncode == 0
    tokens.write_text("wall\n")
    done = run("serve", "--check", *place, "--token-file", str(tokens))
    assert done.returncode == 1 and "line 1: invalid form" in done.stderr
    done = run("serve", "--check", *place, "--listen", "0.0.0.0:1")
    assert done.returncode == 64 and "can be reached from other machines" in done.stderr
    assert not state.exists()


def test_a_missing_token_file_creates_no_state_directory(tmp_path):
    state = tmp_path / "state"
    done = run("serve", "--display", "simulated", "--listen", "127.0.0.1:0", "--token-file", str(tmp_path / "missing"),
               "--state-directory", str(state))  # fmt: skip
    assert 0 < done.returncode < 126
    assert not state.exists()


def test_healthcheck_names_the_displays_that_are_not_ready(start, connect, tmp_path):
    socket_path = tmp_path / "socket"
    daemon = start("--unix", str(socket_path))
    address = f"127.0.0.1:{daemon.port}"
    places = ["--listen", address], ["--unix", str(socket_path)]

    def check(*words):
        """A check that got an answer: it gives a busy machine three seconds."""
        return until(lambda: "no answer" not in (done := run("healthcheck", *words)).stdout and done, "it answers")

    for place in places:
        assert check("--ready", *place).returncode == 0
    assert json.loads(check("--json", *places[0]).stdout)["ready"] is True
    connect(daemon).patch("/v1/simulator", json={"unplugged": True})
    until(lambda: check("--ready", *places[0]).returncode == 1, "it is not ready")
    said = check("--ready", *places[1]).stdout
    assert "/readyz answered 503" in said and '"unavailable":["simulated"]' in said
    assert run("healthcheck", "--unix", str(tmp_path / "nowhere")).returncode == 1


SECRET = "hunter2-0123456789"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("TOKEN_FILE", SECRET), ("TOKEN_FILE", f"kiosk:write:{SECRET}"), ("ANONYMOUS", SECRET),
        ("MQTT", f"mqtt://lobby:{SECRET}@broker.example"), ("MQTT", f"lobby:{SECRET}"),
        ("MQTT_PASSWORD", SECRET), ("MQTT_PASSWORD_FILE", SECRET), ("MQTT_PASSWORD_FILE", f"/{SECRET}/password"),
        ("MQTT_DISCOVERY", f"mqtt://lobby:{SECRET}@broker.example/#"), ("MIRROR", f"mqtt://lobby:{SECRET}@broker.example"),
        ("LISTEN", f"http://lobby:{SECRET}@kiosk.example"), ("ALLOW_ORIGIN", f"lobby:{SECRET}@kiosk.example"),
        ("LIMIT", SECRET), ("LOG_LEVEL", SECRET), ("DISPLAY", f"ddc:{SECRET}/x"),
    ],
)  # fmt: skip
def test_a_secret_in_the_wrong_variable_is_not_printed(name, text):
    others = {"BRIGHTNESSD_LISTEN": "127.0.0.1:0", "BRIGHTNESSD_DISPLAY": "simulated"}
    if name.startswith("MQTT_P"):
        others["BRIGHTNESSD_MQTT"] = "mqtt://broker.example" if name == "MQTT_PASSWORD" else "mqtt://lobby@broker.example"
    done = run("serve", env=others | {f"BRIGHTNESSD_{name}": text})
    assert 0 < done.returncode < 126
    assert SECRET not in done.stdout + done.stderr
    assert len(done.stderr) > 20, "it says what is wrong"


@pytest.mark.parametrize("arguments", [["--nonsense"], ["serve", "--nonsense"], ["nonsense"], ["serve", "--listen"]])
def test_an_unknown_option_is_rejected(arguments):
    done = run(*arguments)
    assert 0 < done.returncode < 126
    assert "nonsense" in done.stderr or "--listen" in done.stderr
    assert done.stderr.startswith("brightnessd: ") and done.stderr.count("\n") == 1


def test_an_absent_panel_is_an_error(tmp_path):
    done = run("serve", "--listen", "127.0.0.1:0", "--sysfs-root", str(tmp_path), "--display", "backlight:none")
    assert 0 < done.returncode < 126
    assert "none" in done.stderr


def test_a_display_given_twice_is_an_error():
    done = run("serve", "--check", "--display", "simulated:a", "--display", "simulated:a")
    assert (done.returncode, "simulated:a" in done.stderr) == (64, True)


@pytest.mark.parametrize("who", ["another program", "another brightnessd"])
def test_a_port_in_use_is_an_error(start, who):
    """Shards share a port by SO_REUSEPORT; two daemons must not."""
    with socket.socket() as other:
        if who == "another program":
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
        else:
            port = start().port
        done = run("serve", "--display", "simulated", "--listen", f"127.0.0.1:{port}")
    assert 0 < done.returncode < 126
    assert str(port) in done.stderr and "in use" in done.stderr.lower()


@pytest.mark.parametrize("number", range(3))
def test_a_port_can_be_used_again_at_once(start, number):
    daemon = start()
    daemon.stop()
    assert start("--listen", f"127.0.0.1:{daemon.port}").port == daemon.port
