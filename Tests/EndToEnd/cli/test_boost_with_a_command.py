# SPDX-License-Identifier: Apache-2.0
"""`brightness boost -- COMMAND`: a boost as long as a command runs."""

import os
import pty
import signal
import subprocess

import pytest

from support.brightness import CLIENT, environment
from support.events import Stream
from support.ports import free_port
from support.provider import Provider
from support.until import TIMEOUT, until

LEASES = "/v1/displays/simulated/leases"


def boosted(client):
    until(lambda: client.state["boost"], "the display is boosted")
    [lease] = client.get(LEASES).json()["leases"]
    return lease


def test_the_display_is_boosted_while_the_command_runs(daemon, client, begin):
    process = begin(daemon, "boost", "--reason", "film", "--brightness", "90%", "--", "sh", "-c", "read -r line; echo $line; exit 7")
    lease = boosted(client)
    assert (lease["lifespan"], lease["reason"], lease["brightness"], lease["until"]) == ("visible", "film", 0.9, None)
    assert f"-{process.pid}-" in lease["holder"]
    text, complaints = process.communicate("done\n", timeout=TIMEOUT)
    assert (process.returncode, text, complaints) == (7, "done\n", "")
    # At once, not after the grace of a stream that has ended.
    assert (client.state["boost"], client.state["cause"]["kind"]) == (None, "restore")


def test_killed_with_9_the_display_is_restored(daemon, client, begin):
    process = begin(daemon, "boost", "--", "sleep", "300")
    boosted(client)
    with Stream(daemon.port, "/v1/events?types=boost") as observer:
        [command] = until(lambda: children(process.pid), "the command runs")
        process.kill()
        try:
            ended = observer.next("boost", lambda event: event.data["change"] == "disconnected")
        finally:
            # The command outlives its parent, and has no connection to the daemon.
            os.kill(command, signal.SIGKILL)
    assert ended.data["lease"]["lifespan"] == "visible"
    assert (client.state["brightness"], client.state["boost"]) == (0.5, None)


PAGE = {"id": "page", "name": "The page", "maximum": 100, "switchable": False, "brightness": 0.8}


def test_displays_that_refuse_are_named_and_the_others_have_the_lease_to_the_end(daemon, client, begin):
    with Provider(daemon, PAGE):
        process = begin(daemon, "-d", "all", "sleep", "--", "sh", "-c", "read -r line")
        until(lambda: client.state["power"]["on"] is False, "the display that can be switched is off")
        text, complaints = process.communicate("done\n", timeout=TIMEOUT)
        assert (process.returncode, text) == (0, "")
        assert complaints.startswith("brightness: page: ") and "runs without it" not in complaints
        assert client.get(LEASES).json()["leases"] == []
        required = begin(daemon, "-d", "all", "sleep", "--require", "--", "echo", "ran")
        text, complaints = required.communicate(timeout=TIMEOUT)
        assert (required.returncode, text) == (125, "")
        assert client.get(LEASES).json()["leases"] == []


def test_its_end_releases_no_other_lease_of_the_holder(daemon, client, begin):
    client.post("/v1/displays/simulated/dim", json={"holder": "me", "ttl": 600})
    process = begin(daemon, "boost", "--holder", "me", "--", "true")
    assert process.wait(timeout=TIMEOUT) == 0
    assert [lease["kind"] for lease in client.get(LEASES).json()["leases"]] == ["dim"]
    client.post("/v1/restore", json={"holder": "me"})


