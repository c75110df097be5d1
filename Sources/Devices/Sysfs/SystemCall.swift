// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

enum SystemCallResult<Number: SignedInteger> {
    case done(Number)
    case failed(errno: Int32)
}

/// Makes a system call that returns a negative number on failure, and repeats it while a signal interrupts it
/// (`EINTR`).
func uninterrupted<Number: SignedInteger>(_ call: () -> Number) -> SystemCallResult<Number> {
    while true {
        let number = call()
        let error = errno
        if number >= 0 { return .done(number) }
        if error != EINTR { return .failed(errno: error) }
    }
}

extension DeviceError {
    /// The error of a failed call on a device's file.
    init(errno: Int32, path: String) {
        switch errno {
        // The kernel returns ENXIO while a driver is being unbound.
        case ENOENT, ENODEV, ENXIO: self = .absent(path: path)
        case EACCES, EPERM, EROFS: self = .permission(path: path)
        default: self = .io(path: path, errno: errno)
        }
    }

    /// For the log: the file and the system's error message.
    package var logText: String {
        switch self {
        case .absent(let path): "\(path) does not exist"
        case .unplugged(let path, _): "nothing is plugged in at \(path)"
        case .abandoned: "its client is not connected or does not answer"
        case .asleep(let path, _): "\(path): the panel is off"
        case .permission(let path): "\(path): permission denied (brightnessd probe shows the fix)"
        case .worn(let limit): "daily budget of \(limit) writes used up until midnight UTC (--ddc-writes-per-day)"
        case .malformed(let path, let text): "\(path): invalid value \"\(text)\""
        case .io(let path, let errno): "\(path): \(String(cString: strerror(errno))) (errno \(errno))"
        case .unswitched(let path, .busy): "\(path): another program holds the CEC adapter"
        case .unswitched(let path, .unacknowledged): "\(path): the television does not accept commands"
        case .unswitched(let path, .ignored): "\(path): the television reports that it did not switch"
        case .taken(let id): "another display of this machine has the id \(id)"
        }
    }
}
