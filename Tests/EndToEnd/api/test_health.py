# SPDX-License-Identifier: Apache-2.0
"""Health for supervisors and containers: /livez, /readyz and `brightnessd healthcheck`."""

from support.daemon import run
from support.until import until
from support.wire import Connection


def healthcheck(port, **how):
    return run("healthcheck", "--listen", f"127.0.0.1:{port}", **how)


def is_healthy(*options, **how):
    """It waits three seconds for an answer, and a busy machine may need longer."""
    until(lambda: run("healthcheck", *options, **how).returncode == 0, "it is healthy")


def test_livez_is_200(client):
    answer = client.get("/livez")
    assert (answer.status_code, answer.text.strip()) == (200, "ok")
    assert answer.headers["content-type"].startswith("text/plain")


def test_readyz_reports_ready(client):
    ready = client.get("/readyz").json()
    assert (ready["ready"], ready["displays"], ready["waiting"]) == (True, 1, [])


def test_a_daemon_without_its_display_is_not_ready_but_one_without_any_is(start, connect, backlight):
    # `auto` removes a display with its backlight.
    client = connect(start("--sysfs-root", backlight.root, "--display", "auto"))
    assert client.get("/readyz").status_code == 200
    backlight.unplug()
    # It is not available a moment before it is removed.
    until(lambda: (answer := client.get("/readyz")).status_code == 503 and answer.json()["displays"] == 0, "it is not ready")
    backlight.plug()
    until(lambda: client.get("/readyz").status_code == 200, "it is ready again")
    assert connect(start("--display", "none")).get("/readyz").json()["ready"] is True


def test_healthcheck_succeeds_for_a_running_daemon(daemon):
    is_healthy("--listen", f"127.0.0.1:{daemon.port}")


def test_healthcheck_takes_the_address_from_the_environment(daemon):
    is_healthy(env={"BRIGHTNESSD_LISTEN": f"127.0.0.1:{daemon.port}"})


def test_healthcheck_succeeds_for_a_daemon_on_every_address(start):
    daemon = start("--listen", "0.0.0.0:0", "--anonymous", "read")
    is_healthy("--listen", f"0.0.0.0:{daemon.port}")


def test_healthcheck_fails_without_a_daemon(start):
    daemon = start()
    daemon.stop()
    done = healthcheck(daemon.port)
    assert done.returncode == 1
    assert str(daemon.port) in done.stdout + done.stderr


def test_healthcheck_ready_fails_while_a_display_is_absent(start, backlight):
    daemon = start(*backlight.options, expects="intel_backlight")
    backlight.unplug()
    with Connection(daemon.port) as connection:
        assert connection.request("PUT", "/v1/brightness", body=b'{"brightness":0.6}').status == 503
    is_healthy("--listen", f"127.0.0.1:{daemon.port}")

    def ready():
        done = run("healthcheck", "--ready", "--listen", f"127.0.0.1:{daemon.port}")
        assert done.returncode == 1
        return "503" in done.stdout + done.stderr

    until(ready, "it is not ready")
