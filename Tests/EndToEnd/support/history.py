# SPDX-License-Identifier: Apache-2.0
"""A busy hour (or day, or week) of a display, for pages to draw: what `GET /v1/history` might have answered."""

from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

BASELINES = [(0.05, 0.42), (0.36, 0.55), (0.7, 0.42)]
"""From which part of the time on; nothing is known of the first."""
BOOSTS = [(0.12, 0.16), (0.3, 0.42), (0.55, 0.57), (0.61, 0.63), (0.93, None)]
CAUSES = [
    (0.7, "api", "maria", "evening"),
    (0.63, "disconnected", "kiosk-3", "qr"),
    (0.61, "boost", "kiosk-3", "qr"),
    (0.57, "restore", "kiosk-3", None),
    (0.36, "external", None, None),
]
"""Not that of the last boost: a page hears of that itself."""


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
            "points": [point(start + step * number) for number in range((end - start) // step + 1)],
            "leases": [{"kind": "boost", "holder": "kiosk-3", "reason": "qr", "brightness": 1} | boost for boost in boosts],
            "causes": [{"kind": kind, "by": by, "reason": reason, "at": at(p)} for p, kind, by, reason in CAUSES],
        }
    )


def _text(time):
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
