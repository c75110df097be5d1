// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The other load of the machine during a run, which makes numbers untrustworthy.
struct Disturbance: Codable, Sendable {
    /// Other programs' share of all processors, 0…1.
    let others: Double
    /// The share that the hypervisor gave to other machines, 0…1.
    let stolen: Double

    /// Above this, rates say little and even CPU times suffer from shared caches.
    var isHigh: Bool { others + stolen > 0.05 }

    var text: String { "\(fixed(others * 100, 1)) % other programs, \(fixed(stolen * 100, 1)) % stolen" }

    /// Counts from its creation on.
    struct Meter {
        private let before = Reading()

        /// Counts children only once they have been waited for.
        func read() -> Disturbance {
            let now = Reading()
            let all = max(now.all - before.all, .leastNonzeroMagnitude)
            let others = (now.busy - before.busy) - (now.ours - before.ours)
            return Disturbance(others: max(0, others / all), stolen: (now.stolen - before.stolen) / all)
        }
    }

    /// Processor times in seconds.
    private struct Reading {
        let busy, stolen, all, ours: Double

        init() {
            // cpu  user nice system idle iowait irq softirq steal …
            let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.prefix { $0 != "\n" } ?? ""
            let perSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
            let ticks = line.split(separator: " ").dropFirst().prefix(8).map { (Double($0) ?? 0) / perSecond }
            let times = ticks + Array(repeating: 0, count: 8 - ticks.count)
            stolen = times[7]
            busy = times[0...2].reduce(0, +) + times[5] + times[6]
            all = times.reduce(0, +)
            ours = [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue].map { who in
                var usage = rusage()
                getrusage(who, &usage)
                return [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }.reduce(
                    0,
                    +
                )
            }.reduce(0, +)
        }
    }
}
