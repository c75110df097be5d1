# SPDX-License-Identifier: Apache-2.0
"""The files that the virtual machine boots: Debian's kernel, and an initial RAM disk with busybox, the daemon and its libraries."""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".build/kernel-test"
BINARY = Path(os.environ.get("BRIGHTNESSD_BINARY") or ROOT / ".build/release/brightnessd")

MODULES = (
    "e1000", "virtio_pci", "virtio_blk", "crc32c_generic", "ext4", "video", "wmi", "uhid", "hid", "hid-sensor-hub", "hid-sensor-als", "i2c-stub", "i2c-dev",
    "evdev", "uinput", "vivid",
)  # fmt: skip
"""Of Debian's kernel; what they depend on comes with them. The start script loads the first six."""

TELEVISION = tuple(Path("/usr/bin") / name for name in ("cec-ctl", "cec-follower", "cec-compliance", "v4l2-ctl"))
"""Debian's v4l-utils: a television that is independent of the daemon, and a judge."""

INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /tmp /run /state
for module in e1000 virtio_pci virtio_blk crc32c_generic ext4 video; do modprobe $module; done
ip link set lo up
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
ip route add default via 10.0.2.2
mount -t ext4 /dev/vda /state
stty -F /dev/ttyS1 raw -echo
echo guest-is-ready
# One command a line from the second serial port; then its output, a line with byte 1 and the exit status.
exec 3<>/dev/ttyS1
while read -r line <&3; do
    eval "$line" >/tmp/output 2>&1 </dev/null
    code=$?
    cat /tmp/output >&3
    printf '\\n\\001%d\\n' $code >&3
done
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


def kernel():
    """Debian's kernel package, unpacked: its directory and version."""
    depends = run("apt-cache", "show", "--no-all-versions", "linux-image-amd64")
    package = re.search(r"^Depends: (linux-image-\S+)", depends, re.MULTILINE).group(1)
    version = package.removeprefix("linux-image-")
    unpacked = CACHE / package
    if not (unpacked / "done").exists():
        shutil.rmtree(unpacked, ignore_errors=True)
        unpacked.mkdir(parents=True)
        print(f"kernel test: downloading {package}")
        run("apt-get", "-q", "download", package, cwd=unpacked)
        run("dpkg-deb", "-x", next(unpacked.glob("*.deb")), unpacked)
        next(unpacked.glob("*.deb")).unlink()
        # Debian 13 has /usr/lib only.
        base = unpacked if (unpacked / "lib/modules").exists() else unpacked / "usr"
        run("depmod", "-b", base, version)
        (unpacked / "done").touch()
    return unpacked, version


def module_files(unpacked, version):
    """The modules and what they need, in an order in which they can be loaded."""
    base = unpacked if (unpacked / "lib/modules").exists() else unpacked / "usr"
    lines = run("modprobe", "-d", base, "-S", version, "--show-depends", "-a", *MODULES)
    files = re.findall(r"^insmod (\S+)", lines, re.MULTILINE)
    return base, list(dict.fromkeys(Path(file) for file in files))


def libraries(*programs):
    """Every shared library that these programs load, with the loader."""
    found = set()
    for program in programs:
        found.update(re.findall(r"(/\S+\.so\S*)", run("ldd", program)))
    return sorted(Path(path) for path in found)


def copy(source, root, target=None):
    destination = root / str(target or source).lstrip("/")
    destination.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source.resolve(), destination)


def build():
    """The kernel, the RAM disk and the ACPI table; made again when something of them changed."""
    CACHE.mkdir(parents=True, exist_ok=True)
    unpacked, version = kernel()
    helper = BINARY.with_name("brightness-ddc")
    sources = [BINARY, helper, Path(__file__), HERE / "light_sensor.c", HERE / "keyboard.c", HERE / "cec_holder.c", HERE / "devices.asl"]
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in sources) + version.encode()).hexdigest()
    initrd, table = CACHE / "initrd.gz", CACHE / "devices.aml"
    if (CACHE / "stamp").exists() and (CACHE / "stamp").read_text() == stamp:
        return unpacked / f"boot/vmlinuz-{version}", initrd, table

    root = CACHE / "root"
    shutil.rmtree(root, ignore_errors=True)
    for directory in ("bin", "proc", "sys", "dev", "etc"):
        (root / directory).mkdir(parents=True)
    copy(Path("/bin/busybox"), root)
    base, modules = module_files(unpacked, version)
    for module in modules:
        copy(module, root, Path("/lib") / module.relative_to(base / "lib"))
    for name in ("modules.order", "modules.builtin"):
        copy(base / f"lib/modules/{version}" / name, root, f"/lib/modules/{version}/{name}")
    run("depmod", "-b", root, version)
    copy(BINARY, root, "/bin/brightnessd")
    copy(helper, root, "/bin/brightness-ddc")
    for program in TELEVISION:
        copy(program, root, f"/bin/{program.name}")
    for library in libraries(BINARY, helper, *TELEVISION):
        copy(library, root)
    for program in ("light_sensor", "keyboard", "cec_holder"):
        run("gcc", "-O1", "-Wall", "-static", "-o", root / "bin" / program, HERE / f"{program}.c")
    (root / "init").write_text(INIT)
    (root / "init").chmod(0o755)
    files = run("find", ".", "-print", cwd=root)
    archive = subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=root, input=files.encode(), capture_output=True, check=True)
    initrd.write_bytes(gzip.compress(archive.stdout, 1))
    run("iasl", "-p", table.with_suffix(""), HERE / "devices.asl")
    (CACHE / "stamp").write_text(stamp)
    return unpacked / f"boot/vmlinuz-{version}", initrd, table
