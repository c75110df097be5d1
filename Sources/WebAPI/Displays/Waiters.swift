// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

/// The long polls of one shard: requests that are answered when a display's state is no longer the one they know.
struct Waiters {
    private struct Waiter {
        let known: Revision
        let deferred: Deferred
        let fields: [Response.Field]
    }

    private var waiting: [DisplayID: [Waiter]] = [:]

    /// - Parameter unchanged: The answer if nothing changes in time.
    mutating func add(
        _ state: DisplayState,
        in epoch: Epoch,
        for limit: Duration,
        otherwise unchanged: Response,
        _ fields: [Response.Field]
    ) -> Deferred {
        let deferred = Deferred(limit: limit) { unchanged.adding(fields) }
        // Those whose time was over are let go here, so that they do not add up where nothing ever changes.
        waiting[state.id, default: []].removeAll { $0.deferred.isAnswered }
        waiting[state.id, default: []].append(Waiter(known: state.revision, deferred: deferred, fields: fields))
        return deferred
    }

    /// Whether none is left that has no answer yet.
    var isEmpty: Bool { waiting.values.allSatisfy { $0.allSatisfy(\.deferred.isAnswered) } }

    /// The displays that long polls wait for.
    var displays: [DisplayID] { Array(waiting.keys) }

    /// A display is not known any more: there is no state to wait for.
    mutating func withdraw(_ id: DisplayID) {
        for waiter in waiting.removeValue(forKey: id) ?? [] {
            waiter.deferred.complete(Problem.unknownDisplay(id.text).response.adding(waiter.fields))
        }
    }

    mutating func tell(_ state: DisplayState, in epoch: Epoch) {
        guard let waiters = waiting[state.id], !waiters.isEmpty else { return }
        let rest = waiters.filter { $0.known >= state.revision }
        waiting[state.id] = rest.isEmpty ? nil : rest
        let answer = Response.state(state, in: epoch)
        for waiter in waiters where waiter.known < state.revision {
            waiter.deferred.complete(answer.adding(waiter.fields))
        }
    }
}
