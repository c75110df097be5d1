# SPDX-License-Identifier: Apache-2.0
"""A daemon for another architecture, which QEMU runs on this machine, as in `make try-deb ARCH=arm64`."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

EMULATED_ROOT = os.environ.get("QEMU_LD_PREFIX")
"""The root directory with the daemon's libraries; `None` for a daemon of this machine."""


def native(reason):
    """Marks a test that has no meaning for an emulated daemon."""
    return pytest.mark.skipif(EMULATED_ROOT is not None, reason=reason)


@cache
def preloaded(name):
    """The library of the C source of this name next to this file, for LD_PRELOAD. Built once; the C compiler is Swift's."""
    if EMULATED_ROOT:
        pytest.skip("an emulated daemon cannot preload this machine's libraries")
    compiler = shutil.which("clang", path=os.environ["PATH"] + ":/opt/swift/usr/bin")
    library = Path(mkdtemp(prefix="brightnessd-preload-")) / f"{name}.so"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread", "-o", library]
    subprocess.run([compiler, *flags, Path(__file__).with_name(f"{name}.c")], check=True)
    return str(library)
