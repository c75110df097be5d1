// SPDX-License-Identifier: Apache-2.0

/// A client that opens a stream and never reads from it.
package final class StalledClient {
    private let socket: Socket

    package init(port: UInt16, request: Request) throws(LoadError) {
        socket = try Socket(port: port)
        socket.limitBuffer(bytes: 4_096)
        try socket.send(request)
    }
}
