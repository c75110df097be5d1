# SPDX-License-Identifier: Apache-2.0
"""Light sensors with a web server: real HTTP on loopback, well-behaved and hostile."""

import json
import socketserver
import threading
from contextlib import contextmanager


class LightDevice:
    """A server on a free port. `serve(request, connection)` gets the request's head and answers it.

    `requests` has the first line of every request.
    """

    def __init__(self, serve):
        self.requests = []
        self.closed = threading.Event()
        device = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                head = b""
                while b"\r\n\r\n" not in head:
                    if not (part := self.request.recv(4096)):
                        return
                    head += part
                device.requests.append(head.decode())
                try:
                    serve(device, head.decode(), self.request)
                except OSError:
                    pass

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            block_on_close = False

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self.closed.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def device(serve):
    server = LightDevice(serve)
    try:
        yield server
    finally:
        server.close()


STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nConnection: keep-alive\r\n\r\n"


def esphome_state(lux, name="Ambient Light"):
    """As ESPHome 2026.8 writes it."""
    state = {"id": f"sensor/{name}", "name": name, "state": "NA" if lux is None else f"{lux:.1f} lx", "value": lux, "uom": "lx"}
    return f"event: state\r\ndata: {json.dumps(state)}\r\n\r\n".encode()


class ESPHome:
    """An ESPHome with a lamp, a thermometer and a light sensor. `set` changes its light."""

    def __init__(self, lux):
        self.lux = lux
        self._changed = threading.Condition()

    def set(self, lux):
        with self._changed:
            self.lux = lux
            self._changed.notify_all()

    def __call__(self, server, request, connection):
        if not request.startswith("GET /events "):
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return
        connection.sendall(STREAM)
        ping = b'retry: 30000\r\nid: 1\r\nevent: ping\r\ndata: {"title":"desk","comment":"","ota":true,"log":true,"lang":"en"}\r\n\r\n'
        lamp = b'event: state\r\ndata: {"id":"light/Lamp","state":"ON","brightness":255,"color":{}}\r\n\r\n'
        warm = '"id":"sensor/Temperature","name":"Temperature","state":"21.5 °C","value":21.5,"uom":"°C"'
        connection.sendall(ping + lamp + f"event: state\r\ndata: {{{warm}}}\r\n\r\n".encode())
        while not server.closed.is_set():
            with self._changed:
                connection.sendall(esphome_state(self.lux))
                while not self._changed.wait(2) and not server.closed.is_set():
                    connection.sendall(b'id: 2\r\nevent: ping\r\ndata: {"uptime":12345}\r\n\r\n')


def lunarsensor(server, request, connection):
    """A lunarsensor with 400 lux, by events and by request."""
    state = '{"id": "sensor-ambient_light", "state": "400.0 lx", "value": 400.0}'
    if request.startswith("GET /sensor/ambient_light "):
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(state)}\r\n\r\n"
        connection.sendall((head + state).encode())
    elif request.startswith("GET /events "):
        connection.sendall(STREAM.replace(b"text/event-stream", b"text/event-stream; charset=utf-8"))
        while not server.closed.wait(0.5):
            connection.sendall(f"event: state\ndata: {state}\n\n".encode())
