// SPDX-License-Identifier: Apache-2.0
import Glibc
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

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let address):
            "\(address) is in use: another brightnessd, or another program, listens there; choose another port with --listen"
        case .addressNotHere(let address):
            "no network interface of this machine has the address of \(address)"
        case .addressForbidden(let address):
            "not allowed to listen on \(address): ports below 1024 need a privilege"
        case .unknownHost(let host):
            "\"\(host)\" is neither an IP address nor \"localhost\""
        case .longPath(let path):
            "\"\(path)\" is no path for a Unix socket: it has 1 to 107 bytes"
        case .pathInUse(let path):
            "\(path) is in use: another brightnessd, or another program, listens there"
        case .noSocket(let path):
            "\(path) is there already and no socket; it is left alone"
        case .path(let path, let code):
            "cannot listen at \(path): \(String(cString: strerror(code)))"
        case .notListening(let descriptor):
            "descriptor \(descriptor), which was passed by whoever started this, is no listening stream socket"
        case .libraryRefused:
            "libmicrohttpd did not start"
        case .system(let call, let code):
            "\(call): \(String(cString: strerror(code)))"
        }
    }
}

extension ServerError {
    init(_ error: ThreadError) { self = .system(error.call, error.code) }
}
