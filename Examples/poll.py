#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boosts the default display, and prints its state at every change by long polls. Needs only Python's standard library.

    python3 Examples/poll.py [http://127.0.0.1:8787] [TTL]
"""

import json
import sys
import time
import urllib.error
import urllib.request

WAIT = 30
"""Seconds that the daemon holds an unanswered request; at most 60."""


def boost(server, ttl, reason, holder="poll.py"):
    """Boosts for at most `ttl` seconds; the lease. The same holder again renews its lease."""
    body = json.dumps({"holder": holder, "ttl": ttl, "reason": reason}).encode()
    request = urllib.request.Request(f"{server}/v1/boost", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def changes(server):
    """Yields the state now and after each change. 304 means that nothing has changed: the next poll goes on waiting."""
    tag = None
    while True:
        headers = {"If-None-Match": tag} if tag else {}
        request = urllib.request.Request(f"{server}/v1/brightness?wait={WAIT}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=WAIT + 10) as answer:
                tag = answer.headers["ETag"]
                yield json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 304:
                print(f"{server}: {json.load(error)['detail']}", file=sys.stderr)
                time.sleep(int(error.headers.get("Retry-After", 5)))
        except OSError as error:
            print(f"{server}: {error}; next attempt in 2 s", file=sys.stderr)
            time.sleep(2)


def main():
    server, ttl = (*sys.argv[1:], *["http://127.0.0.1:8787", "60"][len(sys.argv) - 1 :])[:2]
    print(f"boosted until {boost(server, float(ttl), 'example')['until']}", flush=True)
    for state in changes(server):
        print(f"{state['percent']} % ({state['cause']['kind']})", flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
