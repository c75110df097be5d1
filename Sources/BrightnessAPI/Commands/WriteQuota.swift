// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// How often one writer may send changes: a bucket that fills in `window` seconds. Rules only; time is an argument.
package struct WriteQuota: Sendable {
    /// Seconds. Twice the writes of a second may come at once.
    package static let window = 2
    /// The largest rate that is computed with.
    private static let largest = 1_000_000

    /// Writes a second.
    private let rate: Int
    /// How many writes the bucket holds.
    private let capacity: Int

    package init(perSecond rate: Int) {
        self.rate = rate
        capacity = min(max(1, rate), Self.largest) * Self.window
    }

    /// What is left after a write.
    package struct Left: Equatable {
        package let isEnough: Bool
        package let writes: Int
        /// Seconds until the bucket is full; of a refused write, until it would not be.
        package let seconds: Int

        package init(isEnough: Bool, writes: Int, seconds: Int) {
            self.isEnough = isEnough
            self.writes = writes
            self.seconds = seconds
        }
    }

    /// Takes one write. A refused one takes nothing.
    ///
    /// - Parameter full: When the writer's bucket is full again; `nil` if it is full.
    package func take(_ full: inout Instant?, at now: Instant) -> Left {
        let window = Duration.seconds(Self.window)
        let one = window / capacity
        let used = max(.zero, (full ?? now) - now)
        guard used + one <= window else {
            return Left(isEnough: false, writes: 0, seconds: Self.seconds(used + one - window))
        }
        full = now + used + one
        return Left(isEnough: true, writes: Int((window - used - one) / one), seconds: Self.seconds(used + one))
    }

    /// Rounded up.
    private static func seconds(_ duration: Duration) -> Int { max(1, Int((duration / .seconds(1)).rounded(.up))) }

    /// The header fields that report what is left.
    ///
    /// - SeeAlso: draft-ietf-httpapi-ratelimit-headers-10
    package func fields(_ left: Left) -> [Problem.Field] {
        [
            ("RateLimit-Policy", "\"writes\";q=\(capacity);w=\(Self.window)"),
            ("RateLimit", "\"writes\";r=\(left.writes);t=\(left.seconds)"),
        ]
    }

    /// The answer to a refused write.
    ///
    /// - Parameter writer: The subject of the sentence, such as "This client".
    package func problem(_ left: Left, of writer: String) -> Problem {
        Problem(
            .tooManyWrites,
            "\(writer) has sent more than \(rate) changes a second. Nothing was changed by this one.",
            fields: fields(left) + [("Retry-After", String(left.seconds))]
        )
    }
}
