# SPDX-License-Identifier: Apache-2.0
"""Passwords, access rules and TLS of the broker, and the options for them."""

import contextlib
import socket
import ssl
import subprocess
import threading
import time

import httpx
import pytest

from support.broker import TIMEOUT, Broker
from support.daemon import run
from support.until import until

ONLINE = "MQTT: connected"


def connected(daemon):
    return httpx.get(f"{daemon.url}/readyz", verify=False, timeout=TIMEOUT).json()["mqtt"]["state"] == "connected"


@pytest.fixture
def guarded(tmp_path):
    """A broker that lets in `lobby` with the password `sesame`, and lets it say nothing but what its display shows."""
    file = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", file, "lobby", "sesame"], check=True, capture_output=True)
    access = tmp_path / "access"
    access.write_text("user lobby\ntopic read b/#\ntopic write b/lobby/simulated/#\n")
    broker = Broker(tmp_path, f"password_file {file}", f"acl_file {access}", "allow_anonymous false")
    yield broker
    broker.stop()


def test_a_wrong_password_is_reported(start, connect, guarded, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("wrong-password\n")
    daemon = start("--mqtt", guarded.url(user="lobby"), "--mqtt-password-file", secret)
    words = 'the broker rejected the password of "lobby"|the broker denies access to "lobby"'
    daemon.line(words)
    mqtt = connect(daemon).get("/readyz").json()["mqtt"]
    assert mqtt["state"] == "away" and '"lobby"' in mqtt["detail"]
    assert not any("wrong-password" in line for line in daemon.lines if line)


@pytest.mark.parametrize("way", ["file", "environment"])
def test_the_password_may_come_from_a_file_or_the_environment(start, guarded, tmp_path, way):
    secret = tmp_path / "secret"
    secret.write_text("sesame\n")
    options = ["--mqtt-password-file", secret] if way == "file" else []
    env = {} if way == "file" else {"BRIGHTNESSD_MQTT_PASSWORD": "sesame"}
    daemon = start("--mqtt", guarded.url(user="lobby"), *options, env=env)
    daemon.line("MQTT: connected")
    daemon.line("connected, but the broker denies publishing to b/lobby/")


@pytest.fixture
def authority(tmp_path):
    """Makes a CA and, with it, a broker's certificate for 127.0.0.1. Returns the folder."""

    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], cwd=tmp_path, check=True, capture_output=True)

    openssl(*"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem".split())
    openssl(*"req -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout broker.key -out broker.csr".split())
    (tmp_path / "extensions").write_text("subjectAltName=IP:127.0.0.1,DNS:127.0.0.1\n")
    openssl(
        *"x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions".split(),
        "-out",
        "broker.pem",
    )
    return tmp_path


@pytest.fixture
def encrypted(authority):
    broker = Broker(
        authority, "allow_anonymous true", f"certfile {authority}/broker.pem", f"keyfile {authority}/broker.key"
    )
    yield broker
    broker.stop()


def test_tls_accepts_the_given_ca(start, encrypted, authority):
    daemon = start("--mqtt", encrypted.url(scheme="mqtts"), "--mqtt-ca-file", authority / "ca.pem")
    daemon.line(ONLINE)
    # More than a buffer of TLS, both ways.
    until(lambda: connected(daemon), "it stays")


class Handshakes:
    """A broker that begins TLS, each time after a delay, and gets no further. Counts the attempts."""

    def __init__(self, folder, delay):
        self.count = 0
        self._delay = delay
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(folder / "broker.pem", folder / "broker.key")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        self.url = f"mqtts://127.0.0.1:{self._listener.getsockname()[1]}/b?node=lobby"

    def _serve(self):
        while True:
            try:
                connection = self._listener.accept()[0]
            except OSError:
                return
            with connection:
                self.count += 1
                connection.recv(1, socket.MSG_PEEK)
                time.sleep(self._delay)
                with contextlib.suppress(OSError):
                    self._tls.wrap_socket(connection, server_side=True).close()

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()


# A client that waits for the certificate finds the failure while it reads, and one that has it while it writes.
@pytest.mark.parametrize("delay", [0, 0.3])
def test_tls_rejects_an_unknown_ca(start, authority, delay):
    with contextlib.closing(Handshakes(authority, delay)) as broker:
        daemon = start("--mqtt", broker.url)
        until(lambda: broker.count == 4, "it has tried again")
        reasons = [line for line in daemon.lines if "no connection to the broker" in line]
        assert len(reasons) == 1 and reasons[0].endswith("TLS: certificate verify failed")


def test_a_broker_that_dies_is_not_a_tls_failure(start, encrypted, authority):
    daemon = start("--mqtt", encrypted.url(scheme="mqtts"), "--mqtt-ca-file", authority / "ca.pem")
    daemon.line(ONLINE)
    encrypted.kill()
    assert daemon.line("MQTT: no connection to the broker: (.*)")[1] == "the connection was lost"


@pytest.mark.parametrize(
    "options, words",
    [
        (["--mqtt", "broker"], "--mqtt is not a URL like mqtts://"),
        (["--mqtt", "mqtt://maria:secret@bro ker"], "--mqtt is not a URL like mqtts://"),
        (["--mqtt", "mqtt://maria:secret@broker"], "--mqtt-password-file"),
        (["--mqtt-ca-file", "/etc/hostname"], "require a broker: set --mqtt"),
        (["--mqtt", "mqtt://broker", "--mqtt-ca-file", "/etc/hostname"], "requires TLS"),
        (["--mqtt", "mqtts://broker", "--mqtt-ca-file", "/nowhere"], "cannot read --mqtt-ca-file /nowhere"),
        (["--mqtt", "mqtt://a@broker", "--mqtt-password-file", "/nowhere"], "cannot read --mqtt-password-file"),
    ],
)
def test_invalid_options_are_rejected(options, words):
    ended = run("serve", *options)
    assert ended.returncode != 0
    assert words in ended.stderr
    assert "secret" not in ended.stderr
