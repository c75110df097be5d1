// SPDX-License-Identifier: Apache-2.0
import CUdev
import Glibc

/// An event of the kernel about one device.
struct Uevent: Hashable, Sendable {
    /// `add`, `remove`, `change` or another action.
    let action: String
    let device: KernelDevice
    /// The cause of a backlight's `change`: `sysfs` or `hotkey`.
    let source: String?
    /// Whether a connector has changed, for a graphics card's `change`.
    var isHotplug = false
}

/// A device by its class and name, such as `backlight` and `intel_backlight`.
struct KernelDevice: Hashable, Sendable {
    let subsystem: String
    let name: String
}

/// The kernel's uevents of some subsystems, by libudev. For one thread at a time; nothing blocks.
///
/// It listens to the kernel and not to udevd: that works without udevd, and an event arrives before its consequences
/// are visible. The kernel sends the event first, and then notifies the readers of attributes.
/// - SeeAlso: `backlight_generate_event` in Linux `drivers/video/backlight/backlight.c`
final class UeventMonitor {
    private let udev: OpaquePointer
    private let monitor: OpaquePointer

    /// Returns `nil` without access to uevents, such as in a sandbox without netlink.
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

    /// Readable when an event is pending.
    var descriptor: Int32 { udev_monitor_get_fd(monitor) }

    /// A device's name in sysfs, which has `!` where libudev has `/`.
    static func directory(of name: String) -> String { String(name.map { $0 == "/" ? "!" : $0 }) }

    /// Returns the next pending event; `nil` if there is none.
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
            source: text(udev_device_get_property_value(device, "SOURCE")),
            isHotplug: text(udev_device_get_property_value(device, "HOTPLUG")) == "1"
        )
    }
}
