// SPDX-License-Identifier: Apache-2.0

/// How much a client of a WebSocket may ask for at a time: in one batch, and of displays that have not answered yet.
///
/// A call for `all` displays costs, and is answered with, as much as a call for each. The first one may be for any number; all
/// of them together for `displayLimit`. So a message of 4 KiB is answered with a bounded number of documents.
struct CallAllowance {
    static let callLimit = 64
    static let displayLimit = 256

    private var calls = 0
    /// What calls for `all` displays stand for.
    private var displays = 0

    /// Counts a call.
    ///
    /// - Parameter displays: How many a call for `all` of them stands for; 0 for one that names its display.
    /// - Returns: `false` if it is too much, and not counted.
    mutating func take(_ displays: Int) -> Bool {
        let isFirst = self.displays == 0
        guard calls < Self.callLimit, displays == 0 || isFirst || self.displays + displays <= Self.displayLimit else {
            return false
        }
        calls += 1
        self.displays += displays
        return true
    }

    mutating func giveBack(_ displays: Int) {
        calls -= 1
        self.displays -= displays
    }
}
