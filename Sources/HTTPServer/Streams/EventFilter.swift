// SPDX-License-Identifier: Apache-2.0

/// Which events a stream gets. `nil` stands for all.
package struct EventFilter: Hashable, Sendable {
    package var names: Set<String>?
    package var subjects: Set<String>?

    package init(names: Set<String>? = nil, subjects: Set<String>? = nil) {
        self.names = names
        self.subjects = subjects
    }

    package func includes(_ event: Event) -> Bool {
        (names?.contains(event.name) ?? true) && (event.subject.flatMap { subjects?.contains($0) } ?? true)
    }
}
