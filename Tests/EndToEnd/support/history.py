# SPDX-License-Identifier: Apache-2.0
"""A busy hour (or day, or week) of a display, for pages to draw: what `GET /v1/history` might have answered."""

from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit

BASELINES = [(0.05, 0.42), (0.36, 0.55), (0.7, 0.42)]
"""From which part of the time on; nothing is known of the first."""
BOOSTS = [(0.12, 0.16), (0.3, 0.42), (0.55, 0.57), (0.61, 0.63), (0.93, None)]
CHANGES = [
    (4.2, "boost", "kiosk-3", "qr", (0.42, 1), {"kind": "boost", "ended": False}),
    (18, "api", "maria", "evening", (0.55, 0.42), None),
    (22, "disconnected", "kiosk-3", "qr", (1, 0.55), {"kind": "boost", "ended": True}),
    (23, "boost", "kiosk-3", "qr", (0.55, 1), {"kind": "boost", "ended": False}),
    (26, "restore", "kiosk-3", None, (1, 0.55), {"kind": "boost", "ended": True}),
    (38, "external", None, None, (0.42, 0.55), None),
]
"""How many minutes ago, what, who and why, the brightness before and after it, and the lease."""


def answer(route, *, illuminance=None):
    """Answers a page's request for history.

    - illuminance: in lux, at every time; `None` without a sensor.
    """
    query = {name: values[0] for name, values in parse_qs(urlsplit(route.request.url).query).items()}
    start, end = (datetime.fromisoformat(query[name].replace("Z", "+00:00")) for name in ("from", "to"))
    step = timedelta(seconds=int(query["step"]))

    def at(part):
        return _text(start + (end - start) * part)

    def point(time):
        part = (time - start) / (end - start)
        baseline = next((level for since, level in reversed(BASELINES) if since <= part), None)
        is_boosted = any(since <= part < (until or 2) for since, until in BOOSTS)
        light = {} if illuminance is None else {"illuminance": illuminance}
        return {"at": _text(time), "brightness": 1 if is_boosted else baseline, "baseline": baseline} | light

    boosts = [
        {"from": at(since), "to": until and at(until), "end": until and "released"} for since, until in BOOSTS
    ]
    route.fulfill(
        json={
            "display": query.get("display", "simulated"),
            "from": _text(start),
            "to": _text(end),
            "step": step.total_seconds(),
            "lowest": 0.42,
            "highest": 1,
            "points": [point(start + step * number) for number in range((end - start) // step + 1)],
            "leases": [{"kind": "boost", "holder": "kiosk-3", "reason": "qr", "brightness": 1} | boost for boost in boosts],
        }
    )


def answer_changes(route, *, now=None):
    """Answers a page's request for the newest changes, up to this time."""
    now = now or datetime.now(timezone.utc)

    def shown(level, baseline):
        return {"brightness": level, "baseline": baseline, "on": True, "available": True}

    def change(minutes, kind, by, reason, levels, lease):
        at = _text(now - timedelta(minutes=minutes))
        cause = {"kind": kind, "by": by, "principal": "anonymous", "reason": reason, "at": at}
        before, after = levels
        baseline = min(levels) if lease else after
        return {"display": "simulated", "before": shown(before, baseline), "lease": lease, "cause": cause} | shown(after, baseline)

    route.fulfill(json={"changes": [change(*facts) for facts in CHANGES]})


def _text(time):
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
