// SPDX-License-Identifier: Apache-2.0
import Support

/// The reason for which the server could not start.
package enum ServerError: Error, Equatable {
    case addressInUse(ListenAddress)
    case addressNotHere(ListenAddress)
    case addressForbidden(ListenAddress)
    /// The host is not an IP address, or does not resolve on this machine.
    case unknownHost(String)
    /// The path of the Unix socket is empty, or longer than the kernel allows.
    case longPath(String)
    /// Another process listens at this path.
    case pathInUse(String)
    /// The file at this path is not a socket.
    case noSocket(String)
    /// Creating a socket at this path failed with this error number.
    case path(String, Int32)
    /// The inherited descriptor is not a listening stream socket.
    case notListening(Int32)
    /// libmicrohttpd did not start.
    case libraryRefused
    case system(String, Int32)

    init(_ error: ThreadError) { self = .system(error.call, error.code) }
}
