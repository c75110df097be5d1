// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// The time zone of this process, by glibc. It is that of the last `tzset`.
struct LocalTime: TimeZoneRules {
    func offset(at second: Int64) -> Int64 {
        var time = time_t(second)
        var local = tm()
        guard localtime_r(&time, &local) != nil else { return 0 }
        return Int64(local.tm_gmtoff)
    }

    /// Makes `name` the time zone of this process. Call it before there are other threads.
    static func use(_ name: String) { setenv("TZ", name == "UTC" ? "UTC0" : ":\(name)", 1) }

    /// Whether the system knows a time zone, such as `Europe/Berlin`.
    static func exists(_ name: String) -> Bool {
        let isName = name.utf8.allSatisfy { $0.isLetterOrDigit || "/_+-".utf8.contains($0) }
        guard isName, let first = name.first, first.isLetter else { return false }
        if name == "UTC" { return true }
        let directory = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        guard let file = fopen("\(directory)/\(name)", "re") else { return false }
        defer { fclose(file) }
        var magic = [UInt8](repeating: 0, count: 4)
        return fread(&magic, 1, magic.count, file) == magic.count && magic == Array("TZif".utf8)
    }
}
