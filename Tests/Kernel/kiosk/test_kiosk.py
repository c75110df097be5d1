# SPDX-License-Identifier: Apache-2.0
"""A kiosk's life, in the order of this file: installed, used, upgraded, hung, rebooted, without power, removed."""

from virtual_machine import wait_for

APT = "DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends"


def test_apt_installs_the_package_and_its_service_answers(kiosk):
    kiosk.run(f"{APT} install /root/packages/previous.deb")
    kiosk.wait_until_served()
    assert kiosk.run("systemctl is-enabled brightnessd") == "enabled"
    listed = kiosk.run("curl -sS http://127.0.0.1:8787/v1/displays | jq -r '.displays[].id'")
    assert listed.split() == kiosk.panels


def test_the_udev_rule_lets_the_daemon_write_and_nobody_else(kiosk):
    panel = f"/sys/class/backlight/{kiosk.panels[0]}"
    assert kiosk.run(f"stat -c '%G %a' {panel}/brightness") == "video 664"
    kiosk.put(40)
    assert kiosk.step() == 4
    refused = kiosk.run(f"setpriv --reuid nobody --clear-groups sh -c 'echo 9 >{panel}/brightness'", check=False)
    assert "Permission denied" in refused
    assert kiosk.step() == 4


def test_a_boost_and_its_release_reach_the_panel(kiosk):
    kiosk.run("brightness boost")
    assert kiosk.step() == 10
    kiosk.run("brightness restore")
    assert kiosk.step() == 4