def children(pid):
    """The processes that it has started."""
    text = open(f"/proc/{pid}/task/{pid}/children").read()
    return [int(word) for word in text.split()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_is_passed_on(daemon, client, begin, number):
    process = begin(daemon, "boost", "--", "sleep", "60")
    boosted(client)
    until(lambda: children(process.pid), "the command runs")
    process.send_signal(number)
    assert process.wait(TIMEOUT) == 128 + number
    assert client.state["boost"] is None


def test_the_command_decides_about_a_signal(daemon, client, begin):
    process = begin(daemon, "boost", "--", "bash", "-c", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.1; done")
    assert process.stdout.readline() == "ready\n"
    process.terminate()
    assert process.wait(TIMEOUT) == 5


def test_a_panel_that_refuses_for_a_while_is_boosted_when_it_accepts(daemon, client, begin):
    assert client.patch("/v1/simulator", json={"refuses": True}).status_code == 200
    process = begin(daemon, "boost", "--", "sh", "-c", "read -r line")
    assert "The command runs without it" in process.stderr.readline()
    assert client.get(LEASES).json()["leases"] == []
    assert client.patch("/v1/simulator", json={"refuses": False}).status_code == 200
    boosted(client)
    process.communicate("done\n", timeout=TIMEOUT)
    assert (process.returncode, client.state["boost"]) == (0, None)


def test_a_slow_panel_that_refuses_in_the_end_is_boosted_when_it_accepts(daemon, client, begin):
    # Longer than the client waits before it runs the command.
    assert client.patch("/v1/simulator", json={"delay": 6, "refuses": True}).status_code == 200
    with Stream(daemon.port, "/v1/events?types=failure") as observer:
        process = begin(daemon, "boost", "--", "sh", "-c", "read -r line")
        observer.next("failure")
    assert client.patch("/v1/simulator", json={"delay": 0, "refuses": False}).status_code == 200
    boosted(client)
    _, complaints = process.communicate("done\n", timeout=TIMEOUT)
    assert (process.returncode, client.state["boost"]) == (0, None)
    assert complaints == "brightness: simulated has not confirmed it yet. The command runs without it.\n"


def test_a_required_boost_waits_until_a_slow_panel_refuses(client, run):
    assert client.patch("/v1/simulator", json={"delay": 6, "refuses": True}).status_code == 200
    status, text, complaints = run("boost", "--require", "--", "echo", "ran")
    assert client.patch("/v1/simulator", json={"delay": 0, "refuses": False}).status_code == 200
    assert (status, text, complaints.count("\n")) == (125, "", 1)
    # The panel still restores its brightness slowly.
    assert client.put("/v1/brightness", json={"brightness": 0.5}, headers={"Prefer": "wait=30"}).status_code == 200


@pytest.mark.parametrize(("options", "result"), [([], (0, "ran\n")), (["--require"], (125, ""))])
def test_without_a_display_the_command_runs_unless_the_boost_is_required(start, run, options, result):
    daemon = start("--display", "none")
    status, text, complaints = run("-d", "all", "boost", *options, "--", "echo", "ran", BRIGHTNESS_SERVER=daemon.url)
    assert (status, text) == result
    assert complaints.startswith("brightness: There is no display for it now.")


def test_a_command_that_does_not_exist_or_cannot_run(daemon, client, run):
    assert run("boost", "--", "/nowhere/command")[0] == 127
    assert run("boost", "--", "/etc/passwd")[0] == 126
    assert client.state["boost"] is None


@pytest.mark.parametrize("words", [["--nope"], ["--ttl", "never"], ["--brightness", "+5%"], ["--token-file", "/nowhere"]])
def test_with_a_command_the_clients_failures_are_125(run, words):
    status, text, complaints = run("boost", *words, "--", "echo", "done")
    assert (status, text, complaints.startswith("brightness: ")) == (125, "", True)


def test_the_command_gets_the_descriptors_of_the_shell_and_no_others(daemon):
    script = f"{CLIENT} boost -- sh -c 'ls /proc/self/fd' 7</dev/null"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, timeout=TIMEOUT, env=environment(BRIGHTNESS_SERVER=daemon.url)
    )
    # 3 is the directory that ls reads.
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["0", "1", "2", "3", "7"], "")


def test_without_a_daemon_the_command_runs_unless_it_is_required(begin, run):
    gone = {"BRIGHTNESS_SERVER": f"http://127.0.0.1:{free_port()}"}
    status, text, complaints = run("boost", "--", "sh", "-c", "echo done; exit 3", **gone)
    assert (status, text, complaints.count("\n")) == (3, "done\n", 1)
    status, text, complaints = run("boost", "--require", "--", "echo", "done", **gone)
    assert (status, text, complaints.count("\n")) == (125, "", 1)


def test_the_boost_begins_when_the_daemon_does(start, connect, begin):
    port = free_port()
    process = begin(type("Later", (), {"url": f"http://127.0.0.1:{port}"}), "boost", "--", "sh", "-c", "read -r line")
    until(lambda: children(process.pid), "the command runs")
    client = connect(start("--listen", f"127.0.0.1:{port}"))
    until(lambda: client.state["boost"], "the display is boosted")
    process.communicate("\n", timeout=TIMEOUT)
    assert (process.returncode, client.state["boost"]) == (0, None)


