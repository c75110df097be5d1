// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// The long polls of one shard: requests that are answered when a display's state is no longer the one they know.
struct LongPolls {
    private struct Waiter {
        let known: Revision
        let deferred: Deferred
    }

    private var waiting: [DisplayID: [Waiter]] = [:]

    /// - Parameters:
    ///   - limit: How long the request waits at most.
    ///   - unchanged: The answer if nothing changes in time.
    mutating func add(_ state: DisplayState, for limit: Duration, otherwise unchanged: Response) -> Deferred {
        let deferred = Deferred(limit: limit) { unchanged }
        // Those whose time was over are let go here, so that they do not add up where nothing ever changes.
        waiting[state.id, default: []].removeAll { $0.deferred.isAnswered }
        waiting[state.id, default: []].append(Waiter(known: state.revision, deferred: deferred))
        return deferred
    }

    /// Whether every one of them has its answer.
    var isEmpty: Bool { waiting.values.allSatisfy { $0.allSatisfy(\.deferred.isAnswered) } }

    /// The displays that long polls wait for.
    var displays: [DisplayID] { Array(waiting.keys) }

    /// A display is not known any more: there is no state to wait for.
    mutating func withdraw(_ id: DisplayID) {
        for waiter in waiting.removeValue(forKey: id) ?? [] {
            waiter.deferred.complete(Problem.unknownDisplay(id.text).response)
        }
    }

    /// Answers the requests that know an older state.
    mutating func notify(_ state: DisplayState, in epoch: Epoch) {
        guard let waiters = waiting[state.id], !waiters.isEmpty else { return }
        let rest = waiters.filter { $0.known >= state.revision }
        waiting[state.id] = rest.isEmpty ? nil : rest
        let answer = Response.state(state, in: epoch)
        for waiter in waiters where waiter.known < state.revision { waiter.deferred.complete(answer) }
    }
}
