// SPDX-License-Identifier: Apache-2.0

/// What streams and WebSockets were let in with, such as a token. Many share one. Any thread.
package protocol StreamPermit: AnyObject, Sendable {
    /// Once it is not, whatever was let in with it is ended within a second or two.
    var isValid: Bool { get }
}

/// Whom an event is for, and until when: streams with the same filter and permit have one between them.
struct Readership: Hashable {
    var filter: EventFilter
    let permit: (any StreamPermit)?

    static func == (left: Readership, right: Readership) -> Bool {
        left.filter == right.filter && left.permit === right.permit
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(filter)
        hasher.combine(permit.map(ObjectIdentifier.init))
    }
}