def test_the_boost_goes_on_after_a_restart_of_the_daemon(start, connect, begin):
    port = free_port()
    first = start("--listen", f"127.0.0.1:{port}")
    process = begin(first, "boost", "--", "sh", "-c", "read -r line")
    boosted(connect(first))
    first.stop()
    client = connect(start("--listen", f"127.0.0.1:{port}"))
    boosted(client)
    process.communicate("\n", timeout=TIMEOUT)
    assert (process.returncode, client.state["boost"]) == (0, None)


@pytest.mark.parametrize("target", ["page", "all"])
def test_the_boost_goes_on_when_its_display_is_there_some_time_after_a_restart(start, connect, begin, answers_another, target):
    def is_boosted(client):
        return client.get("/v1/displays/page").json().get("boost") is not None

    options = ("--display", "none", "--listen", f"127.0.0.1:{free_port()}")
    first = start(*options)
    with Provider(first, PAGE):
        process = begin(first, "-d", target, "boost", "--", "sh", "-c", "read -r line")
        client = connect(first)
        until(lambda: is_boosted(client), "the display is boosted")
        first.stop()
    second = start(*options)
    again = connect(second)
    answers_another(again)
    with Provider(second, PAGE):
        until(lambda: is_boosted(again), "the display is boosted again")
        process.communicate("\n", timeout=TIMEOUT)
        assert (process.returncode, is_boosted(again)) == (0, False)


def test_after_a_revoked_token_the_command_goes_on_without_the_boost(start, connect, begin, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("me:write:correct-horse-battery-staple\n")
    tokens.chmod(0o600)
    daemon = start("--token-file", tokens, "--anonymous", "read")
    process = begin(daemon, "boost", "--", "sh", "-c", "read -r line; echo $line", BRIGHTNESS_TOKEN="correct-horse-battery-staple")
    until(lambda: connect(daemon).state["boost"], "the display is boosted")
    tokens.write_text("other:write:another-0123456789\n")
    daemon.terminate(signal.SIGHUP)
    assert "The command goes on without the boost." in process.stderr.readline()
    text, complaints = process.communicate("done\n", timeout=TIMEOUT)
    assert (process.returncode, text, complaints) == (0, "done\n", "")


def test_a_time_limit_ends_the_boost_before_the_command(daemon, client, begin):
    with Stream(daemon.port, "/v1/events?types=boost") as stream:
        process = begin(daemon, "boost", "--ttl", "1", "--", "sh", "-c", "read -r line; exit 4")
        assert stream.next("boost", lambda event: event.data["change"] == "expired").data["lease"]["until"]
    assert client.state["boost"] is None
    assert client.state["cause"]["kind"] == "expired"
    process.communicate("\n", timeout=TIMEOUT)
    assert process.returncode == 4


def test_every_display_is_boosted_and_restored(start, connect, begin):
    daemon = start("--display", "simulated:left", "--display", "simulated:right")
    client = connect(daemon)
    process = begin(daemon, "-d", "all", "boost", "--", "sh", "-c", "read -r line")

    def boosts():
        return [display["boost"] is not None for display in client.get("/v1/displays").json()["displays"]]

    until(lambda: boosts() == [True, True], "both are boosted")
    process.communicate("\n", timeout=TIMEOUT)
    assert boosts() == [False, False]


def test_the_terminal_belongs_to_the_command(daemon, client):
    """Ctrl-C on the terminal reaches it once, and its output is that of a terminal."""
    script = "trap 'echo interrupted; exit 6' INT; test -t 0 && test -t 1 && echo terminal; while :; do sleep 0.1; done"
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(CLIENT, [str(CLIENT), "boost", "--", "bash", "-c", script], environment(BRIGHTNESS_SERVER=daemon.url))
    output = b""
    while b"terminal\r\n" not in output:
        output += os.read(terminal, 1_024)
    os.write(terminal, b"\x03")
    while b"interrupted\r\n" not in output:
        output += os.read(terminal, 1_024)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert (os.waitstatus_to_exitcode(status), output.count(b"interrupted")) == (6, 1)


def test_the_command_has_no_signal_blocked_or_ignored(run):
    status, text, _ = run("boost", "--", "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status")
    # Signals 32 and above are the C library's own.
    assert (status, [int(line.split()[1], 16) & 0x7FFF_FFFF for line in text.splitlines()]) == (0, [0, 0])
