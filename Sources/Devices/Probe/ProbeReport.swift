// SPDX-License-Identifier: Apache-2.0

/// The report of `brightnessd probe`: tables, and remedies.
package struct ProbeReport: Sendable, CustomStringConvertible {
    /// Rows under headings.
    package struct Table: Sendable {
        package let title: String
        package let headings: [String]
        package var rows: [[String]] = []
        /// Notes below the table, one sentence per line.
        package var remarks: [String] = []
    }

    package var tables: [Table] = []
    /// The steps that make unusable devices usable, in order, each once.
    package private(set) var remedies: [String] = []
    /// Whether a display can be set or switched.
    package var isUsable = false

    mutating func advise(_ remedy: String) {
        if !remedies.contains(remedy) { remedies.append(remedy) }
    }

    /// The names of a table's columns in JSON, from its headings: `can be set` is `canBeSet`.
    package static func memberName(_ heading: String) -> String {
        let words = heading.filter { $0.isLetter || $0.isNumber || $0 == " " }.split(separator: " ")
        return words.enumerated().map { index, word in
            index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst().lowercased()
        }.joined()
    }

    package var description: String {
        let sections = tables.map(\.description) + (remedies.isEmpty ? [] : [advice])
        return sections.joined(separator: "\n\n")
    }

    private var advice: String {
        "To do\n" + remedies.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
    }
}

extension ProbeReport.Table: CustomStringConvertible {
    package var description: String {
        let lines = rows.isEmpty ? [] : [headings] + rows
        let widths = headings.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let table = lines.map { line in
            let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "  " + cells.joined(separator: "  ").trimmingEnd()
        }
        return ([title] + (rows.isEmpty ? ["  none"] : table) + remarks.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension String {
    fileprivate func trimmingEnd() -> String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
