# SPDX-License-Identifier: Apache-2.0
"""A page that believes in thousands of displays: an event stream that the page makes itself, as a daemon would."""

import json
from datetime import datetime, timedelta, timezone

_SCRIPT = """(() => {
    const [count, state, lease, nodes, since] = %s;
    const pad = (number) => String(number).padStart(5, "0");
    const event = (name, data, id = "") => `event: ${name}\\n${id && `id: ${id}\\n`}data: ${JSON.stringify(data)}\\n\\n`;
    let text = "retry: 2000\\n\\n";
    for (let index = 0; index < count; index += 1) {
        const node = `machine-${pad(index %% nodes).slice(2)}`;
        const brightness = (20 + (index * 7) %% 60) / 100;
        const id = `${node}:panel-${pad(index)}`;
        const isBoosted = index %% 97 === 3;
        const boost = isBoosted ? { brightness: 1, leases: 1, until: lease.until, overridden: false } : null;
        const shown = isBoosted ? 1 : brightness;
        text += event("state", { ...state, id, name: `Panel ${pad(index)}`, kind: "remote", brightness: shown,
            baseline: brightness, percent: Math.round(shown * 100), boost, available: index %% 1_999 !== 5,
            unavailable: index %% 1_999 === 5 ? { since, atLatest: index %% 2 === 1 } : null,
            revision: index + 1 }, `e-${index + 1}`);
        if (!isBoosted) continue;
        const own = { ...lease, id: `lease-${index}`, display: id };
        text += event("boost", { change: "granted", display: id, lease: own });
    }
    text += event("health", { ready: true, unavailable: [], journal: { state: "working", detail: null } });
    text += event("synced", {});
    const ask = fetch;
    const stream = () => new ReadableStream({
        start(to) {
            const bytes = new TextEncoder().encode(text);
            for (let at = 0; at < bytes.length; at += 65_536) to.enqueue(bytes.slice(at, at + 65_536));
        },
    });
    const answer = (url, ...how) => (`${url}`.includes("/v1/events") ? new Response(stream()) : ask(url, ...how));
    globalThis.fetch = async (...request) => answer(...request);
})();"""


def pretend(page, count, state, nodes=50):
    """Makes the pages of `page` see `count` displays on some machines, like `state`; some are boosted or unavailable."""
    now = datetime.now(timezone.utc)
    until, since = ((now + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z") for minutes in (4, -90))
    cause = {"kind": "api", "by": "maria", "principal": "anonymous", "reason": "evening", "at": state["cause"]["at"]}
    state = state | {"cause": cause}
    lease = {
        "kind": "boost", "holder": "kiosk-3", "principal": "anonymous", "brightness": 1, "overridden": False,
        "lifespan": "custom", "reason": "qr", "grantedAt": state["cause"]["at"], "until": until,
    }  # fmt: skip
    page.add_init_script(_SCRIPT % json.dumps([count, state, lease, nodes, since]))
