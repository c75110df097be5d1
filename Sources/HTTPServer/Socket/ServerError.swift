// SPDX-License-Identifier: Apache-2.0
import Threads

/// Why the server could not start.
package enum ServerError: Error, Equatable {
    case addressInUse(ListenAddress)
    case addressNotHere(ListenAddress)
    case addressForbidden(ListenAddress)
    /// A host name that is no IP address, or does not resolve here.
    case unknownHost(String)
    /// A path for a Unix socket that the kernel has no room for, or none at all.
    case longPath(String)
    /// Somebody listens at this path.
    case pathInUse(String)
    /// At this path is something else than a socket.
    case noSocket(String)
    /// There can be no socket at this path, for the error number's reason.
    case path(String, Int32)
    /// An inherited descriptor that is no listening stream socket.
    case notListening(Int32)
    /// libmicrohttpd did not start.
    case libraryRefused
    case system(String, Int32)
}

extension ServerError {
    init(_ error: ThreadError) { self = .system(error.call, error.code) }
}
