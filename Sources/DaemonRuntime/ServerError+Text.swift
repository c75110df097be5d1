// SPDX-License-Identifier: Apache-2.0
import Glibc
import HTTPServer

/// What the log and the command line print. The server itself knows neither the program's name nor its options.
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
