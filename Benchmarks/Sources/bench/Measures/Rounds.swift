// SPDX-License-Identifier: Apache-2.0

/// A server that is measured in turn with others.
struct Contestant<Sample> {
    let name: String
    /// The number of rounds it takes part in.
    var rounds = Int.max
    /// Whether a failure only excludes it from further rounds, without stopping the run.
    var isDispensable = false
    let sample: () throws -> Sample
}

/// Samples of several servers, taken in turn in the same run.
struct Rounds<Sample: Codable & Sendable>: Codable, Sendable {
    /// The samples by server, one per round it took part in.
    private(set) var samples: [String: [Sample]] = [:]

    /// A B C, C B A, A B C, …: what drifts with time meets all alike.
    ///
    /// - Parameter end: No round begins after it but the first.
    init(_ count: Int, until end: ContinuousClock.Instant, _ contestants: [Contestant<Sample>]) throws {
        var leftOut: Set<String> = []
        for round in 0..<count where round == 0 || ContinuousClock.now < end {
            let present = contestants.filter { round < $0.rounds && !leftOut.contains($0.name) }
            for contestant in round.isMultiple(of: 2) ? present : present.reversed() {
                do {
                    samples[contestant.name, default: []].append(try contestant.sample())
                } catch  where contestant.isDispensable {
                    progress("\(contestant.name) is left out from here on: \(error)")
                    leftOut.insert(contestant.name)
                    if samples[contestant.name]?.isEmpty ?? false { samples[contestant.name] = nil }
                }
            }
        }
    }

    func median(of name: String, _ figure: (Sample) -> Double) -> Double {
        bench.median((samples[name] ?? []).map(figure))
    }

    /// The median of each round's own ratio, which noise that lasts longer than a round does not touch.
    func ratio(of name: String, to peer: String, _ figure: (Sample) -> Double) -> Double {
        bench.median(zip(samples[name] ?? [], samples[peer] ?? []).map { figure($0) / figure($1) })
    }
}

/// The middle value, or the mean of the two in the middle.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return .nan }
    return (sorted[last / 2] + sorted[(last + 1) / 2]) / 2
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
