// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How bytes go to and from a socket. Named in a file that imports only Glibc: libmicrohttpd's header has these constants
/// as well, and a release build gives them to the module that asks first, for all files.
enum TransferFlags {
    /// A connection that is gone is an error, and no signal.
    static let quietly = Int32(MSG_NOSIGNAL)
    /// What would block is not done.
    static let atOnce = Int32(MSG_DONTWAIT)
}
