// SPDX-License-Identifier: Apache-2.0
import CUdev
import Glibc

/// What the kernel said about one device.
struct Uevent: Hashable, Sendable {
    /// What happened to it: `add`, `remove`, `change` and a few more.
    let action: String
    let device: KernelDevice
    /// For a `change` of a backlight: who set it, `sysfs` or `hotkey`.
    let source: String?
}

/// A device by its class and its name there, such as `backlight` and `intel_backlight`.
struct KernelDevice: Hashable, Sendable {
    let subsystem: String
    let name: String
}

/// Hears the kernel's uevents of some subsystems, by libudev. For one thread at a time; nothing blocks.
///
/// It listens to the kernel itself and not to udevd, so that it works where there is none, and so that an event is here
/// before anybody can see its consequences: the kernel sends it first, and then notifies the readers of attributes.
/// - SeeAlso: `backlight_generate_event` in Linux `drivers/video/backlight/backlight.c`
final class UeventMonitor {
    private let udev: OpaquePointer
    private let monitor: OpaquePointer

    /// `nil` where uevents cannot be heard at all, such as in a sandbox without netlink.
    init?(subsystems: [String]) {
        guard let udev = udev_new() else { return nil }
        guard let monitor = udev_monitor_new_from_netlink(udev, "kernel") else {
            udev_unref(udev)
            return nil
        }
        self.udev = udev
        self.monitor = monitor
        for subsystem in subsystems {
            udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
        }
        guard udev_monitor_enable_receiving(monitor) >= 0 else { return nil }
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(udev)
    }

    /// Readable when there is an event.
    var descriptor: Int32 { udev_monitor_get_fd(monitor) }

    /// A device's name in sysfs: libudev shows the `!` that stands there for a `/` as the `/` it stands for.
    static func directory(of name: String) -> String { String(name.map { $0 == "/" ? "!" : $0 }) }

    /// The next event that is here; `nil` if there is none.
    func next() -> Uevent? {
        guard let device = udev_monitor_receive_device(monitor) else { return nil }
        defer { udev_device_unref(device) }
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
        return Uevent(
            action: text(udev_device_get_action(device)) ?? "",
            device: KernelDevice(
                subsystem: text(udev_device_get_subsystem(device)) ?? "",
                name: Self.directory(of: text(udev_device_get_sysname(device)) ?? "")
            ),
            source: text(udev_device_get_property_value(device, "SOURCE"))
        )
    }
}
