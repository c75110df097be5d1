# SPDX-License-Identifier: Apache-2.0
"""A client that provides displays, as a page or an agent in the session does."""

import queue
import threading

from websockets.exceptions import ConnectionClosed

from . import messages
from .remote import Remote
from .until import TIMEOUT, until


class Provider:
    """A WebSocket that shows what the daemon applies.

    - display: what it says of its display; `None` provides none yet.
    - answers: whether it answers calls of the daemon.
    - refuses: whether it answers them with an error.
    """

    def __init__(self, daemon, display=None, answers=True, **options):
        # Messages are compared with the document here, where it is known which call each answers.
        self.remote = Remote(daemon, "/v1/ws?types=failure", validates=False, **options)
        self.answers = answers
        self.refuses = False
        self.applied = []
        self.withdrawn = []
        self._unanswered = []
        # The test and the reader may both answer.
        self._lock = threading.Lock()
        self._method = None
        self._answers = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.display = display
        if display:
            self.state = self.call("provide", **display)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remote.__exit__(*error)
        self._reader.join(TIMEOUT)

    def _read(self):
        try:
            while True:
                value = self.remote.receive(timeout=None)
                if "method" in value:
                    messages.validate_event(value)
                else:
                    messages.validate_answer(value, self._method)
                match value.get("method"):
                    case "apply":
                        self.applied.append(value["params"])
                        self._unanswered.append(value["id"])
                        if self.answers:
                            self.answer()
                    case "withdrawn":
                        self.withdrawn.append(value["params"]["display"])
                    case None:
                        self._answers.put(value)
        except (ConnectionClosed, OSError):
            pass

    def answer(self):
        """Answers the calls that wait."""
        with self._lock:
            while self._unanswered:
                outcome = {"error": {"code": 1, "message": "no"}} if self.refuses else {"result": {}}
                self.remote.send({"jsonrpc": "2.0", "id": self._unanswered.pop(0)} | outcome)

    def ask(self, method, **params):
        """Calls, and returns the whole answer."""
        self._method = method
        self.remote.send({"jsonrpc": "2.0", "method": method, "params": params, "id": 1})
        return self._answers.get(timeout=TIMEOUT)

    def call(self, method, **params):
        """Calls, and returns the result."""
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def refusal(self, method, **params):
        """Calls in vain: the problem document."""
        return self.ask(method, **params)["error"]["data"]

    def shows(self, **wanted):
        """Waits until the last target has these members."""
        return until(lambda: bool(self.applied) and self.applied[-1] | wanted == self.applied[-1], f"{wanted} is shown")
