# SPDX-License-Identifier: Apache-2.0
"""Monitors that an earlier run has changed, and that do not answer when the next one starts."""

import pytest

from support.monitor import becomes, shows
from support.until import until

ID = "DEL-DELL_U2720Q-ABC_123"


@pytest.fixture
def run(serve, tmp_path):
    return lambda *options: serve("--state-directory", tmp_path / "state", "--ddc-power", ID, *options)


@pytest.mark.parametrize("options", [(), ("--display", "none", "--pair", f"desk=simulated:page+ddc:{ID}")])
def test_a_monitor_that_a_killed_daemon_left_off_is_switched_on(run, machine, options):
    monitor = machine.add()
    monitor.hides_while_off()
    daemon, client = run(*options)
    client.post("/v1/sleep", json={"holder": "night", "ttl": 600})
    until(lambda: not monitor.is_on, "it is off")
    daemon.kill()
    # The sleep goes on, and its end lights the monitor.
    daemon, client = run(*options)
    assert client.state["power"]["on"] is False
    client.post("/v1/restore", json={"holder": "night"})
    until(lambda: monitor.is_on, "it is on")
    becomes(client, "it is available", available=True)


def test_a_monitor_that_fails_at_the_start_gets_its_baseline_when_it_answers(run, machine):
    monitor = machine.add()
    daemon, client = run()
    client.boost(ttl=600)
    shows(monitor, 100)
    daemon.kill()
    monitor.fails(-3007)
    daemon, client = run()
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["ready"], ready.json()["waiting"]) == (503, False, [ID])
    monitor.fails(None)
    until(lambda: client.get("/readyz").status_code == 200, "it is back")
    assert client.get("/readyz").json()["waiting"] == []
    becomes(client, "it takes the place of the simulated display", id=ID)
    client.post("/v1/restore", json={"all": True})
    shows(monitor, 40)


def test_a_named_monitor_that_fails_at_the_start_does_not_end_the_daemon(run, machine):
    monitor = machine.add()
    monitor.fails(-3007)
    daemon, client = run("--display", f"ddc:{ID}", "--display", "simulated")
    assert [display["id"] for display in client.get("/v1/displays").json()["displays"]] == ["simulated"]
    monitor.fails(None)
    until(lambda: client.get(f"/v1/displays/{ID}").status_code == 200, "it is here")
