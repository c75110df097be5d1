// SPDX-License-Identifier: Apache-2.0
package import Support

/// Some displays: those whose ids match a glob, or those with a tag.
///
/// ```
///   hall:*       every display of the node hall
///   DP-1         the display DP-1 of this machine
///   tag:floor1   every display with the tag floor1
/// ```
package enum DisplayPattern: Hashable, Sendable {
    case id(Glob)
    case tag(DisplayTag)

    private static let tagPrefix = "tag:"

    /// Returns `nil` for text that matches no possible id or tag.
    package init?(_ text: String) {
        if text.hasPrefix(Self.tagPrefix) {
            guard let tag = DisplayTag(String(text.dropFirst(Self.tagPrefix.count))) else { return nil }
            self = .tag(tag)
        } else {
            // An id stays valid with a digit in place of each `*`.
            guard DisplayID(text.replacing("*", with: "0")) != nil, !text.hasPrefix(GroupName.prefix) else {
                return nil
            }
            self = .id(Glob(text))
        }
    }

    func includes(_ state: DisplayState) -> Bool {
        switch self {
        case .id(let glob): glob.matches(state.id.text)
        case .tag(let tag): state.tags.contains(tag)
        }
    }

    package var text: String {
        switch self {
        case .id(let glob): glob.text
        case .tag(let tag): "\(Self.tagPrefix)\(tag.text)"
        }
    }
}

/// The displays that match one of several patterns.
package struct DisplaySelector: Hashable, Sendable, CustomStringConvertible {
    package let patterns: [DisplayPattern]

    /// The maximum number of patterns of a group or a token.
    package static let limit = 64

    package init(_ patterns: [DisplayPattern]) { self.patterns = patterns }

    package func includes(_ state: DisplayState) -> Bool { patterns.contains { $0.includes(state) } }

    /// Whether a pattern matches the id of a display that there may not be yet.
    package func includes(_ id: DisplayID) -> Bool {
        patterns.contains { if case .id(let glob) = $0 { glob.matches(id.text) } else { false } }
    }

    package var description: String { patterns.map(\.text).joined(separator: ", ") }
}
