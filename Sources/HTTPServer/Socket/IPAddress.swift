// SPDX-License-Identifier: Apache-2.0

/// What the kernel would read as an IP address.
package enum IPAddress {
    package static func isLiteral(_ text: String, isIPv6: Bool) -> Bool {
        SocketAddress(host: text, port: 0, isIPv6: isIPv6) != nil
    }
}
