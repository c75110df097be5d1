# SPDX-License-Identifier: Apache-2.0
"""The main tasks by curl, as the README shows them."""

import json
import subprocess

from support.until import TIMEOUT


def curl(daemon, *arguments):
    """Runs curl as the README does, with `localhost`. The last argument is a path."""
    *options, path = arguments
    command = ["curl", "-sS", "--fail-with-body", "--max-time", "30", *options, f"localhost:{daemon.port}{path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done
    return done.stdout


def test_curl_reads_boosts_and_restores(daemon, client):
    before = json.loads(curl(daemon, "/v1/brightness"))
    assert (before["brightness"], before["boost"]) == (0.5, None)

    lease = json.loads(curl(daemon, "-X", "POST", "/v1/boost"))
    assert lease["brightness"] == 1
    during = json.loads(curl(daemon, "/v1/brightness"))
    assert (during["brightness"], during["baseline"]) == (1, 0.5)

    # A busy machine may need longer than a restore waits by default.
    after = json.loads(curl(daemon, "-X", "POST", "-H", "Prefer: wait=20", "/v1/restore"))
    assert (after["brightness"], after["boost"]) == (0.5, None)
    assert json.loads(curl(daemon, "/v1/brightness")) | {"released": 1} == after


def test_curl_follows_the_event_stream(daemon, client):
    before = json.loads(curl(daemon, "/v1/brightness"))
    url = f"localhost:{daemon.port}/v1/events?types=state,boost"
    with subprocess.Popen(["curl", "-sS", "-N", "--max-time", "30", url], stdout=subprocess.PIPE, text=True) as watcher:
        try:
            lines = [watcher.stdout.readline().rstrip("\n") for _ in range(6)]
            assert lines[0].startswith("retry: ") and lines[1] == ""
            assert lines[2] == "event: state"
            assert lines[3].startswith("id: ")
            assert json.loads(lines[4].removeprefix("data: ")) == before
            assert lines[5] == ""

            curl(daemon, "-X", "PUT", "-H", "Content-Type: application/json", "-d", '{"percent":20}', "/v1/brightness")
            # After the current values comes `synced`.
            while (line := watcher.stdout.readline()) != "event: state\n":
                assert line in ("event: synced\n", "data: {}\n", "\n") or line.startswith(("id: ", ": ")), line
            assert watcher.stdout.readline().startswith("id: ")
            assert json.loads(watcher.stdout.readline().removeprefix("data: "))["percent"] == 20
        finally:
            watcher.terminate()


def test_a_form_is_rejected(daemon, client):
    """The content type that curl sends with `-d` by default, which a foreign page's form could send, too."""
    command = ["curl", "-sS", "-w", "%{http_code}", "-o", "/dev/null", "-d", '{"brightness":1}']
    done = subprocess.run([*command, f"localhost:{daemon.port}/v1/boost"], capture_output=True, text=True, timeout=TIMEOUT)
    assert done.stdout == "415"
    assert client.state["boost"] is None
