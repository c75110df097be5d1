// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A client of a story that provides displays: it answers as the story wants, and checks each call.
final class SimulatedClient: DisplayProvider, @unchecked Sendable {  // One thread: the test's.
    enum Manner: CaseIterable {
        case honest, refusing
        /// Confirms, and shows what it showed before.
        case lying
        /// Answers later, or never.
        case silent
    }

    private struct Call {
        let id: DisplayID
        let target: ProvidedTarget
        let completion: @Sendable (Bool) -> Void
        /// Whether it was made before the client provided the display again, or lost it.
        var isStale = false
    }

    let number: Int
    let principal: Principal
    var manner = Manner.honest
    /// The displays about which it has lied since it last stated what they show.
    var lies: Set<DisplayID> = []
    /// The states of the displays that it provides.
    var shown: [DisplayID: (step: Int, isOn: Bool)] = [:]
    private(set) var isGone = false
    private var unanswered: [Call] = []
    /// The events while the next call waits for its answer.
    var duringCall: (() -> Void)?
    private let fault: (String) -> Void

    init(_ number: Int, of principal: Principal, fault: @escaping (String) -> Void) {
        (self.number, self.principal, self.fault) = (number, principal, fault)
    }

    var isWaited: Bool { unanswered.contains { !$0.isStale } }

    /// Starts to show a display, whose earlier calls count no more.
    func begin(_ id: DisplayID, showing shown: (step: Int, isOn: Bool)?) {
        self.shown[id] = shown
        lies.remove(id)
        for place in unanswered.indices where unanswered[place].id == id { unanswered[place].isStale = true }
    }

    func apply(_ target: ProvidedTarget, to id: DisplayID, completion: @escaping @Sendable (Bool) -> Void) {
        if isGone { fault("client \(number) is gone, and is called") }
        if shown[id] == nil { fault("client \(number) is called for \(id), which it does not provide") }
        if unanswered.contains(where: { $0.id == id && !$0.isStale }) {
            fault("client \(number) has two calls for \(id)")
        }
        unanswered.append(Call(id: id, target: target, completion: completion))
        if let event = duringCall {
            duringCall = nil
            event()
        } else if manner != .silent {
            answer()
        }
    }

    /// Answers all calls.
    func answer() {
        let calls = unanswered
        unanswered = []
        for call in calls {
            switch manner {
            case .refusing: call.completion(false)
            case .lying:
                if !call.isStale { lies.insert(call.id) }
                call.completion(true)
            case .honest, .silent:
                if !call.isStale { shown[call.id] = (call.target.step, call.target.isOn) }
                call.completion(true)
            }
        }
    }

    /// The connection ends: the daemon gets no answers.
    func end() {
        isGone = true
        let calls = unanswered
        (unanswered, shown) = ([], [:])
        for call in calls { call.completion(false) }
    }

    func withdrawn(_ id: DisplayID) {
        if shown[id] == nil { fault("client \(number) does not provide \(id), and is notified") }
        begin(id, showing: nil)
    }
}
