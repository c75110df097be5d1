// SPDX-License-Identifier: Apache-2.0
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
