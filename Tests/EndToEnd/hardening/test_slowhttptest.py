# SPDX-License-Identifier: Apache-2.0
"""slowhttptest from one address, with twice the connections that the daemon can have: others are answered all the while."""

import statistics
import subprocess
import time

import pytest

from support.wire import Connection

CONNECTIONS = 400
"""That the daemon can have; one client has at most half of them."""
DESCRIPTORS = CONNECTIONS * 20 + 64
SECONDS = 30
OTHER = "127.0.0.2"
ATTACKS = {
    "heads": ("-H", "-i", "2", "-x", "24", "-u", "{url}/v1/brightness"),
    "bodies": ("-B", "-i", "2", "-x", "10", "-s", "8192", "-f", "application/json", "-u", "{url}/v1/boost"),
    "readers": ("-X", "-n", "2", "-w", "1", "-y", "2", "-z", "1", "-k", "3", "-u", "{url}/openapi.yaml"),
}


def samples(daemon, name):
    with Connection(daemon.port, source=OTHER) as connection:
        text = connection.request("GET", "/metrics").body.decode()
    return sum(float(line.split()[-1]) for line in text.splitlines() if line.startswith(f"brightnessd_{name}{{"))


@pytest.mark.parametrize("slow", ATTACKS)
def test_others_are_answered(start, slow):
    daemon = start(
        *("--shards", "2", "--limit", f"connections={CONNECTIONS // 2}"),
        prefix=("prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}"),
    )
    how = [argument.format(url=daemon.url) for argument in ATTACKS[slow]]
    command = ["slowhttptest", "-c", str(2 * CONNECTIONS), "-r", "200", "-l", str(SECONDS), "-p", "3", "-v", "1", *how]
    attack = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    took, held = [], 0
    try:
        deadline = time.monotonic() + 3 * SECONDS
        while attack.poll() is None:
            assert time.monotonic() < deadline, "slowhttptest does not end"
            begin = time.perf_counter()
            with Connection(daemon.port, source=OTHER) as connection:
                assert connection.request("GET", "/livez").status == 200
            took.append((time.perf_counter() - begin) * 1_000)
            if len(took) % 50 == 0:
                held = max(held, samples(daemon, "http_connections"))
            time.sleep(0.02)
    finally:
        attack.kill()
        attack.wait()
    refused = samples(daemon, "http_connections_refused_total")
    took.sort()
    print(
        f"slow {slow}: at most {held:.0f} connections held, {refused:.0f} refused; {len(took)} times /livez from another "
        f"address, ms: median {statistics.median(took):.1f}, 99 % {took[len(took) * 99 // 100]:.1f}, most {took[-1]:.1f}"
    )
    assert refused > 0, "the attack came as far as the limit"
    assert held <= CONNECTIONS // 2 + 2
