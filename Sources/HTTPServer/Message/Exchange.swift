// SPDX-License-Identifier: Apache-2.0

/// The state of a request between libmicrohttpd's calls: its body so far, the response it waits for, or its upgrade.
///
/// Most requests need none of them: their pointer holds a mark, and nothing is allocated.
final class Exchange {
    private(set) var body: [UInt8] = []
    private var received = 0
    let limit: Int
    var deferred: Deferred?
    var upgrade: (any ConnectionUpgrade)?

    /// Whether the body is over the limit. Set at the start if the announced length is.
    private(set) var isTooLarge: Bool

    /// Whether the connection ends with the response, because the body arrives in chunks.
    ///
    /// libmicrohttpd 0.9.75 ends the line of a chunk's size at a bare line feed, extension included, and does not show
    /// it. A proxy may read on to the CRLF, and what it takes for trailers would be the next request here.
    let endsConnection: Bool

    init(expecting length: Int, upTo limit: Int = RequestLimits.body, isChunked: Bool = false) {
        (self.limit, endsConnection) = (limit, isChunked)
        isTooLarge = length > limit
        if !isTooLarge { body.reserveCapacity(length) }
    }

    /// Appends a part of the body. Bytes over the limit are counted and discarded.
    ///
    /// - Returns: Whether to read the rest of the body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received += bytes.count
        if received > limit {
            isTooLarge = true
            body = []
        } else {
            body += bytes
        }
        return received <= RequestLimits.discarded
    }
}

/// The owner of a connection after libmicrohttpd has sent its `101 Switching Protocols`.
protocol ConnectionUpgrade: AnyObject {
    /// - Parameters:
    ///   - lent: The socket. libmicrohttpd closes it after the call.
    ///   - early: Bytes that the client sent directly after its request.
    func handOver(_ connection: OpaquePointer, lent: Int32, early: [UInt8])
}

/// The pointer that libmicrohttpd keeps with each request.
enum ExchangePointer {
    /// The mark of a request without a body whose head was checked: an address that is never an object's.
    static var seen: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

    /// An error in a request's target, found before the head is read.
    enum TargetFault: Int {
        case long = 2
        /// The target holds a zero byte, which would cut the path short.
        case cut
        /// The target holds a space.
        case spaced
        /// A segment of the path holds an escaped slash.
        case slash
    }

    static func mark(_ fault: TargetFault) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: fault.rawValue)
    }

    static func targetFault(_ pointer: UnsafeMutableRawPointer?) -> TargetFault? {
        TargetFault(rawValue: Int(bitPattern: pointer))
    }

    /// Whether the request's head was checked.
    static func isBegun(_ pointer: UnsafeMutableRawPointer?) -> Bool {
        pointer != nil && targetFault(pointer) == nil
    }

    static func exchange(_ pointer: UnsafeMutableRawPointer?) -> Exchange? {
        reference(pointer)?.takeUnretainedValue()
    }

    static func retain(_ exchange: Exchange) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(exchange).toOpaque()
    }

    static func release(_ pointer: UnsafeMutableRawPointer?) { reference(pointer)?.release() }

    private static func reference(_ pointer: UnsafeMutableRawPointer?) -> Unmanaged<Exchange>? {
        guard let pointer, isBegun(pointer), pointer != seen else { return nil }
        return Unmanaged.fromOpaque(pointer)
    }
}
