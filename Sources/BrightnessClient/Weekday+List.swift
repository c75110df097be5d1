// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Weekday {
    private static let groups: [String: Set<Weekday>] = [
        "weekdays": [.mon, .tue, .wed, .thu, .fri], "weekend": [.sat, .sun], "weekends": [.sat, .sun],
        "daily": Set(allCases), "all": Set(allCases),
    ]

    private static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// The days of a list with commas: days, ranges such as `fri-mon`, `weekdays`, `weekend`. In the order of the week,
    /// each once; `nil` for anything else.
    package static func list(_ text: String) -> [Weekday]? {
        var days: Set<Weekday> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            if let group = groups[String(part)] {
                days.formUnion(group)
                continue
            }
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                // Three letters at least, as in "thurs".
                names.firstIndex { name.count >= 3 && $0.hasPrefix(name) }
            }
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else { return nil }
            var index = first
            while index != last {
                days.insert(allCases[index])
                index = (index + 1) % allCases.count
            }
            days.insert(allCases[last])
        }
        return allCases.filter(days.contains)
    }
}
