// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPServer

/// Messages for the log and the command line. The server does not know the program's name or its options.
extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let address):
            "\(address) is in use by another brightnessd or another program; choose another port"
        case .addressNotHere(let address):
            "this machine has no network interface with the address of \(address); choose another with --listen"
        case .addressForbidden(let address):
            "not allowed to listen on \(address): choose a port from 1024 on, or grant CAP_NET_BIND_SERVICE"
        case .unknownHost(let host):
            "\"\(host)\" is neither an IP address nor \"localhost\""
        case .longPath(let path):
            "invalid path of a Unix socket: \"\(path)\"; it must have 1 to 107 bytes"
        case .pathInUse(let path):
            "\(path) is in use by another brightnessd or another program; choose another path with --unix"
        case .noSocket(let path):
            "\(path) exists and is not a socket; it was not replaced; choose another path with --unix"
        case .path(let path, let code):
            "cannot listen at \(path): \(String(cString: strerror(code))); its directory must exist and be writable"
        case .notListening(let descriptor):
            "inherited descriptor \(descriptor) is not a listening stream socket"
        case .libraryRefused:
            "libmicrohttpd failed to start"
        case .system(let call, let code):
            "\(call): \(String(cString: strerror(code)))"
        }
    }
}
