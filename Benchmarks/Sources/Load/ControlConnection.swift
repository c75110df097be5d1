// SPDX-License-Identifier: Apache-2.0

/// A keep-alive connection for single requests apart from the load: for changes, and to read a response.
package struct ControlConnection: ~Copyable {
    private let socket: Socket
    private var buffer = [UInt8]()

    package init(port: UInt16) throws(LoadError) {
        socket = try Socket(port: port)
        socket.sendAtOnce()
        socket.limitWaiting(seconds: 10)
    }

    package func send(_ request: Request) throws(LoadError) { try socket.send(request) }

    /// The answer to the oldest request that has none yet. Waits for it, at most 10 s.
    ///
    /// - Throws: `.unexpected` for any status but 2xx.
    package mutating func receive() throws(LoadError) -> (response: Response, body: [UInt8]) {
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // Typed throws do not pass through `withUnsafeBytes` in every toolchain; hence the Result.
            let parsed = buffer.withUnsafeBytes { bytes in
                Result { () throws(LoadError) in try Response(head: bytes) }
            }
            if let response = try parsed.get(), buffer.count >= response.length {
                let body = Array(buffer[response.headLength..<response.length])
                guard (200..<300).contains(response.status) else {
                    throw .unexpected(answer: String(decoding: buffer[..<response.length], as: UTF8.self))
                }
                buffer.removeFirst(response.length)
                return (response, body)
            }
            let read = part.withUnsafeMutableBytes { bytes in
                Result { () throws(LoadError) in try socket.receive(into: bytes, waiting: true) }
            }
            guard let count = try read.get() else { throw .unexpected(answer: "none within 10 s") }
            buffer += part[..<count]
        }
    }

    /// Returns the responses that have arrived, without waiting.
    package mutating func receiveWhatIsThere() throws(LoadError) -> Int {
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let read = part.withUnsafeMutableBytes { bytes in
                Result { () throws(LoadError) in try socket.receive(into: bytes) }
            }
            guard let count = try read.get() else { break }
            buffer += part[..<count]
        }
        var answers = 0
        while true {
            let parsed = buffer.withUnsafeBytes { bytes in
                Result { () throws(LoadError) in try Response(head: bytes) }
            }
            guard let response = try parsed.get(), buffer.count >= response.length else { return answers }
            guard (200..<300).contains(response.status) else {
                throw .unexpected(answer: String(decoding: buffer[..<response.length], as: UTF8.self))
            }
            buffer.removeFirst(response.length)
            answers += 1
        }
    }

    package mutating func exchange(_ request: Request) throws(LoadError) -> (response: Response, body: [UInt8]) {
        try send(request)
        return try receive()
    }
}
