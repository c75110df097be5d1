// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Reads the states of other daemons' displays. An invalid document is rejected.
extension DisplayState {
    /// The maximum length of a display's name at its node, in characters.
    private static let longestName = 256

    /// - Parameters:
    ///   - json: The document that `json` writes; at most `JSONDocument.defaultLongest` bytes are parsed.
    ///   - id: The display's id here.
    ///   - reporter: Its node. The state keeps the node's own revision.
    init?(mirrored json: [UInt8], as id: DisplayID, from reporter: Reporter) {
        guard let root = JSONDocument(parsing: json)?.root, let state = DisplayState(reading: root),
            state.name.isPlain(ofLength: 0...Self.longestName)
        else { return nil }
        self = state.mirrored(
            as: id,
            named: "\(reporter.node.node): \(state.name)",
            principal: state.cause.principal.map { reporter.principal($0.text) },
            leader: state.leader.flatMap { MirroredDisplays.Key(node: reporter.node, name: $0).id }
        )
    }
}

extension Lease {
    /// The longest list of leases, in bytes, that is parsed and published: `LeaseTable.limit` of them with short names.
    static let longestList = 262_144

    /// Reads the document of `GET …/leases`. Returns `nil` for anything else, and for more than `longestList` bytes.
    ///
    /// - Parameter id: The display's id here.
    static func all(
        mirrored json: [UInt8],
        on id: DisplayID,
        from reporter: Reporter,
        at now: Moment
    ) -> [Lease]? {
        JSONDocument(parsing: json, upTo: longestList).flatMap { LeaseTable.leases(in: $0.root, at: now) }?
            .map { $0.mirrored(on: id, from: reporter) }
    }

    /// Reads one lease, the response to a boost.
    init?(mirrored json: JSONNode, on id: DisplayID, from reporter: Reporter, at now: Moment) {
        guard let lease = Lease(reading: json, at: now) else { return nil }
        self = lease.mirrored(on: id, from: reporter)
    }

    private func mirrored(on id: DisplayID, from reporter: Reporter) -> Lease {
        mirrored(on: id, principal: reporter.principal(principal.text))
    }
}
