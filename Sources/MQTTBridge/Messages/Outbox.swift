// SPDX-License-Identifier: Apache-2.0
package import MQTT

/// What is still to be published, in order: of each retained topic the newest, and answers, of which the oldest go when
/// there are too many. So it never grows beyond the number of topics.
package struct Outbox {
    package static let limit = 1_024

    /// The topics of `newest`, oldest first, from `next` on.
    private var order: [String] = []
    private var next = 0
    private var newest: [String: Publication] = [:]
    private var others: [Publication] = []

    package init() {}

    /// How many retained topics wait.
    package var retainedCount: Int { newest.count }

    package var isEmpty: Bool { newest.isEmpty && others.isEmpty }

    package mutating func put(_ publication: Publication) {
        guard publication.isRetained else {
            others.append(publication)
            if others.count > Self.limit { others.removeFirst(Self.limit / 2) }
            return
        }
        if newest.updateValue(publication, forKey: publication.topic) == nil {
            order.append(publication.topic)
        }
    }

    /// States before answers, so that whoever has an answer has seen what it is about.
    package mutating func take(_ room: Int) -> [Publication] {
        var taken: [Publication] = []
        while taken.count < room, next < order.count {
            if let publication = newest.removeValue(forKey: order[next]) { taken.append(publication) }
            next += 1
        }
        if next == order.count { (order, next) = ([], 0) }
        let count = min(room - taken.count, others.count)
        if count > 0 {
            taken += others.prefix(count)
            others.removeFirst(count)
        }
        return taken
    }
}
