#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the state of each display, then every change. Needs only Python's standard library.

    python3 Examples/follow.py [http://127.0.0.1:8787]
"""

import json
import sys
import time
import urllib.request
from http.client import HTTPException

SILENCE = 45
"""Seconds. The daemon sends a comment after 15 seconds without an event, so a longer silence is a broken connection."""


def events(lines):
    """Yields the fields of each event: `event`, `id`, `data`, `retry`. An empty line ends an event."""
    fields = {}
    for line in lines:
        line = line.decode().rstrip("\r\n")
        if not line and fields:
            yield fields
            fields = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")


def follow(server):
    """Yields the data of each `state` event; connects again when the stream ends, without repeating known states."""
    last, pause = None, 1.0
    while True:
        headers = {"Last-Event-ID": last} if last else {}
        request = urllib.request.Request(f"{server}/v1/events?types=state", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=SILENCE) as stream:
                for event in events(stream):
                    pause = int(event.get("retry", pause * 1_000)) / 1_000
                    last = event.get("id", last)
                    if event.get("event") == "state":
                        yield json.loads(event["data"])
        except (OSError, HTTPException) as error:
            print(f"{server}: {error}; next attempt in {pause:.1f} s", file=sys.stderr)
        time.sleep(pause)


def main():
    for state in follow((sys.argv[1:] or ["http://127.0.0.1:8787"])[0]):
        cause = state["cause"]
        boosted = " boosted" if state["boost"] else ""
        print(f"{state['id']} {state['percent']} %{boosted}, {cause['kind']} by {cause['by'] or 'nobody named'}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
