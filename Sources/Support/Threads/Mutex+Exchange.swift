// SPDX-License-Identifier: Apache-2.0
package import Synchronization

extension Mutex where Value: Sendable {
    /// Stores a value. Returns the one before.
    package borrowing func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}
