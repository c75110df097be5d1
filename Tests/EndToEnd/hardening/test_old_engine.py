# SPDX-License-Identifier: Apache-2.0
"""The page to copy in the oldest browser engine that Debian has, as in many signage players."""

import re
import subprocess
from pathlib import Path

from support.kiosk import documented, holders
from support.until import until

PROGRAM = Path(__file__).parents[1] / "support/old_engine.py"


def test_the_page_of_the_documentation_works_in_chromium_87(start, connect, pages, processes):
    daemon = start()
    client = connect(daemon)
    pages.daemons.add(daemon.url)
    page = documented("Scan me").replace("http://127.0.0.1:8787", daemon.url).replace('height="3000"', 'height="3"')
    pages["/old.html"] = page.replace("<title>", '<link rel="icon" href="data:,"><title>')
    engine = subprocess.Popen(
        ["/usr/bin/python3", PROGRAM, f"{pages.url}/old.html"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    processes.append(engine)
    until(lambda: holders(client) == ["kiosk-3"], "it is boosted")
    lines = []
    while not lines or "boosted" not in lines[-1]:
        lines.append(engine.stdout.readline())
    assert not [line for line in lines if line.startswith("console")], lines
    print(lines[-1])
    assert re.fullmatch(r"Chrome/\d+: 100 percent, boosted; 40 percent afterwards\n", lines[-1])
    engine.kill()
    engine.wait()
    until(lambda: client.state["percent"] == 40, "it is restored")
