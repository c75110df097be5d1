// SPDX-License-Identifier: Apache-2.0

/// What is remembered between libmicrohttpd's calls about one request: its body so far, or the answer it
/// waits for, or the WebSocket it becomes.
///
/// Most requests have neither. For them the connection's pointer holds a mark and nothing is allocated.
final class Exchange {
    private(set) var body: [UInt8] = []
    private var received = 0
    var deferred: Deferred?
    var upgrade: (any ConnectionUpgrade)?

    /// Set from the start if the announced length is too large.
    private(set) var isTooLarge: Bool

    init(expecting length: Int) {
        isTooLarge = length > RequestLimits.body
        if !isTooLarge { body.reserveCapacity(length) }
    }

    /// Takes a part of the body. What is too large is counted and thrown away.
    ///
    /// - Returns: Whether it is still worth reading on.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received += bytes.count
        if received > RequestLimits.body {
            isTooLarge = true
            body = []
        } else {
            body += bytes
        }
        return received <= RequestLimits.discarded
    }
}

/// What becomes of a connection once libmicrohttpd has sent its `101 Switching Protocols`.
protocol ConnectionUpgrade: AnyObject {
    /// - Parameters:
    ///   - lent: The socket; libmicrohttpd closes it after the call.
    ///   - early: Bytes that the client sent right behind its request.
    func handOver(_ connection: OpaquePointer, lent: Int32, early: [UInt8])
}

/// The pointer that libmicrohttpd keeps for us with each request.
enum ExchangePointer {
    /// Any address that is not an object's: a request without a body, whose head has been looked at.
    static var seen: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

    /// What is wrong with a request's target, noticed before the head was read.
    enum TargetFault: Int {
        case long = 2
        /// It holds a zero byte, which would cut the path short.
        case cut
        /// It holds a space.
        case spaced
    }

    static func mark(_ fault: TargetFault) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: fault.rawValue)
    }

    static func targetFault(_ pointer: UnsafeMutableRawPointer?) -> TargetFault? {
        TargetFault(rawValue: Int(bitPattern: pointer))
    }

    /// Whether the request has been begun: not so before its head was looked at.
    static func isBegun(_ pointer: UnsafeMutableRawPointer?) -> Bool {
        pointer != nil && targetFault(pointer) == nil
    }

    static func exchange(_ pointer: UnsafeMutableRawPointer?) -> Exchange? {
        reference(pointer)?.takeUnretainedValue()
    }

    static func hold(_ exchange: Exchange) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(exchange).toOpaque()
    }

    static func release(_ pointer: UnsafeMutableRawPointer?) { reference(pointer)?.release() }

    private static func reference(_ pointer: UnsafeMutableRawPointer?) -> Unmanaged<Exchange>? {
        guard let pointer, isBegun(pointer), pointer != seen else { return nil }
        return Unmanaged.fromOpaque(pointer)
    }
}
