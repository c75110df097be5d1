// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore

/// Descriptions for stories in words.
func words(_ command: Command) -> String {
    let followers = command.followerCommands.map { ", and " + words($0) }.joined()
    return words(first: command) + followers
}

private func words(first command: Command) -> String {
    let transition = command.transition.map { " in \($0)" } ?? ""
    let revisions = command.onlyAt.map { " if at \($0.map(\.number).sorted())" } ?? ""
    let condition = transition + revisions + (command.condition.map { " if \($0)" } ?? "")
    switch command.action {
    case .set(.fraction(let brightness)): return "set \(brightness.fraction)\(condition)"
    case .set(.step(let step)): return "set step \(step)\(condition)"
    case .move(let delta): return "move by \(delta)\(condition)"
    case .grant(let request):
        let ttl = request.ttl.map { " for \($0)" } ?? ""
        let level = brightness(request.level?.brightness)
        return "\(request.holder ?? "nobody"): \(request.kind)\(level)\(ttl), \(request.lifespan)\(condition)"
    case .renew(let id, let change):
        let (ttl, lifespan) = (change.ttl.map { " for \($0)" } ?? "", change.lifespan.map { ", \($0)" } ?? "")
        return "renew \(id.text)\(brightness(change.level?.brightness))\(ttl)\(lifespan)\(condition)"
    case .release(let id): return "release \(id.text)\(condition)"
    case .restore(let holder, let kind):
        return "restore \(kind.map { "the \($0)" } ?? "what") \(holder ?? "nobody") holds\(condition)"
    case .apply(let request):
        guard case .value(let value) = request.source else { return "apply a preset\(condition)" }
        let power = value.isOn.map { $0 ? " on" : " off" } ?? ""
        let hold = request.terms.map { " for \($0.ttl), \($0.holder ?? "nobody")" } ?? ""
        return "apply\(brightness(value.brightness))\(power)\(hold)\(condition)"
    case .setPower(let isOn): return "power \(isOn ? "on" : "off")\(condition)"
    case .restoreAll(let kind, let keepsOverridden):
        let kept = keepsOverridden ? " but those overridden" : ""
        return "restore all\(kind.map { " of kind \($0)" } ?? "")\(kept)\(condition)"
    case .setAutomatic(let isEnabled, let forgets):
        return "automatic \(isEnabled ? "on" : "off")\(forgets ? ", forget" : "")\(condition)"
    case .configure(let change):
        return "name \(change.name.map { $0?.text ?? "of the device" } ?? "as before")\(condition)"
    case .follow: return "follow the light"
    case .tick: return "tick"
    case .refresh: return "refresh\(condition)"
    case .clockSet: return "the wall clock was set"
    }
}

func words(_ result: Result<CommandSuccess, CommandError>) -> String {
    switch result {
    case .success(let answer):
        let events = answer.events.map { "\($0.lease.id.text) \($0.change)" }.joined(separator: ", ")
        return "is done: \(events.isEmpty ? "" : "\(events), ")revision \(answer.state.revision.number)"
    case .failure(let error):
        return "fails: \(error)"
    }
}

private func brightness(_ brightness: Brightness?) -> String { brightness.map { " to \($0.fraction)" } ?? "" }

func words(_ rule: ExpectedHolders.Rule) -> String {
    "\(rule.kind.map { "\($0)" } ?? "the baseline")\(rule.brightness.map { " to \($0)" } ?? "") "
        + "from \(rule.from.text) to \(rule.to.text) on \(rule.display?.text ?? "all")"
        + (rule.days.count == 7 ? "" : " of days \(rule.days.sorted())") + (rule.isPaused ? ", paused" : "")
}

func words(_ summary: DisplayState.LeaseSummary?) -> String {
    summary.map { "\($0.count) leases\(brightness($0.brightness))\($0.isOverridden ? ", overridden" : "")" } ?? "none"
}

func words(_ expected: Expectation) -> String {
    let leases = expected.leases.map { key, lease in
        let end = lease.end.map { " until \($0)" } ?? ""
        let brightness = lease.brightness.map { " to \($0)" } ?? ""
        return "\(key.kind) \(lease.id?.text ?? "lease") of \(key.holder ?? "nobody")\(brightness)\(end), "
            + "\(lease.lifespan)\(lease.isOverridden ? ", overridden" : "")"
    }
    let sum = leases.isEmpty ? "no leases" : leases.sorted().joined(separator: "; ")
    guard expected.power.isSwitchable else { return sum }
    let outside = expected.power.outside.map { ", others switched it \($0 ? "on" : "off")" } ?? ""
    return "\(sum); power baseline \(expected.power.baseline ? "on" : "off")\(outside)"
}

extension Command.Action {
    /// Whether others may follow it in one command.
    var isPlain: Bool {
        switch self {
        case .set, .move, .setPower, .release, .restore: true
        default: false
        }
    }

    /// The lease that the action names.
    var lease: LeaseID? {
        switch self {
        case .renew(let id, _), .release(let id): id
        default: nil
        }
    }
}
