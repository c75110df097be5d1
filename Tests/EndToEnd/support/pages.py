# SPDX-License-Identifier: Apache-2.0
"""A foreign web server: pages of another origin than the daemon's."""

import base64
import hashlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

DOCUMENTS = Path(__file__).resolve().parents[3] / "Sources/WebAssets/Files"
TYPES = {".html": "text/html", ".js": "text/javascript"}


class Pages:
    """`http://localhost` on a port of its own. `pages[path]` is HTML; a copy of the module is under `/copy/`.

    Its pages may load and ask nothing but themselves and the daemons in `daemons`. Of inline code, only the scripts
    of pages that were put here run.
    """

    def __init__(self):
        self._pages = {}
        self._scripts = set()
        self.daemons = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path = Path(self.path.split("?")[0])
                found = outer._pages.get(str(path))
                if found is None and str(path).startswith("/copy/"):
                    found = (DOCUMENTS / path.relative_to("/copy")).read_text()
                body = (found or "").encode()
                self.send_response(404 if found is None else 200)
                self.send_header("Content-Type", TYPES.get(path.suffix or ".html", "text/plain") + "; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", outer.policy)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def policy(self):
        sockets = [daemon.replace("http", "ws", 1) for daemon in sorted(self.daemons)]
        sources = " ".join(["'self'", *sorted(self.daemons), *sockets])
        scripts = " ".join([sources, *sorted(self._scripts)])
        return f"default-src 'none'; script-src {scripts}; connect-src {sources}; frame-src 'self'; img-src data:"

    def __setitem__(self, path, text):
        self._pages[path] = text
        for script in re.findall(r"<script>(.*?)</script>", text, re.DOTALL):
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            self._scripts.add(f"'sha256-{digest}'")

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
