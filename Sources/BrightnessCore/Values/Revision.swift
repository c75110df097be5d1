// SPDX-License-Identifier: Apache-2.0

/// The number of changes of all displays since the daemon started.
package struct Revision: Hashable, Sendable, Comparable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package var next: Revision { Revision(number + 1) }

    package static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }
}

/// The identifier of one run of the daemon, which distinguishes its revisions from those of other runs.
///
/// Eight lowercase hexadecimal digits, drawn at random at the start. Together with a revision it is the event id and
/// the ETag, `epoch-revision`.
package struct Epoch: Hashable, Sendable {
    package let text: String

    package init(number: UInt32) {
        let digits = String(number, radix: 16)
        text = String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    package static func random() -> Epoch { Epoch(number: .random(in: .min ... .max)) }

    /// Reads `epoch-revision`; `nil` for anything else, and for a revision of another run.
    package func revision(of tag: some StringProtocol) -> Revision? {
        let digits = tag.dropFirst(text.count + 1)
        // Only the canonical form: 01 and +1 are other tags.
        guard tag.hasPrefix("\(text)-"),
            digits == "0" || digits.utf8.first.map({ (0x31...0x39).contains($0) }) ?? false,
            let number = UInt64(digits)
        else { return nil }
        return Revision(number)
    }
}
