// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Testing

@testable import Journal

/// The core, the journal and scripted panels in thousands of random stories, each from one seed, checked against
/// independently written rules.
@Suite struct SimulationTests {
    @Test(arguments: Seeds.chosen.chunks)
    func `every display is right after every story`(seeds: Range<UInt64>) throws {
        var failed: [UInt64] = []
        for seed in seeds {
            if try Story(seed: seed).play() != nil { failed.append(seed) }
        }
        if let first = failed.first {
            Issue.record(Comment(rawValue: "\(failed) fail, of which \(try Seeds.retell(first))"))
        }
        Seeds.played(seeds.count)
    }

    @Test(arguments: Seeds.chosen.chunks)
    func `every provided display is right after every story of clients`(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let story = try ProvidedStory(seed: seed)
            guard let violation = try story.play() else { continue }
            Issue.record("seed \(seed): \(violation)\n\(story.lines.joined(separator: "\n"))")
            return
        }
    }

    @Test(arguments: Seeds.chosen.chunks)
    func `every monitor is found, and changed back, after every story`(seeds: Range<UInt64>) {
        for seed in seeds {
            var story = FindingStory(seed: seed)
            guard let violation = story.play() else { continue }
            Issue.record("seed \(seed): \(violation)\n\(story.lines.joined(separator: "\n"))")
            return
        }
    }

    @Test(arguments: Seeds.chosen.chunks)
    func `every follower is right after every story`(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let story = try FollowerStory(seed: seed)
            guard let violation = try story.play() else { continue }
            Issue.record("seed \(seed): \(violation)\n\(story.lines.joined(separator: "\n"))")
            return
        }
    }

    /// One seed in ten.
    @Test(arguments: Seeds.chosen.chunks)
    func `every client gets its share after every story`(seeds: Range<UInt64>) {
        for seed in seeds where seed.isMultiple(of: 10) || Seeds.chosen.one != nil {
            guard let violation = QuotaStory(seed: seed).play() else { continue }
            Issue.record("seed \(seed): \(violation)")
            return
        }
    }

    /// One seed in a hundred: each story has minutes of a bus.
    @Test(arguments: Seeds.chosen.chunks)
    func `every television is right after every story`(seeds: Range<UInt64>) throws {
        for seed in seeds where seed.isMultiple(of: 100) || Seeds.chosen.one != nil {
            var story = try TelevisionStory(seed: seed)
            guard let violation = try story.play() else { continue }
            Issue.record("seed \(seed): \(violation)\n\(story.lines.joined(separator: "\n"))")
            return
        }
    }
}

/// The seeds to play. `SIMULATION_SEED` selects one; otherwise `SIMULATION_SEEDS` is their number, from
/// `SIMULATION_FIRST` on.
struct Seeds {
    static let chosen = Seeds(
        one: number("SIMULATION_SEED"),
        first: number("SIMULATION_FIRST") ?? 0,
        count: number("SIMULATION_SEEDS")
    )
    private static let done = Atomic<Int>(0)

    let one: UInt64?
    let first: UInt64
    let count: UInt64?

    private var all: Range<UInt64> { one.map { $0..<$0 + 1 } ?? first..<first + (count ?? 5_000) }

    /// A hundred tests, of which as many run at a time as there are processors.
    var chunks: [Range<UInt64>] {
        let size = max(1, all.count / 100)
        return stride(from: all.lowerBound, to: all.upperBound, by: size).map {
            $0..<min($0 + UInt64(size), all.upperBound)
        }
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    /// Prints the progress of long runs.
    static func played(_ count: Int) {
        let done = done.add(count, ordering: .relaxed).newValue
        if let all = chosen.count { print("\(done) of \(all) seeds") }
    }

    /// Plays the story again without its irrelevant steps, and returns it in words.
    static func retell(_ seed: UInt64) throws -> String {
        var story = Story(seed: seed, isVerbose: true)
        guard let full = try story.play() else { return "seed \(seed) fails, and then does not" }
        for step in (0..<50).reversed() {
            var shorter = story
            shorter.skipped.insert(step)
            if try shorter.play() != nil { story = shorter }
        }
        let short = try story.play() ?? full
        return """
            seed \(seed): \(full.violation)
            \(chosen.one == nil ? "" : full.lines.joined(separator: "\n") + "\n\n")\
            The same without the steps that do not matter: \(short.violation)
            \(short.lines.joined(separator: "\n"))
            To replay it: make simulate SEED=\(seed)
            """
    }
}
