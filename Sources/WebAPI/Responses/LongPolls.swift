// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// The long polls of one shard: requests that are answered when a display's state changes.
struct LongPolls {
    private struct Waiter {
        let known: Revision
        let deferred: Deferred
    }

    private var waiting: [DisplayID: [Waiter]] = [:]

    /// - Parameters:
    ///   - limit: The maximum duration. After it the response is the present state, if it has changed: no notification
    ///     reports the changes of an absent display.
    ///   - unchanged: The response after `limit` otherwise.
    mutating func add(
        _ state: DisplayState,
        of service: DisplayService,
        for limit: Duration,
        otherwise unchanged: Response
    ) -> Deferred {
        let (id, known) = (state.id, state.revision)
        let deferred = Deferred(limit: limit) {
            guard let present = service.state(of: id) else { return Problem.displayNotFound(id.text).response }
            return present.revision > known ? .state(present, in: service.epoch) : unchanged
        }
        // Expired requests are removed here, since a display that never changes removes none.
        waiting[state.id, default: []].removeAll { $0.deferred.isComplete }
        waiting[state.id, default: []].append(Waiter(known: state.revision, deferred: deferred))
        return deferred
    }

    var isEmpty: Bool { waiting.values.allSatisfy { $0.allSatisfy(\.deferred.isComplete) } }

    var displays: [DisplayID] { Array(waiting.keys) }

    /// Answers the requests for a removed display.
    mutating func withdraw(_ id: DisplayID) {
        for waiter in waiting.removeValue(forKey: id) ?? [] {
            waiter.deferred.complete(Problem.displayNotFound(id.text).response)
        }
    }

    /// Answers the requests that know an older state.
    mutating func notify(_ state: DisplayState, in epoch: Epoch) {
        guard let waiters = waiting[state.id], !waiters.isEmpty else { return }
        let rest = waiters.filter { $0.known >= state.revision }
        waiting[state.id] = rest.isEmpty ? nil : rest
        let response = Response.state(state, in: epoch)
        for waiter in waiters where waiter.known < state.revision { waiter.deferred.complete(response) }
    }
}
