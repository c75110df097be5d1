# SPDX-License-Identifier: Apache-2.0
"""Virtual machines for the tests."""

import itertools

import pytest

from machine import Machine


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """The file's machine, with a daemon."""
    machine = Machine(tmp_path_factory.mktemp("machine"))
    yield machine
    print(machine.run("cat /state/log", check=False))
    machine.cut_power()


@pytest.fixture(scope="module")
def boot_module(tmp_path_factory):
    """Boots machines that a file's tests share, with a daemon of its own options."""
    machines = []

    def boot(**how):
        machines.append(Machine(tmp_path_factory.mktemp("machine"), **how))
        return machines[-1]

    yield boot
    for machine in machines:
        print(machine.run("cat /state/log", check=False))
        machine.cut_power()


@pytest.fixture
def boot(tmp_path):
    """Boots machines of the test's own."""
    numbers, machines = itertools.count(), []

    def boot(**how):
        machines.append(Machine(tmp_path / str(next(numbers)), **how))
        return machines[-1]

    yield boot
    for machine in machines:
        machine.cut_power()
