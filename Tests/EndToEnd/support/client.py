# SPDX-License-Identifier: Apache-2.0
"""An ordinary HTTP client whose every answer is held against the contract."""

import httpx

from . import contract
from .until import TIMEOUT, until
from .wire import RESULT


def _check(response):
    streams = response.headers.get("content-type", "").startswith("text/event-stream")
    body = None if streams else response.read()
    request = response.request
    contract.check(request.method, request.url.raw_path.decode(), response.status_code, response.headers, body)


AT_ONCE = {"Prefer": ""}
"""The daemon's own limit of a wait: a slow panel's change is answered with 202."""


class Client(httpx.Client):
    """Talks to one daemon. `state`, `set` and `restore` are what most tests do between the things they test."""

    def __init__(self, daemon, headers=None, **options):
        # Without `verify` httpx reads every certificate of the machine, for nothing.
        usual = {"verify": False, "timeout": TIMEOUT, "event_hooks": {"response": [_check]}}
        super().__init__(base_url=daemon.url, headers=RESULT | (headers or {}), **usual | options)

    @property
    def state(self):
        """The default display's state."""
        return self.get("/v1/brightness").json()

    @property
    def etag(self):
        return self.get("/v1/brightness").headers["etag"]

    def set(self, brightness, **more):
        """Sets the default display's baseline; the new state."""
        return self._result(self.put("/v1/brightness", json={"brightness": brightness} | more))

    def boost(self, **request):
        """Boosts the default display; the lease."""
        return self._result(self.post("/v1/boost", json=request))

    def reset(self):
        """Ends every lease of the default display and sets it to a half."""
        self._result(self.post("/v1/restore", json={"all": True}))
        return self.set(0.5)

    def await_light(self):
        """Waits until the sensors are read, which is a moment after the daemon's start."""
        until(lambda: self.get("/v1/ambient").json().get("source") == "sensor", "there is light")

    def _result(self, response):
        assert response.status_code in (200, 201), response.text
        return response.json()
