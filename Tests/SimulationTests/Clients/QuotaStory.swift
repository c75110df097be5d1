// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore

/// A random story of one seed: clients send faster than they may, each to a target of its own. `PacedCommands` is real.
struct QuotaStory {
    private struct Sent {
        let at: Int
        let client: Int
        /// Each client sends commands of two kinds.
        let kind: Int
    }

    private struct Done: Equatable {
        let at: Int
        /// Its place among those that were sent.
        let command: Int
    }

    private let rate: Int
    private var sent: [Sent] = []

    init(seed: UInt64) {
        var random = SplitMix(seed: seed, step: -14)
        rate = random.number(1...20)
        var now = 0
        for _ in 0..<random.number(1...200) {
            now += random.one(of: [0, 0, 1, 10, 50, random.number(0...3_000)])
            // The first client sends most.
            let client = random.chance(70) ? 0 : random.number(1...3)
            sent.append(Sent(at: now, client: client, kind: 2 * client + random.number(0...1)))
        }
    }

    /// - Returns: The rule that was broken; `nil` if none was.
    func play() -> String? {
        let done = carriedOut { _ in true }
        for client in 0..<4 {
            let own = done.filter { sent[$0.command].client == client }
            let alone = carriedOut { $0.client == client }
            if own != alone { return "client \(client) gets \(own) next to others, and \(alone) alone" }
            // A second, of which each may begin with the writes of two.
            for (place, first) in own.enumerated() {
                let within = own[place...].count { $0.at < first.at + 1_000 }
                if within > 3 * rate { return "client \(client) writes \(within) times in a second, of \(rate)" }
            }
        }
        for kind in Set(sent.map(\.kind)).sorted() {
            let last = sent.lastIndex { $0.kind == kind }
            if done.last(where: { sent[$0.command].kind == kind })?.command != last {
                return "the last command of kind \(kind) is not carried out"
            }
        }
        return nil
    }

    private func carriedOut(_ isMeant: (Sent) -> Bool) -> [Done] {
        var commands = PacedCommands<WriteQuotas<Int>, Int, Int>(WriteQuota(perSecond: rate))
        var done: [Done] = []
        func instant(_ time: Int) -> Instant { Moment.start.instant + .milliseconds(time) }
        func take(at time: Int) { done += commands.takeDue(at: instant(time)).map { Done(at: time, command: $0) } }
        func wait(until end: Int?) {
            while let deadline = commands.deadline, end.map({ deadline <= instant($0) }) ?? true {
                // A timer rings in the millisecond after its time.
                take(at: milliseconds(deadline - Moment.start.instant + .nanoseconds(999_999)))
            }
        }
        for (place, command) in sent.enumerated() where isMeant(command) {
            wait(until: command.at)
            _ = commands.add(place, to: command.client, as: command.kind, at: instant(command.at))
            take(at: command.at)
        }
        wait(until: nil)
        return done
    }
}
