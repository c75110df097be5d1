// SPDX-License-Identifier: Apache-2.0

/// What is demanded of each figure.
extension Run {
    /// For a server against itself every ratio that has a bound must be near 1.
    private func bound(_ bound: Bound) -> Bound {
        switch bound {
        case .ratioAtMost, .ratioAtLeast: isSelfCheck ? .ratioWithin(0.9, 1.1) : bound
        case .valueAtMost, .valueAtLeast, .ratioWithin: bound
        }
    }

    func rows(of rounds: Rounds<FanOut.Sample>, against peer: String) -> [Row] {
        [
            row(
                "CPU per delivery, \(fixed(Double(plan.streams), 0)) streams",
                "µs",
                2,
                peer,
                rounds,
                .ratioAtMost(1.25),
                \.cpuPerDelivery
            ),
            row("user memory per stream", "KiB", 3, peer, rounds, .valueAtMost(0.5), \.memoryPerStream),
            row("descriptors per stream", "", 3, peer, rounds, nil, \.descriptorsPerStream),
            row("change to last stream", "ms", 1, peer, rounds, nil, \.lastStream),
            row("connects with first event", "/s", 0, peer, rounds, nil, \.connectsPerSecond),
            row("events per change and stream", "", 3, peer, rounds, nil, \.eventsPerChange),
        ]
    }

    func rows(of rounds: Rounds<StateGet.Sample>, against peer: String) -> [Row] {
        [
            row("GET state, \(plan.connections) connections", "/s", 0, peer, rounds, .ratioAtLeast(0.9), \.rate),
            row("GET state, per second of CPU", "/s", 0, peer, rounds, .ratioAtLeast(0.9)) { 1e6 / $0.cpuPerAnswer },
            row("server busy during GETs", "%", 0, peer, rounds, nil) { $0.busy * 100 },
        ]
    }

    func rows(of rounds: Rounds<BoostPairs.Sample>, against peer: String) -> [Row] {
        [
            row("boosts with their release", "/s", 0, peer, rounds, .valueAtLeast(10_000), \.rate),
            row("boost or release, 99 of 100", "ms", 2, peer, rounds, .valueAtMost(5), \.percentile99),
            row("boost or release, half of them", "ms", 2, peer, rounds, nil, \.median),
            row("CPU per boost with its release", "µs", 1, peer, rounds, nil, \.cpuPerPair),
        ]
    }

    private func row<Sample>(
        _ what: String,
        _ unit: String,
        _ digits: Int,
        _ peer: String,
        _ rounds: Rounds<Sample>,
        _ bound: Bound?,
        _ figure: (Sample) -> Double
    ) -> Row {
        Row(
            what,
            unit: unit,
            digits: digits,
            values: rounds.medians(of: figure),
            ratio: rounds.ratio(of: figure),
            peerName: peer,
            bound: bound.map(self.bound)
        )
    }
}
