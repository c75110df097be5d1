# SPDX-License-Identifier: Apache-2.0
"""The libraries that a daemon loads: only those for configured features."""

import re
from pathlib import Path

from support.daemon import run
from support.emulation import preloaded
from support.ports import free_port
from support.until import until


def loaded(daemon):
    """Names of the libraries in its memory, without their versions."""
    maps = Path(f"/proc/{daemon.pid}/maps").read_text()
    return set(re.findall(r"/(lib[^/\s]+?)\.so", maps))


def test_optional_libraries_are_not_loaded(start):
    daemon = start()
    assert "libmicrohttpd" in loaded(daemon)
    assert not {"libcurl", "libmosquitto", "libssl", "libcrypto", "libsystemd", "libddcutil"} & loaded(daemon)


def test_a_broker_loads_libmosquitto(start):
    daemon = start("--mqtt", f"mqtt://127.0.0.1:{free_port()}/prefix")
    until(lambda: "libmosquitto" in loaded(daemon), "libmosquitto is loaded")


def test_a_light_sensor_loads_libcurl(start):
    daemon = start("--light-sensor", f"http://127.0.0.1:{free_port()}")
    until(lambda: "libcurl" in loaded(daemon), "libcurl is loaded")


def test_a_service_manager_loads_libsystemd(start, tmp_path):
    daemon = start(env={"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    until(lambda: "libsystemd" in loaded(daemon), "libsystemd is loaded")


def test_a_library_that_hides_the_arguments_ends_the_start():
    """Not every Swift loses them."""
    done = run("--version", env={"LD_PRELOAD": preloaded("arguments")})
    hidden = "brightnessd: its arguments cannot be read; a library of LD_PRELOAD may be the cause\n"
    assert (done.returncode, done.stdout, done.stderr) in ((64, "", hidden), (0, run("--version").stdout, ""))
