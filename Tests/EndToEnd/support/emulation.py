# SPDX-License-Identifier: Apache-2.0
"""A daemon for another architecture, which QEMU runs on this machine, as in `make try-deb ARCH=arm64`."""

import os

import pytest

EMULATED_ROOT = os.environ.get("QEMU_LD_PREFIX")
"""The root directory with the daemon's libraries; `None` for a daemon of this machine."""


def native(reason):
    """Marks a test that has no meaning for an emulated daemon."""
    return pytest.mark.skipif(EMULATED_ROOT is not None, reason=reason)


def skip_preloading():
    """Skips a test that needs a library built here inside the daemon."""
    if EMULATED_ROOT:
        pytest.skip("an emulated daemon cannot preload this machine's libraries")
