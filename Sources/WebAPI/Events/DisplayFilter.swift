// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

/// The displays that a list or a stream selects: `?display=hall:*`, `?group=lobby`, `?tag=floor1`.
///
/// A repeated parameter selects the displays of each value; different parameters narrow each other.
struct DisplayFilter {
    /// The maximum number of tags, and of patterns in `display`. Each display and each event is compared with each.
    private static let limit = 16

    /// For each parameter. A display must match one pattern of each.
    private let selectors: [DisplaySelector]

    /// - Parameters:
    ///   - displays: Ids, or patterns such as `hall:*` and `tag:floor1`; "" for the present default display.
    ///   - problem: Makes the problem of an invalid parameter from its name and the detail.
    init(
        displays: [String],
        groups: [String],
        tags: [String],
        _ commands: CommandHandler,
        orElse problem: (_ parameter: String, _ detail: String) -> Problem
    ) throws(Problem) {
        var (named, members, tagged): (Set<DisplayPattern>, Set<DisplayPattern>, Set<DisplayPattern>) = ([], [], [])
        for text in displays {
            // Without a default display, the empty id, which no display has.
            let defaultID = text.isEmpty ? Glob((try? commands.state(of: .defaultDisplay))?.id.text ?? "") : nil
            guard let pattern = defaultID.map(DisplayPattern.id) ?? DisplayPattern(text) else {
                throw Problem(
                    .invalidRequest,
                    "\"\(text.plain(upTo: 64))\" is not the id of a display, nor a pattern such as hall:* or "
                        + "tag:floor1."
                )
            }
            named.insert(pattern)
        }
        guard named.count(where: { !$0.isID }) <= Self.limit else {
            throw problem("display", "display may have at most \(Self.limit) patterns with \"*\" or \"tag:\".")
        }
        for name in Set(groups) {
            members.formUnion(try commands.group(name).selector.patterns)
            guard members.count <= DisplaySelector.limit else {
                let limit = DisplaySelector.limit
                throw problem("group", "The groups of a request may have at most \(limit) patterns together.")
            }
        }
        for text in tags {
            guard let tag = DisplayTag(text) else {
                throw problem("tag", "tag must have 1 to 32 letters, digits, \"_\", \".\" and \"-\".")
            }
            tagged.insert(.tag(tag))
        }
        guard tagged.count <= Self.limit else { throw problem("tag", "tag may have at most \(Self.limit) values.") }
        selectors = [named, members, tagged].compactMap { patterns in
            patterns.isEmpty ? nil : DisplaySelector(patterns.sorted { $0.text < $1.text })
        }
    }

    func includes(_ state: DisplayState) -> Bool { selectors.allSatisfy { $0.includes(state) } }

    /// Equal for equal filters.
    var text: String { selectors.map(\.description).joined(separator: " & ") }

    var subjects: [SubjectSet] { selectors.map { SubjectSet($0.patterns) } }

    /// The filter of a list; `nil` for a query without one.
    init?(_ context: RequestContext) throws(Problem) {
        let displays = context.request.queries("display")
        // A list compares each of its displays with each of these.
        guard displays.count <= Self.limit else {
            throw Problem(.invalidRequest, "display may be given at most \(Self.limit) times.")
        }
        try self.init(
            displays: displays,
            groups: context.request.queries("group"),
            tags: context.request.queries("tag"),
            context.backend.commands
        ) { Problem(.invalidRequest, $1) }
        if selectors.isEmpty { return nil }
    }
}

extension DisplayPattern {
    /// Whether it is an id, which matches one display at most.
    var isID: Bool {
        if case .id(let glob) = self { !glob.isPattern } else { false }
    }
}

extension SubjectSet {
    fileprivate init(_ patterns: [DisplayPattern]) {
        self.init()
        for pattern in patterns {
            switch pattern {
            case .id(let glob) where glob.isPattern: globs.append(glob)
            case .id(let glob): names.insert(glob.text)
            case .tag(let tag): labels.append(tag.text)
            }
        }
    }
}
