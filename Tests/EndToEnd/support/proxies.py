# SPDX-License-Identifier: Apache-2.0
"""Proxies in front of the daemon, configured as the documents say."""

import os
import re
import socket
import subprocess
from contextlib import contextmanager

from .daemon import ROOT
from .until import TIMEOUT, until


def example(language):
    """The one configuration in this language in docs/how-to/tls-proxy.md."""
    [text] = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs/how-to/tls-proxy.md").read_text(), re.DOTALL)
    return text


def replacing(text, changes):
    """The text with these changes, each of which it must have a place for."""
    for old, new in changes.items():
        assert old in text, (old, text)
        text = text.replace(old, new)
    return text


@contextmanager
def _running(command, port, log, **how):
    """A program that listens on this port; what it says goes into the file `log`."""
    with open(log, "w") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **how)

    def answers():
        assert process.poll() is None, log.read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(answers, f"{command[0]} listens")
        yield
    finally:
        process.terminate()
        process.wait(TIMEOUT)


def nginx(folder, port, server, usual=""):
    """nginx with these `server` blocks, which listen on `port`, and `usual` before them. Files are in `folder`."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    usual = usual or f"access_log {folder}/access.log;"
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ {paths}\n{usual}\n{server} }}\n"
    )
    return _running(["/usr/sbin/nginx", "-c", file], port, folder / "nginx.out")


def haproxy(folder, port, configuration):
    """HAProxy with this configuration, which listens on `port`."""
    file = folder / "haproxy.cfg"
    file.write_text(configuration)
    return _running(["/usr/sbin/haproxy", "-db", "-f", file], port, folder / "haproxy.out")


def caddy(folder, port, sites):
    """Caddy with these sites, which listen on `port`. What it keeps is in `folder`."""
    file = folder / "Caddyfile"
    file.write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{sites}")
    homes = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    command = ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", file]
    return _running(command, port, folder / "caddy.out", env=os.environ | homes)
