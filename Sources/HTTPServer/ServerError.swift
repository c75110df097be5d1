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
