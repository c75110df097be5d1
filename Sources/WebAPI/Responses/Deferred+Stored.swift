// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Deferred {
    /// A response that waits for the journal does so for at most this long.
    private static let storing: Duration = .seconds(5)

    /// Returns the reply to a change that is carried out at once, and answered when the journal has stored it.
    ///
    /// - Parameter now: The current state, as the beginning of a sentence.
    static func stored(_ now: String) -> Deferred {
        Deferred(limit: storing) {
            Problem.retry(
                .temporarilyUnavailable,
                "The journal has not stored the change in time. \(now) until the daemon restarts, and after that only "
                    + "if the journal stores it before.",
                after: 5
            ).response
        }
    }
}
