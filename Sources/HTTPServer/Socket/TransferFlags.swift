// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Flags of send(2) and recv(2).
///
/// Named in a file that imports only Glibc: libmicrohttpd's header declares these constants as well. A release build
/// assigns them to the module that asks first, for all files.
enum TransferFlags {
    /// Sending to a closed connection returns an error, and raises no signal.
    static let quietly = Int32(MSG_NOSIGNAL)
    /// A call that would block fails instead.
    static let atOnce = Int32(MSG_DONTWAIT)
    /// The bytes may wait for those of the next call, and share a segment with them.
    static let withNext = Int32(MSG_MORE)
}
