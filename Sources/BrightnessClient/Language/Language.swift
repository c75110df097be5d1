// SPDX-License-Identifier: Apache-2.0

/// A language of the command line. The texts of the source are English; each other language has a file with its table.
///
/// Not translated: commands, options, JSON, and sentences of the daemon, which are those of its REST API.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// The language of this terminal.
    static let current = Language(
        locale: ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { Variable[$0] }.first ?? ""
    )

    /// The language of a locale such as `de_DE.UTF-8`; English if there is no table for it.
    package init(locale: String) {
        self = Language(rawValue: String(locale.prefix { $0 != "_" && $0 != "." && $0 != "@" })) ?? .english
    }

    /// The translations by the English texts, in which `{0}` is the first value.
    package var table: [String: String] {
        switch self {
        case .english: [:]
        case .german: Self.germanTable
        }
    }
}
