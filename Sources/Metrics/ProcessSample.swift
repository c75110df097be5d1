// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What this process has taken of the machine, under the names that every Prometheus client library has for it.
package struct ProcessSample: Sendable {
    let cpuSeconds: Double
    let virtualBytes: Int
    let residentBytes: Int
    let openDescriptors: Int
    /// `nil` for any number.
    let descriptorLimit: UInt?

    /// Looks into `/proc`, which takes longer the more descriptors there are: not for a shard's thread.
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

    /// All of it, the resident part, and more.
    private static var pages: [Int] {
        guard let file = fopen("/proc/self/statm", "re") else { return [] }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return [] }
        return String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .split(separator: " ").compactMap { Int($0) }
    }

    private static func countDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Less `.`, `..` and the folder itself.
        return count - 3
    }

    /// - Parameter start: When the process began, in seconds since 1970.
    package func write(to exposition: inout Exposition, start: Double) {
        exposition.family(
            "process_cpu_seconds_total",
            .counter,
            help: "CPU time of the process, user and system, in seconds."
        )
        exposition.sample(cpuSeconds)
        exposition.family("process_resident_memory_bytes", .gauge, help: "Resident memory.")
        exposition.sample(residentBytes)
        exposition.family("process_virtual_memory_bytes", .gauge, help: "Virtual memory.")
        exposition.sample(virtualBytes)
        exposition.family("process_open_fds", .gauge, help: "Open file descriptors.")
        exposition.sample(openDescriptors)
        exposition.family("process_max_fds", .gauge, help: "How many file descriptors it may open.")
        if let descriptorLimit { exposition.sample(descriptorLimit) }
        exposition.family("process_start_time_seconds", .gauge, help: "When the process began, in seconds since 1970.")
        exposition.sample(start)
    }
}
