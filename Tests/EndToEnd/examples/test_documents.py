# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of README.md, docs/ and the other pages, and compares what they print with what the page shows.

A page's blocks of the language `console` (commands behind `$ `, with their output) and `sh` (commands only) run in order, in one
shell in an empty directory. `…` in an output is any text, and layout does not count. A comment before a block changes that:

    <!-- not run: REASON -->     the block is not run
    <!-- keeps running -->       the block's command runs until the page ends; a daemon of the page's own replaces the test's

Port 8787 is replaced by a free one.
"""

import os
import re
import shutil
import subprocess
import textwrap
from dataclasses import dataclass

import pytest

from support.daemon import BINARY, ROOT, environment
from support.ports import free_port

BLOCK = re.compile(r"(?:<!-- (?P<marker>[^>]*) -->\n)?(?P<indent>[ ]*)```(?P<language>\w*)\n(?P<text>.*?)^[ ]*```$", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"keeps running|not run: (needs|takes|shows) .+")
LANGUAGES = ("console", "sh")
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "Benchmarks/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BETWEEN, STATUS = "\x1e", "\x1f"
PRELUDE = f"""
daemon=
serve() {{  # starts a daemon in place of the last one
    if [ "$daemon" ]; then kill "$daemon"; wait "$daemon"; fi
    "$@" >.daemon 2>&1 &
    daemon=$!
    until curl --output /dev/null "localhost:$PORT/livez" 2>/dev/null; do
        kill -0 "$daemon" || {{ cat .daemon; exit 1; }}
        sleep 0.05
    done
    for _ in {{1..600}}; do  # until there is light, or only for those with a token
        [ "$(curl --output /dev/null --write-out '%{{http_code}}' "localhost:$PORT/v1/ambient")" = 404 ] || break
        sleep 0.1
    done
}}
finish() {{
    [ ! "$daemon" ] || kill "$daemon"
    for job in $(jobs -p); do kill "$job" 2>/dev/null; done
    wait
}}
trap finish EXIT
serve brightnessd
"""


@dataclass
class Command:
    text: str
    output: str
    """The output that the page shows; empty if it shows none."""
    keeps_running: bool

    @property
    def script(self):
        if not self.keeps_running:
            return f"{{ {self.text}\n}} 2>&1"
        if self.text.startswith("brightnessd"):
            return f"serve {self.text}"
        # A stream begins with several lines; they come together.
        until = "for _ in {1..600}; do [ ! -s .output ] || break; sleep 0.1; done; sleep 2"
        return f">.output\n{{ {self.text}\n}} >.output 2>&1 & {until}; kill -0 $! && cat .output"


def blocks(page):
    return list(BLOCK.finditer(page.read_text()))


def commands(page):
    """The commands of a page, in order."""
    for block in blocks(page):
        if block["language"] not in LANGUAGES or (block["marker"] or "").startswith("not run"):
            continue
        text, keeps_running = textwrap.dedent(block["text"]), block["marker"] == "keeps running"
        if block["language"] == "sh":
            yield Command(text, "", keeps_running)
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command = re.match(r"(?:.*\\\n)*.*\n", part).group()
            yield Command(command.rstrip("\n"), part[len(command) :], keeps_running)


def matches(expected, output):
    """Whether an output is what the page shows, which may be cut off by `…`, but for white space."""
    parts = ["".join(part.split()) for part in expected.split("…")]
    return re.fullmatch(".*".join(map(re.escape, parts)), "".join(output.split()), re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_is_run_or_says_why_not(page):
    is_practical = page.parent.name == "how-to" or page.name == "tutorial.md"
    for block in blocks(page):
        assert block["language"] in LANGUAGES or not re.search(r"^\s*\$ ", block["text"], re.MULTILINE), block.group()
        assert block["language"] or not is_practical, block.group()
        if block["language"] in LANGUAGES and block["marker"]:
            assert MARKER.fullmatch(block["marker"]), block.group()


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_do_what_it_shows(page, tmp_path):
    found = list(commands(page))
    port = str(free_port())
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/brightnessd").symlink_to(BINARY)
    shutil.copytree(ROOT / "Examples", tmp_path / "Examples")
    # A busy machine may need longer for a change than a command waits for it by default.
    (tmp_path / ".curlrc").write_text('silent\nshow-error\nheader = "Prefer: wait=20"\n')
    # Nobody types faster. A reported reading is shown only a moment after the answer.
    pauses = [2 if "/v1/ambient/" in command.text else 0.2 for command in found]
    parts = [f"printf '{BETWEEN}'\n{command.script}\nprintf '{STATUS}%s' $?\nsleep {pause}\n" for command, pause in zip(found, pauses)]
    script = PRELUDE + "".join(parts)
    variables = environment(
        CURL_HOME=str(tmp_path),
        PATH=f"{tmp_path}/bin:{os.environ['PATH']}",
        PORT=port,
        BRIGHTNESSD_LISTEN=f"127.0.0.1:{port}",
        BRIGHTNESSD_DISPLAY="simulated",
        BRIGHTNESSD_STATE_DIRECTORY=str(tmp_path / "state"),
    )
    shell = subprocess.run(
        ["timeout", "500", "bash", "-c", script.replace("8787", port)],
        cwd=tmp_path, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    outputs = shell.stdout.split(BETWEEN)[1:]
    assert len(outputs) == len(found), shell
    for command, printed in zip(found, outputs):
        output, _, status = printed.replace(port, "8787").partition(STATUS)
        account = f"{command.text}\nshows:  {command.output}\nprints: {output}\nstatus: {status}\n{shell.stderr}"
        assert status == "0" and (not command.output or matches(command.output, output)), account
