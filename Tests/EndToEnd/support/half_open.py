# SPDX-License-Identifier: Apache-2.0
"""A way to a server on loopback that can go silent: both ends go on believing that the other is there."""

import socket
import threading


class Way:
    """Passes bytes on, until it swallows them. Connections that were there then stay silent for good."""

    def __init__(self, port):
        self._target = port
        self._silent = threading.Event()
        self._sockets = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def swallow(self):
        """Whatever is sent from now on arrives nowhere, and new connections are answered by nobody."""
        self._silent.set()

    def heal(self):
        """New connections reach the server."""
        self._silent = threading.Event()

    def _accept(self):
        while True:
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            silent = self._silent
            server = None if silent.is_set() else socket.create_connection(("127.0.0.1", self._target))
            self._sockets += [end for end in (client, server) if end]
            for source, sink in ((client, server), (server, client)):
                if source:
                    threading.Thread(target=self._pass_on, args=(source, sink, silent), daemon=True).start()

    def _pass_on(self, source, sink, silent):
        try:
            while data := source.recv(65_536):
                if not silent.is_set():
                    sink.sendall(data)
            # The end of one side is as silent as its bytes.
            if not silent.is_set():
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        for end in [self._listener, *self._sockets]:
            end.close()
