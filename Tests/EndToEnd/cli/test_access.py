# SPDX-License-Identifier: Apache-2.0
"""How the client reaches a daemon: address, Unix socket, tokens, TLS, and nobody there."""

import json
import socket
import subprocess
import threading
from contextlib import contextmanager

import pytest

from support.brightness import brightness
from support.ports import free_port
from support.proxies import nginx
from support.until import TIMEOUT

TOKENS = {"wall": "wall-0123456789abcdef", "kiosk": "kiosk-0123456789abcdef"}


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    """The daemon's token file, and one file for each secret."""
    folder = tmp_path_factory.mktemp("tokens")
    for name, secret in TOKENS.items():
        (folder / name).write_text(f"{secret}\n")
    file = folder / "tokens"
    file.write_text(f"wall:read:{TOKENS['wall']}\nkiosk:write:{TOKENS['kiosk']}\n")
    file.chmod(0o600)
    return folder


@pytest.fixture
def guarded(start, tokens):
    return start("--token-file", tokens / "tokens")


def test_a_token_comes_from_a_file_or_the_environment(guarded, tokens):
    server = {"BRIGHTNESS_SERVER": guarded.url}
    for percent, words, variables in [
        (50, ["--token-file", tokens / "kiosk"], {}),
        (60, [], {"BRIGHTNESS_TOKEN_FILE": str(tokens / "kiosk")}),
        (70, [], {"BRIGHTNESS_TOKEN": TOKENS["kiosk"]}),
        (80, ["--token-file", tokens / "kiosk"], {"BRIGHTNESS_TOKEN": TOKENS["wall"]}),
    ]:
        done = brightness(*words, "set", f"{percent}%", **server, **variables)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"simulated  {percent} %\n", "")
    assert json.loads(brightness("--json", BRIGHTNESS_TOKEN=TOKENS["wall"], **server).stdout)["cause"]["by"] == "kiosk"


def test_without_a_token_the_refusal_names_the_option(guarded):
    done = brightness(BRIGHTNESS_SERVER=guarded.url)
    assert (done.returncode, done.stdout) == (1, "")
    assert "--token-file" in done.stderr and done.stderr.count("\n") == 1


def test_a_scope_that_is_too_small_is_refused(guarded):
    done = brightness("boost", BRIGHTNESS_SERVER=guarded.url, BRIGHTNESS_TOKEN=TOKENS["wall"])
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    done = brightness("boost", "--", "echo", "done", BRIGHTNESS_SERVER=guarded.url, BRIGHTNESS_TOKEN=TOKENS["wall"])
    assert (done.returncode, done.stdout) == (0, "done\n")
    done = brightness("boost", "--require", "--", "echo", BRIGHTNESS_SERVER=guarded.url, BRIGHTNESS_TOKEN=TOKENS["wall"])
    assert (done.returncode, done.stdout) == (125, "")


def test_the_daemons_own_token_file_is_no_token(guarded, tokens):
    done = brightness("--token-file", tokens / "tokens", BRIGHTNESS_SERVER=guarded.url)
    assert (done.returncode, "only its third part, the secret" in done.stderr) == (64, True)
    assert TOKENS["wall"] not in done.stderr


def test_the_unix_socket(start, tmp_path):
    path = tmp_path / "socket"
    start("--unix", path)
    done = brightness("--unix", path, "set", "+10%")
    assert (done.returncode, done.stdout) == (0, "simulated  50 %\n")
    assert brightness(BRIGHTNESS_UNIX=str(path), BRIGHTNESS_SERVER="http://127.0.0.1:1").returncode == 0
    done = brightness("boost", "--unix", path, "--", "brightness-not-there")
    assert done.returncode == 127
    done = brightness("--unix", tmp_path / "nothing")
    assert (done.returncode, str(tmp_path / "nothing") in done.stderr) == (3, True)


def test_tls_needs_a_certificate_that_can_be_verified(daemon, tmp_path):
    pem, key, port = tmp_path / "kiosk.pem", tmp_path / "kiosk.key", free_port()
    what = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(["openssl", "req", *what, *names, "-out", pem, "-keyout", key], check=True, capture_output=True)
    server = (
        f"server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {pem}; ssl_certificate_key {key};"
        f" location / {{ proxy_pass http://127.0.0.1:{daemon.port}; proxy_buffering off; }} }}"
    )
    url = f"https://localhost:{port}"
    with nginx(tmp_path, port, server):
        done = brightness("list", "--ids", "--server", url, "--ca-file", pem)
        assert (done.returncode, done.stdout, done.stderr) == (0, "simulated\n", "")
        done = brightness("list", "--server", url)
        assert (done.returncode, "--ca-file" in done.stderr) == (3, True)


@pytest.mark.parametrize("words", [[], ["list"], ["set", "40%"], ["boost"], ["restore"], ["auto", "on"], ["watch"], ["history"]])
def test_a_daemon_that_is_not_there_is_3(words):
    done = brightness(*words, "--server", f"127.0.0.1:{free_port()}")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("brightness: No daemon answers at http://127.0.0.1:") and done.stderr.count("\n") == 1


@contextmanager
def answering(*bodies):
    """Something else than a daemon, which answers one request after the other with these bodies. Yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer():
            for body in bodies:
                connection, _ = listener.accept()
                with connection:
                    connection.recv(4_096)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        thread.join(TIMEOUT)


def test_something_else_than_a_daemon_is_3():
    with answering(b"hello", b"hello", b"{}", b"[]") as server:
        for words in ([], ["watch"], [], ["list"]):
            done = brightness(*words, "--server", server)
            assert (done.returncode, done.stdout, "is not brightnessd" in done.stderr) == (3, "", True)


def test_the_answer_of_a_large_gateway_is_accepted():
    # As long as the states of 20,000 displays.
    body = b'{"displays":[],"padding":"%s"}' % (b"x" * 14_000_000)
    with answering(body) as server:
        done = brightness("list", "--ids", "--server", server)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_proxy_of_the_environment_is_not_for_this_machine(daemon):
    done = brightness("list", "--ids", BRIGHTNESS_SERVER=daemon.url, http_proxy="http://127.0.0.1:1", ALL_PROXY="http://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (0, "simulated\n")
