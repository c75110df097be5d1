// SPDX-License-Identifier: Apache-2.0
import Glibc

/// CPU time, memory and descriptors of this process, under the standard names of Prometheus client libraries.
package struct ProcessSample: Sendable {
    let cpuSeconds: Double
    let virtualBytes: Int
    let residentBytes: Int
    let openDescriptors: Int
    /// `nil` without a limit.
    let descriptorLimit: UInt?

    /// Reads `/proc`. The time grows with the open descriptors: not for a shard's thread.
    package init() {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        cpuSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        let pages = Self.pages
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        virtualBytes = (pages.first ?? 0) * pageSize
        residentBytes = (pages.dropFirst().first ?? 0) * pageSize
        openDescriptors = Self.countDescriptors()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        descriptorLimit = limit.rlim_cur == UInt.max ? nil : limit.rlim_cur
    }

    /// The sizes in `/proc/self/statm`, in pages: total, resident, and more.
    private static var pages: [Int] {
        let bytes = (try? RegularFile.read("/proc/self/statm", upTo: 1).bytes) ?? []
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }

    private static func countDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Minus `.`, `..` and the folder itself.
        return count - 3
    }

    /// - Parameter start: The start time in seconds since 1970.
    package func write(to exposition: inout Exposition, start: Double) {
        exposition.single(
            "process_cpu_seconds_total",
            "CPU time of the process, user and system, in seconds.",
            cpuSeconds
        )
        exposition.single("process_resident_memory_bytes", "Resident memory.", Double(residentBytes))
        exposition.single("process_virtual_memory_bytes", "Virtual memory.", Double(virtualBytes))
        exposition.single("process_open_fds", "Open file descriptors.", Double(openDescriptors))
        exposition.single(
            "process_max_fds",
            "Maximum number of open file descriptors.",
            descriptorLimit.map(Double.init)
        )
        let help: StaticString = "Start time of the process since the Unix epoch in seconds."
        exposition.single("process_start_time_seconds", help, start)
    }
}
