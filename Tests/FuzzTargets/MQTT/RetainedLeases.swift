// SPDX-License-Identifier: Apache-2.0
import MQTT
import TestSupport

@testable import BrightnessCore
@testable import MQTTBridge

/// A retained list of leases of another daemon's display; also read as the response to a boost, of one
/// display or several.
enum RetainedLeases {
    static func reporter() throws -> Reporter {
        Reporter(
            node: Topics(prefix: "b", node: try require(NodeName("far"), "a name")),
            own: Topics(prefix: "b", node: try require(NodeName("edge"), "a name"))
        )
    }

    static func check(_ json: [UInt8]) throws {
        let id = try require(DisplayID("far:panel"), "an id")
        let reporter = try reporter()
        if let value = JSONDocument(parsing: json)?.root,
            let lease = Lease(mirrored: value, on: id, from: reporter, at: .start)
        {
            try check(lease)
        }
        _ = BatchAnswer(json)
        if let leases = Lease.all(mirrored: json, on: id, from: reporter, at: .start) { try check(leases, json, id) }
    }

    private static func check(_ leases: [Lease], _ json: [UInt8], _ id: DisplayID) throws {
        try require(json.count <= Lease.longestList, "a list of \(json.count) bytes")
        try require(leases.count <= LeaseTable.limit, "\(leases.count) leases")
        try require(Set(leases.map(\.id)).count == leases.count, "two leases with one id")
        for lease in leases { try check(lease) }
        // This daemon publishes them again.
        let table = LeaseTable(display: id, goingOnWith: leases, at: .start)
        let written = table.json
        try require(StrictJSON(written).isValid, "the document is not JSON: \(written.text)")
        let again = try require(
            Lease.all(mirrored: written, on: id, from: reporter(), at: .start),
            "the document is not a list of leases"
        )
        try require(
            written.count > Lease.longestList || again.map(\.id) == table.all.map(\.id),
            "other leases are published"
        )
    }

    private static func check(_ lease: Lease) throws {
        let brightness = lease.brightness?.fraction
        try require(brightness.map { (0...1).contains($0) } ?? true, "a brightness of \(brightness ?? -1)")
        try require((brightness == nil) == (lease.kind.subject == .power), "a brightness of a wrong kind")
        let letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
        let isPlain = lease.id.text.unicodeScalars.allSatisfy { letters.unicodeScalars.contains($0) }
        try require(isPlain && (1...128).contains(lease.id.text.utf8.count), "a lease has the id \(lease.id.text)")
        for text in [lease.holder, lease.reason].compactMap({ $0 }) {
            try require(text.isPlain && text.unicodeScalars.count <= 256, "the text \(text.debugDescription)")
        }
    }
}