def test_the_process_has_no_privilege(kiosk):
    status = kiosk.run(f"cat /proc/{kiosk.process()}/status")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"
    assert {int(fields[name], 16) for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")} == {0}
    assert kiosk.run(f"stat -c %U /proc/{kiosk.process()}") == "brightnessd"


def test_only_the_daemon_may_read_input_and_only_read_it(kiosk):
    devices = kiosk.run("ls /dev/input/event*").split()
    assert devices
    # As udev's own rules leave them: the package changes nothing of the devices.
    assert set(kiosk.run(f"stat -c '%U %G %a' {' '.join(devices)}").splitlines()) == {"root input 660"}
    assert kiosk.run("getent group input | cut -d: -f4") == "brightnessd"
    groups = kiosk.run(f"sed -n 's/^Groups:\\t//p' /proc/{kiosk.process()}/status").split()
    assert kiosk.run("getent group input | cut -d: -f3") in groups
    # Without an option of idle it opens none.
    assert "/dev/input" not in kiosk.run(f"ls -l /proc/{kiosk.process()}/fd")

    # Root itself, in the service's control group: only what DeviceAllow names can be opened.
    procs = "/sys/fs/cgroup/system.slice/brightnessd.service/cgroup.procs"

    def opens(device, how):
        return kiosk.run(f"sh -c 'echo $$ >{procs} && exec 3{how}{device} && echo open'", check=False)

    assert opens(devices[0], "<") == "open"
    assert "Operation not permitted" in opens(devices[0], ">")
    assert "Operation not permitted" in opens("/dev/vda", "<")
    refused = kiosk.run(f"setpriv --reuid nobody --clear-groups head -c 1 {devices[0]}", check=False)
    assert "Permission denied" in refused


def test_a_key_wakes_an_idle_screen(kiosk):
    kiosk.run("printf 'BRIGHTNESSD_IDLE_DIM=5:0.1\\n' >>/etc/default/brightnessd && systemctl restart brightnessd")
    kiosk.wait_until_served()
    assert "/dev/input/event" in kiosk.run(f"ls -l /proc/{kiosk.process()}/fd")
    wait_for("the dim", lambda: kiosk.state("[.dim != null, .cause.kind]") == '[true,"idle"]', within=120)
    assert kiosk.step() == 1
    kiosk.machine.monitor("sendkey a")
    wait_for("the key", lambda: kiosk.step() == 4)
    assert kiosk.state(".baseline") == "0.4"
    wait_for("the next dim", lambda: kiosk.step() == 1)
    kiosk.run("sed -i '/^BRIGHTNESSD_IDLE_DIM/d' /etc/default/brightnessd && systemctl restart brightnessd")
    kiosk.wait_until_served()
    assert (kiosk.step(), kiosk.state(".dim")) == (4, "null")


def test_the_sandbox_is_tighter_than_that_of_comparable_services(kiosk):
    def exposure(unit):
        last = kiosk.run(f"systemd-analyze security --no-pager {unit} | tail -n 1")
        return float(last.split(": ")[1].split()[0])

    levels = {unit: exposure(unit) for unit in ("brightnessd", "upower", "mosquitto")}
    print(f"systemd-analyze security: {levels}")
    assert levels["brightnessd"] <= 1.7
    assert levels["brightnessd"] < min(levels["upower"], levels["mosquitto"])


def test_the_journal_has_the_daemons_lines_only(kiosk):
    lines = kiosk.run("journalctl --no-pager -o cat -u brightnessd _COMM=brightnessd").splitlines()
    assert any("serving at http://127.0.0.1:8787" in line for line in lines)
    # Neither libdispatch's complaints nor times, which the journal has itself.
    assert not [line for line in lines if "thread priority" in line or line.startswith("20")]


def test_an_upgrade_in_a_boost_leaves_the_panel_right(kiosk):
    kiosk.run("brightness boost --ttl 600")
    assert kiosk.step() == 10
    before = kiosk.process()
    kiosk.run(f"{APT} install /root/packages/brightnessd.deb")
    kiosk.wait_until_served()
    assert kiosk.process() != before
    assert kiosk.run("dpkg-query -W -f '${Version}' brightnessd") != "0.0.9"
    # The stop of the upgrade restores, as every stop.
    assert kiosk.state("[.baseline, .boost]") == "[0.4,null]"
    assert kiosk.step() == 4


def assert_boost_went_on(kiosk):
    """The new daemon holds the boost of the old one, and restores the panel."""
    kiosk.wait_until_served()
    assert kiosk.state("[.baseline, .boost.leases]") == "[0.4,1]"
    assert kiosk.step() == 10
    kiosk.run("brightness restore")
    assert kiosk.step() == 4


def test_a_boost_goes_on_after_kill_9(kiosk):
    kiosk.run("brightness boost --ttl 600")
    before = kiosk.process()
    kiosk.run(f"kill -KILL {before}")
    wait_for("the restart", lambda: kiosk.process() not in (0, before), within=120)
    assert_boost_went_on(kiosk)


def test_the_watchdog_starts_a_hung_daemon_again_and_its_boost_goes_on(kiosk):
    kiosk.run("mkdir -p /run/systemd/system/brightnessd.service.d")
    kiosk.run("printf '[Service]\\nWatchdogSec=10\\n' >/run/systemd/system/brightnessd.service.d/test.conf")
    kiosk.run("systemctl daemon-reload && systemctl restart brightnessd")
    kiosk.wait_until_served()
    kiosk.run("brightness boost --ttl 600")
    before = kiosk.process()
    kiosk.run(f"kill -STOP {before}")
    wait_for("the watchdog", lambda: kiosk.process() not in (0, before), within=180)
    assert_boost_went_on(kiosk)
    kiosk.run("rm -r /run/systemd/system/brightnessd.service.d && systemctl daemon-reload")


def test_a_restart_with_socket_activation_refuses_no_client(kiosk):
    socket = "/usr/share/doc/brightnessd/examples/brightnessd.socket"
    kiosk.run(f"systemctl stop brightnessd && cp {socket} /etc/systemd/system/ && systemctl daemon-reload")
    kiosk.run("systemctl enable --now brightnessd.socket && systemctl start brightnessd")
    kiosk.wait_until_served()
    client = "for n in $(seq 40); do curl -sS --fail -o /dev/null http://127.0.0.1:8787/livez || echo refused; done"
    kiosk.run(f"({client}) >/run/clients 2>&1 & systemctl restart brightnessd; wait")
    assert kiosk.run("cat /run/clients") == ""
    kiosk.run("systemctl disable --now brightnessd.socket; rm /etc/systemd/system/brightnessd.socket")
    kiosk.run("systemctl daemon-reload && systemctl restart brightnessd")
    kiosk.wait_until_served()


def test_a_failed_start_is_repeated_until_its_address_is_free(kiosk):
    kiosk.run("systemctl stop brightnessd")
    kiosk.run("systemd-run --unit=occupant systemd-socket-activate --listen=127.0.0.1:8787 sleep infinity")
    taken = "(exec 4<>/dev/tcp/127.0.0.1/8787) && echo taken"
    wait_for("the occupant", lambda: kiosk.run(taken, check=False) == "taken")
    # The starts of the test before do not count.
    kiosk.run("systemctl reset-failed brightnessd; systemctl start --no-block brightnessd")
    starts = "systemctl show --value --property NRestarts brightnessd"
    wait_for("more starts than the limit", lambda: int(kiosk.run(starts)) > 5, within=120)
    kiosk.run("systemctl stop occupant")
    kiosk.wait_until_served()


def test_a_reboot_in_a_boost_comes_back_at_the_baseline(kiosk):
    kiosk.run("brightness boost --ttl 600")
    assert kiosk.step() == 10
    kiosk.reboot()
    kiosk.wait_until_served()
    # The driver may be loaded after the daemon's start, at the firmware's 5; then systemd-backlight writes what it saved.
    wait_for("the baseline", lambda: kiosk.state("[.baseline, .boost]") == "[0.4,null]", within=120)
    assert kiosk.step() == 4
    # The brightness that systemd-backlight saved is the baseline, too.
    saved = kiosk.run(f"cat /var/lib/systemd/backlight/*{kiosk.panels[0]}* 2>/dev/null || true")
    assert saved in ("", "4")


def test_a_power_cut_in_a_boost_comes_back_at_the_baseline(kiosk):
    kiosk.run("brightness boost --ttl 3")
    assert kiosk.step() == 10
    kiosk.cut_power()
    kiosk.boot()
    kiosk.wait_until_served()
    wait_for("the restore", lambda: kiosk.state("[.baseline, .boost]") == "[0.4,null]", within=120)
    assert kiosk.step() == 4


def test_a_removal_in_a_boost_restores_the_panel_and_a_purge_leaves_nothing(kiosk):
    kiosk.run("brightness boost --ttl 600")
    assert kiosk.step() == 10
    kiosk.run(f"{APT} remove brightnessd")
    assert kiosk.step() == 4
    kiosk.run("test -e /var/lib/brightnessd/journal.db")
    kiosk.run(f"{APT} purge brightnessd")
    left = kiosk.run("ls -d /var/lib/brightnessd /etc/default/brightnessd /etc/brightnessd /usr/bin/brightness* 2>/dev/null", check=False)
    assert left == ""
    # Its number would become another user's.
    assert kiosk.run("getent passwd brightnessd", check=False) != ""
