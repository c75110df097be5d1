// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// `"epoch-revision"`: the ETag of a state, and without the quotes the id of its event.
struct EntityTag: Equatable {
    let epoch: Epoch
    let revision: Revision

    var id: String { "\(epoch.text)-\(revision.number)" }

    var text: String { "\"\(epoch.text)-\(revision.number)\"" }

    init(_ epoch: Epoch, _ revision: Revision) {
        self.epoch = epoch
        self.revision = revision
    }

    /// Reads `epoch-revision`; `nil` for anything else and for a tag of another run.
    init?(id: some StringProtocol, in epoch: Epoch) {
        guard let revision = epoch.revision(of: id) else { return nil }
        self.init(epoch, revision)
    }
}

/// A list of entity tags in `If-Match` or `If-None-Match` (RFC 9110, section 13.1).
struct Condition {
    /// Whether it is `*`, which matches every state.
    let isAny: Bool
    /// The revisions of this run. Tags of another run or server match nothing.
    let revisions: Set<Revision>

    init(_ field: String, in epoch: Epoch) { self.init(Self.tags(in: field), in: epoch) }

    /// - Parameter isStrong: Weak tags match nothing, as `If-Match` requires.
    init(_ tags: [Substring], in epoch: Epoch, isStrong: Bool = false) {
        isAny = tags.contains("*")
        revisions = Set(
            tags.compactMap { tag -> Revision? in
                let strong = !isStrong && tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
                guard strong.count >= 2, strong.first == "\"", strong.last == "\"" else { return nil }
                return EntityTag(id: strong.dropFirst().dropLast(), in: epoch)?.revision
            }
        )
    }

    static func tags(in field: String) -> [Substring] {
        field.split(separator: ",").map { $0.drop(while: isBlank) }.map { $0.prefix { !isBlank($0) } }
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    func holds(for revision: Revision) -> Bool { isAny || revisions.contains(revision) }
}
