# SPDX-License-Identifier: Apache-2.0
"""A TCP relay that can be cut."""

import socket
import threading


class Relay:
    """Passes bytes between its clients and a port of this machine, until it is cut."""

    def __init__(self, target):
        self._target = target
        self._sockets = []
        self._lock = threading.Lock()
        self._is_cut = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Closes every connection; new ones are closed at once."""
        with self._lock:
            self._is_cut = True
            for end in self._sockets:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            self._sockets = []

    def heal(self):
        """New connections are passed on again."""
        with self._lock:
            self._is_cut = False

    def stop(self):
        self._listener.close()
        self.cut()

    def _accept(self):
        while True:
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            with self._lock:
                if self._is_cut:
                    client.close()
                    continue
                server = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    @staticmethod
    def _pass(source, sink):
        try:
            while data := source.recv(65_536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
