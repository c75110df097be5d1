// SPDX-License-Identifier: Apache-2.0

/// The commands that arrive in one turn of an event loop. On that loop's thread.
///
/// The first one is carried out at once. Displays begin with later ones at the end of the turn: the commands for a
/// display are one batch, which is written and published once.
package final class CommandTurn {
    @exclusivity(unchecked) private var isBegun = false
    @exclusivity(unchecked) private var jobs: [() -> Void] = []

    package init() {}

    func begin(_ job: @escaping () -> Void) {
        if isBegun { return jobs.append(job) }
        isBegun = true
        job()
    }

    package func end() {
        // A job may add others.
        var next = jobs.startIndex
        while next < jobs.endIndex {
            jobs[next]()
            next += 1
        }
        jobs.removeAll(keepingCapacity: true)
        isBegun = false
    }
}
