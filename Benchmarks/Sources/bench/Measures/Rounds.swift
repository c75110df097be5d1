// SPDX-License-Identifier: Apache-2.0

/// Samples of a subject and of the peer it is compared with, taken in turn in the same run.
struct Rounds<Sample: Codable & Sendable>: Codable, Sendable {
    private(set) var subject: [Sample] = []
    private(set) var peer: [Sample] = []

    /// A B, B A, A B, …: what drifts with time meets both alike.
    init(_ count: Int, subject: () throws -> Sample, peer: () throws -> Sample) rethrows {
        for round in 0..<count {
            if round.isMultiple(of: 2) { self.subject.append(try subject()) }
            self.peer.append(try peer())
            if !round.isMultiple(of: 2) { self.subject.append(try subject()) }
        }
    }

    func medians(of figure: (Sample) -> Double) -> (subject: Double, peer: Double) {
        (median(subject.map(figure)), median(peer.map(figure)))
    }

    /// The median of each round's own ratio, which noise that lasts longer than a round does not touch.
    func ratio(of figure: (Sample) -> Double) -> Double {
        median(zip(subject, peer).map { figure($0) / figure($1) })
    }
}

/// The middle value, or the mean of the two in the middle.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return .nan }
    return (sorted[last / 2] + sorted[(last + 1) / 2]) / 2
}
