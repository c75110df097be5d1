// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A file by which a device shows that something happened to it, for what sends no uevent.
struct DeviceSign: Hashable, Sendable {
    enum Means: Hashable, Sendable {
        /// The kernel notifies its readers (`sysfs_notify`, seen as `POLLPRI`).
        case notice
        /// Programs write to it (seen by inotify, which does not see what the kernel does itself).
        case writing
    }

    let path: String
    let means: Means
    /// What a change that is found then comes from.
    let cause: Cause.Kind
}
