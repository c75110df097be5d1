# SPDX-License-Identifier: Apache-2.0
"""kill -9, SIGTERM and power cuts, with the state directory on a disk."""

from machine import Machine


def test_sigterm_in_a_boost_restores_the_panel(boot):
    machine = boot()
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
    machine.post("/v1/displays/acpi_video0/boost", {})
    machine.wait_for_step(10)
    machine.signal_daemon("TERM")
    assert machine.step() == 4


def test_a_boost_goes_on_after_kill_9_and_ends_at_its_baseline(boot):
    machine = boot()
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
    machine.post("/v1/displays/acpi_video0/boost", {"ttl": 600})
    machine.wait_for_step(10)
    machine.signal_daemon("KILL")
    machine.start_daemon()
    state = machine.state()
    assert (state["baseline"], state["boost"]["leases"]) == (0.4, 1)
    machine.post("/v1/displays/acpi_video0/restore", {"all": True})
    machine.wait_for_step(4)


def test_a_boost_that_expired_while_the_daemon_was_down_is_restored_at_the_start(boot):
    machine = boot()
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
    machine.post("/v1/displays/acpi_video0/boost", {"ttl": 10})
    machine.wait_for_step(10)
    machine.signal_daemon("KILL")
    machine.run("sleep 11")
    machine.start_daemon()
    state = machine.wait_for_state("the restore", lambda state: state["raw"]["value"] == 4)
    assert (state["boost"], state["cause"]["kind"]) == (None, "recovered")


def test_the_baseline_is_in_force_after_a_power_cut_in_a_boost(boot, tmp_path):
    machine = boot()
    machine.put("/v1/displays/acpi_video0/brightness", {"brightness": 0.4})
    machine.post("/v1/displays/acpi_video0/boost", {"ttl": 10})
    machine.wait_for_step(10)
    # As long as the kernel keeps what was written; a boost that the disk never saw has left no trace on the panel either.
    machine.run("sync")
    machine.cut_power()
    again = Machine(tmp_path / "again", disk=machine.disk)
    try:
        # The emulated firmware starts its panel at 5, as real ones start at a value of their own.
        state = again.wait_for_state("the restore", lambda state: state["boost"] is None, within=60)
        assert state["baseline"] == state["brightness"]
        assert again.step() == state["raw"]["value"]
        assert state["baseline"] == 0.4
    finally:
        again.cut_power()
