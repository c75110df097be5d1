// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Whether this process may read and write a file, checked without opening it.
enum FileAccess: Hashable, Sendable {
    case allowed
    case absent
    /// Only this group has permission.
    case group(String)
    /// Only its owner has permission.
    case mode
    /// The file system is mounted read-only.
    case readOnly

    init(to path: String, _ mode: Int32 = R_OK | W_OK) {
        // Checks the effective user and capabilities, like the call itself.
        if faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 {
            self = .allowed
            return
        }
        let error = errno
        var file = stat()
        guard stat(path, &file) == 0 else {
            self = .absent
            return
        }
        switch error {
        case EROFS: self = .readOnly
        case _ where file.st_mode & S_IWGRP != 0: self = .group(Self.name(of: file.st_gid))
        default: self = .mode
        }
    }

    private static func name(of group: gid_t) -> String {
        getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? String(group)
    }

    /// The commands that grant access, for a subsystem (`backlight`, `leds`, `i2c-dev`, `cec`); `nil` if none are
    /// needed.
    func remedy(for what: String, subsystem: String) -> String? {
        switch self {
        case .allowed, .absent:
            nil
        case .group(let group):
            """
            \(what) requires the group "\(group)": sudo usermod -aG \(group) \(Self.user), and log in again \
            (in a systemd unit: SupplementaryGroups=\(group); in a container: --group-add)
            """
        case .mode:
            """
            \(what) requires root: sudo cp packaging/udev/90-brightnessd.rules /etc/udev/rules.d/ && sudo udevadm \
            control --reload && sudo udevadm trigger --action=add --subsystem-match=\(subsystem)
            """
        case .readOnly:
            """
            \(what) is on a read-only file system, like /sys in a container: mount the panel's directory at its own \
            path, as docs/how-to/container.md shows
            """
        }
    }

    /// How input devices become readable; `nil` if they are.
    var inputRemedy: String? {
        switch self {
        case .allowed, .readOnly:
            nil
        case .absent:
            """
            They are not in /dev/input. In a container: -v /dev/input:/dev/input:ro --device-cgroup-rule 'c 13:* r' \
            --group-add "$(getent group input | cut -d: -f3)"
            """
        case .group(let group):
            """
            Idle needs the group "\(group)", for the daemon's user only, since it can read every key: sudo usermod -aG \
            \(group) \(Self.user), and start it again (in a systemd unit: SupplementaryGroups=\(group))
            """
        case .mode:
            """
            Idle needs udev's rules, which give them to the group input: sudo udevadm trigger --action=add \
            --subsystem-match=input
            """
        }
    }

    private static var user: String {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "$USER"
    }
}
