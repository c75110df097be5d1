// SPDX-License-Identifier: Apache-2.0
import Support

/// The displays of a preset's rule: an id, a pattern such as `hall:*`, `group:NAME`, `tag:NAME`, or `all`.
///
/// Smaller ones are more specific: an id, then the pattern with most characters, a group, a tag, and all.
package enum PresetDisplays: Hashable, Sendable, Comparable {
    case matching(DisplayPattern)
    /// The displays of a group of the daemon's options, as they are when the preset is applied.
    case group(GroupName)
    case all

    private static let everything = "all"

    /// Returns `nil` for text that no display can have.
    package init?(_ text: String) {
        if text == Self.everything {
            self = .all
        } else if text.hasPrefix(GroupName.prefix) {
            guard let name = GroupName(String(text.dropFirst(GroupName.prefix.count))) else { return nil }
            self = .group(name)
        } else {
            guard let pattern = DisplayPattern(text) else { return nil }
            self = .matching(pattern)
        }
    }

    package var text: String {
        switch self {
        case .matching(let pattern): pattern.text
        case .group(let name): "\(GroupName.prefix)\(name.text)"
        case .all: Self.everything
        }
    }

    func includes(_ state: DisplayState, among groups: DisplayGroups) -> Bool {
        switch self {
        case .matching(let pattern): pattern.includes(state)
        case .group(let name): groups[name.text]?.selector.includes(state) ?? false
        case .all: true
        }
    }

    /// The length of a pattern. Others are in the order of their names.
    private var length: Int {
        if case .matching(.id(let glob)) = self, glob.isPattern { glob.text.utf8.count } else { 0 }
    }

    private var rank: Int {
        switch self {
        case .matching(.id(let glob)): glob.isPattern ? 1 : 0
        case .group: 2
        case .matching(.tag): 3
        case .all: 4
        }
    }

    package static func < (left: PresetDisplays, right: PresetDisplays) -> Bool {
        (left.rank, -left.length, left.text) < (right.rank, -right.length, right.text)
    }
}
