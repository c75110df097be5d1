// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The machine of the measurements.
struct Hardware: Codable, Sendable {
    let cores: Int
    let processor: String
    let kernel: String
    let memoryGiB: Double

    init() {
        func line(_ path: String, _ field: String) -> String? {
            (try? String(contentsOfFile: path, encoding: .utf8))?
                .split(separator: "\n").first { $0.hasPrefix(field) }
                .map { String($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
        }
        cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        processor = line("/proc/cpuinfo", "model name") ?? "unknown"
        kernel =
            (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8))?
            .split(separator: "\n").first.map(String.init) ?? "unknown"
        memoryGiB =
            (line("/proc/meminfo", "MemTotal")?.split(separator: " ").first).flatMap { Double($0) }
            .map { $0 / 1024 / 1024 } ?? 0
    }

    var text: String {
        "\(cores) cores of \(processor), \(fixed(memoryGiB, 0)) GiB, Linux \(kernel)"
    }
}
