// SPDX-License-Identifier: Apache-2.0

/// How a change of the simulated panel shows in an event: by its step, always of three digits, so that all events have
/// the same length.
package enum Change {
    package static let steps = 100..<900
    /// A text that every event about a display contains.
    static let any = #""raw":{"value":"#

    package static func mark(_ step: Int) -> String { any + "\(step)," }

    /// The step that an event shows.
    @inline(__always)
    package static func step(in event: UnsafeRawBufferPointer) -> Int? {
        guard let start = event.offset(of: #""raw":{"value":"#) else { return nil }
        return event[(start + 15)...].prefix { (0x30...0x39).contains($0) }.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    /// The n-th step of a measurement; the same comes again only after hundreds.
    package static func step(number: Int) -> Int { steps.lowerBound + number % steps.count }
}
