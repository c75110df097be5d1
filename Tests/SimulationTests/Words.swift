// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Descriptions for stories in words.
func words(_ command: Command) -> String {
    let transition = command.transition.map { " in \($0)" } ?? ""
    let condition = transition + (command.onlyAt.map { " if at \($0.map(\.number).sorted())" } ?? "")
    switch command.action {
    case .set(.fraction(let brightness)): return "set \(brightness.fraction)\(condition)"
    case .set(.step(let step)): return "set step \(step)\(condition)"
    case .adjust(let delta): return "adjust by \(delta)\(condition)"
    case .grant(let request):
        let ttl = request.ttl.map { " for \($0)" } ?? ""
        return
            "\(request.holder ?? "nobody") boosts to \(request.brightness?.fraction ?? -1)\(ttl), \(request.lifespan)"
            + condition
    case .renew(let id, let ttl): return "renew \(id.text) for \(ttl)\(condition)"
    case .release(let id): return "release \(id.text)\(condition)"
    case .restore(let holder, _): return "restore what \(holder ?? "nobody") holds\(condition)"
    case .setPower(let isOn): return "power \(isOn ? "on" : "off")\(condition)"
    case .restoreAll: return "restore all\(condition)"
    case .setAutomatic(let isEnabled, let forgets):
        return "automatic \(isEnabled ? "on" : "off")\(forgets ? ", forget" : "")\(condition)"
    case .follow: return "follow the light"
    case .presence(let holder): return "presence of \(holder)"
    case .tick: return "tick"
    case .refresh: return "refresh"
    case .clockSet: return "the wall clock was set"
    }
}

func words(_ result: Result<Answer, CommandError>) -> String {
    switch result {
    case .success(let answer):
        let events = answer.events.map { "\($0.lease.id.text) \($0.change)" }.joined(separator: ", ")
        return "is done: \(events.isEmpty ? "" : "\(events), ")revision \(answer.state.revision.number)"
    case .failure(let error):
        return "fails: \(error)"
    }
}

func words(_ boost: DisplayState.LeaseSummary?) -> String {
    boost.map { "\($0.leases) leases to \($0.brightness?.fraction ?? -1)\($0.isOverridden ? ", overridden" : "")" }
        ?? "none"
}

func words(_ expected: Expectation) -> String {
    let leases = expected.leases.map { holder, lease in
        let end = lease.end.map { " until \($0)" } ?? ""
        return "\(lease.id?.text ?? "a lease") of \(holder ?? "nobody") to \(lease.brightness)\(end), \(lease.lifespan)"
    }
    let sum = leases.isEmpty ? "no leases" : leases.sorted().joined(separator: "; ")
    return expected.isOverridden ? "\(sum); overridden" : sum
}

extension Command.Action {
    /// The lease that the action names.
    var lease: LeaseID? {
        switch self {
        case .renew(let id, _), .release(let id): id
        default: nil
        }
    }
}
