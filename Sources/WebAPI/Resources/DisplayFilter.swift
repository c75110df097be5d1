// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// The displays that the query of a list selects: `?tag=floor1`, `?group=lobby`, `?display=hall:*`.
///
/// A repeated parameter selects the displays of each value; different parameters narrow each other.
struct DisplayFilter {
    private let selectors: [DisplaySelector]

    /// The most values of a parameter.
    private static let limit = 16

    /// Returns `nil` for a query without a filter.
    init?(_ context: RequestContext) throws(Problem) {
        func selector(
            _ name: StaticString,
            _ read: (String) throws(Problem) -> [DisplayPattern]
        ) throws(Problem) -> DisplaySelector? {
            let values = context.request.queries(name)
            guard !values.isEmpty else { return nil }
            guard values.count <= Self.limit else {
                throw Problem(.invalidRequest, "\(name) may be given at most \(Self.limit) times.")
            }
            var patterns: [DisplayPattern] = []
            for value in values { patterns += try read(value) }
            return DisplaySelector(patterns)
        }
        selectors = [
            try selector("tag") { text throws(Problem) in
                guard let tag = DisplayTag(text) else {
                    throw Problem(.invalidRequest, DisplayTag.rule)
                }
                return [.tag(tag)]
            },
            try selector("group") { text throws(Problem) in
                try context.backend.commands.group(text).selector.patterns
            },
            try selector("display") { text throws(Problem) in
                guard let pattern = DisplayPattern(text) else { throw .invalidPattern(text) }
                return [pattern]
            },
        ].compactMap(\.self)
        if selectors.isEmpty { return nil }
    }

    func includes(_ state: DisplayState) -> Bool { selectors.allSatisfy { $0.includes(state) } }

    /// Equal for equal filters.
    var text: String { selectors.map(\.description).joined(separator: " & ") }
}

extension DisplayTag {
    static let rule = "tag must have 1 to 32 letters, digits, \"_\", \".\" and \"-\"."
}

extension Problem {
    static func invalidPattern(_ text: String) -> Problem {
        Problem(
            .invalidRequest,
            "\"\(text.plain(upTo: 64))\" is not the id of a display, nor a pattern such as hall:* or tag:floor1."
        )
    }
}
