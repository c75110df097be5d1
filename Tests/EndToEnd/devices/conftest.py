# SPDX-License-Identifier: Apache-2.0
"""Monitors behind a stand-in libddcutil."""

import pytest

from support.monitor import Machine, build


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return build(tmp_path_factory.mktemp("ddcutil"))


@pytest.fixture
def machine(tmp_path, library):
    return Machine(tmp_path, library)


@pytest.fixture
def serve(start, connect, machine):
    """A daemon on this machine, and a client of it."""

    def serve(*options, expects="ddc|DEL-|brightness-ddc", **how):
        options = options if "--display" in options else ("--display", "auto", *options)
        daemon = start(*machine.options, *options, env=machine.env, expects=expects, **how)
        return daemon, connect(daemon)

    return serve
