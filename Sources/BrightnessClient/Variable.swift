// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The variables of the environment.
enum Variable {
    /// The value of the variable. It is `nil` if the variable is not set or is empty.
    static subscript(name: String) -> String? {
        guard let value = getenv(name), value[0] != 0 else { return nil }
        return String(cString: value)
    }
}
