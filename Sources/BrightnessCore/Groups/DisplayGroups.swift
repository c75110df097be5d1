// SPDX-License-Identifier: Apache-2.0

/// A group's name in paths and options: 1 to 32 letters, digits and `_ . -`.
package struct GroupName: Hashable, Sendable {
    package let text: String

    /// Begins the name of a group where patterns are expected, as in `group:lobby`.
    static let prefix = "group:"

    init?(_ text: String) {
        guard text.isName(upTo: 32) else { return nil }
        self.text = text
    }
}

/// A name for some displays: `lobby=hall:*,lobby:*`. Displays that appear later are in it as well.
package struct DisplayGroup: Hashable, Sendable {
    package let name: GroupName
    package let selector: DisplaySelector

    /// Reads `NAME=PATTERN,…`. Returns `nil` for any other text, and for more than `DisplaySelector.limit` patterns.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = GroupName(String(parts[0])) else { return nil }
        let patterns = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let selector = DisplayGroups.none.selector(patterns) else { return nil }
        (self.name, self.selector) = (name, selector)
    }
}

/// The groups of a daemon, in the order of its options.
package struct DisplayGroups: Hashable, Sendable {
    package let all: [DisplayGroup]

    package static let limit = 256

    package static let none = DisplayGroups(all: [])

    package enum Failure: Error, Hashable {
        case tooMany
        case twice(GroupName)
    }

    private init(all: [DisplayGroup]) { self.all = all }

    package init(_ groups: [DisplayGroup]) throws(Failure) {
        guard groups.count <= Self.limit else { throw .tooMany }
        var names: Set<GroupName> = []
        for group in groups where !names.insert(group.name).inserted { throw .twice(group.name) }
        all = groups
    }

    package subscript(name: String) -> DisplayGroup? { all.first { $0.name.text == name } }

    /// Reads patterns and, as `group:NAME`, the patterns of groups. Returns `nil` if one is invalid or a group unknown,
    /// and for none or more than `DisplaySelector.limit`.
    package func selector(_ texts: [String]) -> DisplaySelector? {
        var patterns: [DisplayPattern] = []
        for text in texts {
            if text.hasPrefix(GroupName.prefix) {
                guard let group = self[String(text.dropFirst(GroupName.prefix.count))] else { return nil }
                patterns += group.selector.patterns
            } else {
                guard let pattern = DisplayPattern(text) else { return nil }
                patterns.append(pattern)
            }
        }
        guard (1...DisplaySelector.limit).contains(patterns.count) else { return nil }
        return DisplaySelector(patterns)
    }
}
