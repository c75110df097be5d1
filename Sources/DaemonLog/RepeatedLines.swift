// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Logging

/// Which log lines are said, and which were said so often lately that they are only counted. Rules only; time is an argument.
struct RepeatedLines {
    struct Line: Hashable {
        let level: Logger.Level
        let text: String
    }

    /// A line that was left out, and how often; `nil` for all those that were not told apart.
    struct Remainder: Equatable {
        let line: Line?
        let count: Int
    }

    /// How often one line is said within `window`.
    static let most = 5
    static let window: Duration = .seconds(10)
    /// How many lines are told apart. Others are only counted, unless they are errors: their texts may be as many as others
    /// choose.
    static let limit = 256

    /// Lines that were not told apart.
    private var others: (since: Instant, count: Int)?
    private var said: [Line: (since: Instant, count: Int)] = [:]

    /// Counts a line. Returns whether it is to be said.
    mutating func say(_ line: Line, at now: Instant) -> Bool {
        if let (since, count) = said[line] {
            said[line] = (since, count + 1)
            return count < Self.most
        }
        if said.count < Self.limit {
            said[line] = (now, 1)
        } else if line.level < .error {
            others = (others?.since ?? now, (others?.count ?? 0) + 1)
            return false
        }
        return true
    }

    /// Whether anything was left out that is not told yet.
    var hasRemainder: Bool { others != nil || said.values.contains { $0.count > Self.most } }

    /// What was left out in windows that are over by `now`, in the order in which they began; `nil` takes everything.
    mutating func takeRemainders(at now: Instant?) -> [Remainder] {
        let over = said.filter { _, lately in now.map { $0 - lately.since >= Self.window } ?? true }
        for line in over.keys { said[line] = nil }
        let remainders = over.sorted { $0.value.since < $1.value.since }.compactMap { line, lately in
            lately.count > Self.most ? Remainder(line: line, count: lately.count - Self.most) : nil
        }
        guard let others, now.map({ $0 - others.since >= Self.window }) ?? true else { return remainders }
        self.others = nil
        return remainders + [Remainder(line: nil, count: others.count)]
    }
}
