# SPDX-License-Identifier: Apache-2.0
"""A TCP relay that fails in the two ways of networks: it closes connections, or goes silent."""

import socket
import threading


class Relay:
    """Passes bytes between its clients and a port of this machine. A context manager that ends with `stop`."""

    def __init__(self, target):
        self._target = target
        self._sockets = []
        self._lock = threading.Lock()
        self._is_cut = False
        self._is_silent = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def cut(self):
        """Closes every connection; new ones are closed at once."""
        with self._lock:
            self._is_cut = True
            for end in self._sockets:
                _shut_down(end)
            self._sockets = []

    def swallow(self):
        """Discards all bytes, and accepts without an answer: both ends believe that the other is there.

        Connections of this time stay silent for good.
        """
        self._is_silent.set()

    def heal(self):
        """New connections are passed on again."""
        with self._lock:
            self._is_cut = False
            self._is_silent = threading.Event()

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
                silent = self._is_silent
                self._sockets.append(client)
                if silent.is_set():
                    continue
                server = socket.create_connection(("127.0.0.1", self._target))
                self._sockets.append(server)
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(source, sink, silent), daemon=True).start()

    @staticmethod
    def _pass_on(source, sink, silent):
        try:
            while data := source.recv(65_536):
                if not silent.is_set():
                    sink.sendall(data)
        except OSError:
            pass
        # The end of one side is as silent as its bytes.
        if not silent.is_set():
            _shut_down(source)
            _shut_down(sink)


def _shut_down(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
