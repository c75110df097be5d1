// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A scope, and the displays that it is limited to: `read`, `write`, `write[hall:*,group:lobby,tag:kiosk]`.
package struct LimitedScope: Hashable, Sendable {
    package let scope: Scope
    /// The displays that may be changed; `nil` for every display.
    package let limit: DisplaySelector?

    /// - Parameters:
    ///   - scopes: With commas; the highest one counts.
    ///   - limit: The text in the brackets; `nil` without any.
    init(
        scopes: Substring,
        limit: Substring?,
        _ groups: DisplayGroups
    ) throws(TokenFileError.Reason) {
        if let limit {
            let texts = limit.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
            guard let selector = groups.selector(texts) else { throw .limit }
            self.limit = selector
        } else {
            self.limit = nil
        }
        let scopes = scopes.split(separator: ",").map { Scope(rawValue: String($0)) }
        guard !scopes.contains(nil), let highest = scopes.compactMap({ $0 }).max() else { throw .scope }
        // Reading is not limited, and the text must not look as if it were.
        guard limit == nil || highest > .read else { throw .limit }
        scope = highest
    }

    /// - Parameter groups: The groups that the scope may be limited to.
    package init(_ text: String, _ groups: DisplayGroups) throws(TokenFileError.Reason) {
        let scopes = text.prefix { $0 != "[" }
        let rest = text[scopes.endIndex...]
        guard rest.isEmpty || rest.last == "]" else { throw .limit }
        try self.init(scopes: scopes, limit: rest.isEmpty ? nil : rest.dropFirst().dropLast(), groups)
    }
}
