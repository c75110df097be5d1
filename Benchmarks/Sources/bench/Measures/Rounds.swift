// SPDX-License-Identifier: Apache-2.0

/// One of the servers that are measured in turn.
struct Contestant<Sample> {
    let name: String
    /// It sits out the rounds after these.
    var rounds = Int.max
    let sample: () throws -> Sample
}

/// Samples of several servers, taken in turn in the same run.
struct Rounds<Sample: Codable & Sendable>: Codable, Sendable {
    /// By server; one a round, as long as it took part.
    private(set) var samples: [String: [Sample]] = [:]

    /// A B C, C B A, A B C, …: what drifts with time meets all alike.
    init(_ count: Int, _ contestants: [Contestant<Sample>]) throws {
        for round in 0..<count {
            let present = contestants.filter { round < $0.rounds }
            for contestant in round.isMultiple(of: 2) ? present : present.reversed() {
                samples[contestant.name, default: []].append(try contestant.sample())
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
