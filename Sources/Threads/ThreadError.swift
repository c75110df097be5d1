// SPDX-License-Identifier: Apache-2.0

/// The system has no thread, or no descriptor, to give.
package struct ThreadError: Error {
    /// The call that failed, and its error number.
    package let call: String
    package let code: Int32
}
