// SPDX-License-Identifier: Apache-2.0

/// The system could not create a thread or a descriptor.
package struct ThreadError: Error {
    /// The call that failed, and its error number.
    package let call: String
    package let code: Int32
}
