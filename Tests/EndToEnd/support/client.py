# SPDX-License-Identifier: Apache-2.0
"""An ordinary HTTP client whose every answer is held against the contract."""

import time
from contextlib import suppress

import httpx

from . import contract
from .until import until


def _check(response):
    streams = response.headers.get("content-type", "").startswith("text/event-stream")
    body = None if streams else response.read()
    request = response.request
    contract.check(request.method, request.url.raw_path.decode(), response.status_code, response.headers, body)


class Client(httpx.Client):
    """Talks to one daemon. `state`, `set` and `restore` are what most tests do between the things they test."""

    def __init__(self, daemon, **options):
        # Without `verify` httpx reads every certificate of the machine, for nothing.
        usual = {"verify": False, "timeout": 30, "event_hooks": {"response": [_check, self._note]}}
        super().__init__(base_url=daemon.url, **usual | options)
        self._accepted = {}
        getattr(daemon, "before_kill", []).append(self._settle)

    def _note(self, response):
        """Remembers the changes that are accepted, and perhaps not made."""
        if response.status_code in (202, 207):
            answer = response.json()
            states = [result.get("state") for result in answer["results"]] if "results" in answer else [answer]
            self._accepted |= {state["id"]: state["revision"] for state in states if state}

    def _settle(self):
        """Waits until the accepted changes are made: a kill would leave open whether they were. Some panels
        make none."""
        accepted, self._accepted = self._accepted, {}
        deadline = time.monotonic() + 10
        with suppress(httpx.HTTPError):
            while accepted and not self.is_closed and time.monotonic() < deadline:
                states = self.get("/v1/displays").json().get("displays", [])
                made = {state["id"] for state in states if state["revision"] > accepted.get(state["id"], state["revision"])}
                accepted = {name: known for name, known in accepted.items() if name not in made}

    @property
    def state(self):
        """The default display's state."""
        return self.get("/v1/brightness").json()

    @property
    def etag(self):
        return self.get("/v1/brightness").headers["etag"]

    def set(self, brightness, **more):
        """Sets the default display's baseline; the new state."""
        return self._changed(self.put("/v1/brightness", json={"brightness": brightness} | more))

    def boost(self, **request):
        """Boosts the default display; the lease."""
        response = self.post("/v1/boost", json=request)
        assert response.status_code in (200, 201, 202), response.text
        return self._newest_boost if response.status_code == 202 else response.json()

    def reset(self):
        """Ends every lease of the default display and sets it to a half."""
        self._changed(self.post("/v1/restore", json={"all": True}))
        return self.set(0.5)

    def _changed(self, response):
        """The state after a change, which a busy machine may have accepted only."""
        assert response.status_code in (200, 202), response.text
        state = response.json()
        if response.status_code == 202:
            until(lambda: self.state["revision"] > state["revision"], "the accepted change is made")
            state = self.state
        return state

    @property
    def _newest_boost(self):
        leases = until(lambda: self.get("/v1/displays/all/leases").json()["leases"], "the accepted boost is granted")
        return max(leases, key=lambda lease: lease["grantedAt"])
