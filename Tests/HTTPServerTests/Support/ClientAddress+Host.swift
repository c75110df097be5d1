// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

extension ClientAddress {
    /// The address of a client at this IP address, as the kernel reports it.
    init(host: String) throws {
        let address = try #require(SocketAddress(host: host, port: 80, isIPv6: host.contains(":")))
        self = address.withPointer { pointer, _ in ClientAddress(pointer) }
    }
}
