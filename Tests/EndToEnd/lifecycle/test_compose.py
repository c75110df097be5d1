# SPDX-License-Identifier: Apache-2.0
"""The files of compose and the Dockerfile agree, and grant no more than is needed. access/test_tls_proxy.py covers nginx."""

import re

import yaml

from support.daemon import ROOT, run

COMPOSE = yaml.safe_load((ROOT / "packaging/compose/compose.yaml").read_text())
SERVICES = COMPOSE["services"]
TRIAL = yaml.safe_load((ROOT / "packaging/compose/try.yaml").read_text())["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_services_have_no_unneeded_capabilities():
    for service in SERVICES.values():
        assert service["read_only"]
        assert "no-new-privileges:true" in service["security_opt"]
        assert not service.keys() & {"privileged", "cap_add", "network_mode", "pid", "devices"}
    assert SERVICES["brightnessd"]["cap_drop"] == ["ALL"]


def test_only_nginx_publishes_ports():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["nginx"]
    assert COMPOSE["networks"]["inside"]["internal"]
    assert all("inside" in service["networks"] for service in SERVICES.values())


def test_every_variable_is_an_option_of_the_daemon():
    known = " ".join(run("serve", "--help").stdout.split())
    for services in (SERVICES, TRIAL):
        for name in services["brightnessd"]["environment"]:
            assert f"[env: {name}" in known, name


def test_a_trial_needs_no_other_file_and_is_for_this_machine_only():
    [(_, service)] = TRIAL.items()
    assert service.keys() == {"image", "environment", "ports"}
    assert service["image"] == SERVICES["brightnessd"]["image"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_reading_needs_a_token():
    """An empty variable is an absent one."""
    assert re.search(r"^ +BRIGHTNESSD_ANONYMOUS=read$", DOCKERFILE, re.MULTILINE)
    assert SERVICES["brightnessd"]["environment"]["BRIGHTNESSD_ANONYMOUS"] == ""


def test_mounted_files_exist():
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.endswith(".conf"):
                assert (ROOT / "packaging/compose" / source).is_file(), source
            elif not source.startswith("./"):
                assert source in COMPOSE["volumes"], source


def test_the_state_directory_is_the_volume_of_compose():
    assert "state:/var/lib/brightnessd" in SERVICES["brightnessd"]["volumes"]
    assert "\nVOLUME /var/lib/brightnessd\n" in DOCKERFILE
    [port] = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)
    assert SERVICES["brightnessd"]["environment"]["BRIGHTNESSD_LISTEN"] == f"0.0.0.0:{port}"
    # Its own name is a host that it serves.
    assert f"http://{SERVICES['brightnessd']['hostname']}:{port};" in (ROOT / "packaging/compose/nginx.conf").read_text()


def test_images_of_a_registry_have_whole_names():
    """podman and buildah on Debian search no registry for a short one."""
    bases = re.findall(r"^FROM (\S+:\S+)", DOCKERFILE, re.MULTILINE)
    pulled = [service["image"] for service in SERVICES.values() if "build" not in service]
    assert bases and pulled
    assert not [name for name in bases + pulled if not name.startswith("docker.io/library/")]


def test_dockerignore_admits_what_the_dockerfile_copies():
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        source
        for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)
        for source in line.split()[:-1]
    }
    assert copied and copied <= let_in, copied - let_in
    # An edited test does not build the image again.
    assert "Tests" not in let_in and re.search("^ENV BRIGHTNESSD_TESTS=no$", DOCKERFILE, re.MULTILINE)
    # scripts/package/unpack-programs makes what is in .build.
    assert all((ROOT / source).exists() for source in copied if not source.startswith(".build/"))
