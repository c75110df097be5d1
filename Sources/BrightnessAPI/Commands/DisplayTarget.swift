// SPDX-License-Identifier: Apache-2.0

/// The display that a path, a call or a topic means.
package enum DisplayTarget: Hashable, Sendable {
    case named(String)
    /// The first display, or the one named at start.
    case byDefault
    /// Every display, for what can be asked of all of them.
    case all
}

extension RequestBody {
    /// `display`: the default one where it is left out.
    package mutating func target() throws(Problem) -> DisplayTarget {
        guard let name = try string("display", length: 1...256) else { return .byDefault }
        return name == "all" ? .all : .named(name)
    }

    /// As above, for what is asked of one display only: there `all` is a name.
    package mutating func singleTarget() throws(Problem) -> DisplayTarget {
        let target = try target()
        return target == .all ? .named("all") : target
    }
}
