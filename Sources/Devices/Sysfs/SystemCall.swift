// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc

/// What came of a system call.
enum SystemCallResult<Number: SignedInteger> {
    case done(Number)
    case failed(errno: Int32)
}

/// Makes a system call that returns a negative number when it fails, again for as long as a signal interrupts it.
func uninterrupted<Number: SignedInteger>(_ call: () -> Number) -> SystemCallResult<Number> {
    while true {
        let number = call()
        let error = errno
        if number >= 0 { return .done(number) }
        if error != EINTR { return .failed(errno: error) }
    }
}

extension DeviceError {
    /// What a failed call on a device's file means.
    package init(errno: Int32, path: String) {
        switch errno {
        // ENXIO is what the kernel gives while a driver is being unbound.
        case ENOENT, ENODEV, ENXIO: self = .absent(path: path)
        case EACCES, EPERM, EROFS: self = .permission(path: path)
        default: self = .io(path: path, errno: errno)
        }
    }

    /// For the log: names the file and the system's own words.
    package var logText: String {
        switch self {
        case .absent(let path): "\(path): not there"
        case .asleep(let path, _): "\(path): switched off"
        case .permission(let path): "\(path): permission denied (see \"Permissions\" in the README)"
        case .worn(let limit): "written \(limit) times today, and no more is asked of it until tomorrow (UTC)"
        case .malformed(let path, let text): "\(path): \"\(text)\" is not what the kernel documents"
        case .io(let path, let errno): "\(path): \(String(cString: strerror(errno))) (errno \(errno))"
        case .taken(let id): "another display of this machine is called \(id)"
        }
    }
}
