// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Command {
    /// The ttl of a forwarded `visible` lease. The other daemon does not see the stream, so the lease is renewed while
    /// the stream is open.
    static let forwardedTTL: Duration = .seconds(20)

    /// The command as a method and body for another daemon; `nil` for internal commands.
    ///
    /// - Parameters:
    ///   - state: The known state of the display: a difference is sent as the resulting step.
    ///   - baseline: The one that the commands under way lead to; `nil` for the state's.
    ///   - principal: The requester's, as other daemons name it.
    ///   - tag: The node's tag of the only state for which it executes the command; `nil` for any.
    func call(
        showing state: DisplayState,
        from baseline: Brightness? = nil,
        for principal: String,
        onlyAt tag: String?
    ) -> (method: CommandMethod, body: [UInt8])? {
        guard let method = remoteMethod else { return nil }
        let body = JSONWriter.object { json in
            writeMembers(to: &json, showing: state, from: baseline)
            json.member("principal", principal)
            if let tag { json.member("ifMatch", tag) }
        }
        return (method, body)
    }

    /// The baseline that the command leads to; `nil` if it leaves the baseline as it is.
    ///
    /// - Parameter earlier: As `baseline` of `call`.
    func baseline(showing state: DisplayState, from earlier: Brightness?) -> Brightness? {
        switch action {
        case .set(.fraction(let brightness)): brightness
        case .set(.step(let step)): state.range.brightness(of: step)
        case .adjust(let delta): state.range.brightness(of: Self.step(of: state, from: earlier, movedBy: delta))
        case .apply(let request): request.hold == nil ? request.value(of: state.id)?.brightness : nil
        case .grant, .renew, .release, .restore, .restoreAll, .setPower, .setAutomatic, .configure, .follow, .tick,
            .refresh, .clockSet:
            nil
        }
    }

    private static func step(of state: DisplayState, from baseline: Brightness?, movedBy delta: Double) -> Int {
        state.range.step(for: state.range.moving(baseline ?? state.baseline, by: delta))
    }

    private var remoteMethod: CommandMethod? {
        switch action {
        case .set, .adjust: .set
        case .grant(let request): .lease(request.kind)
        case .renew: .renew
        case .release: .release
        case .setPower: .power
        case .apply: .preset
        case .restore, .restoreAll: .restore
        case .setAutomatic: .auto
        case .configure: .settings
        case .follow, .tick, .refresh, .clockSet: nil
        }
    }

    private func writeMembers(to json: inout JSONWriter, showing state: DisplayState, from baseline: Brightness?) {
        var holder = by
        switch action {
        case .set(.fraction(let brightness)):
            json.member("brightness", fraction: brightness.fraction)
        case .set(.step(let step)):
            json.member("raw", step)
        case .adjust(let delta):
            json.member("raw", Self.step(of: state, from: baseline, movedBy: delta))
        case .grant(let request):
            request.write(to: &json)
            holder = request.holder
        case .renew(let lease, let change):
            json.member("lease", lease.text)
            change.write(to: &json)
            if let transition { json.member("transition", fraction: transition / .seconds(1)) }
            return
        case .release(let lease):
            json.member("lease", lease.text)
            return
        case .setPower(let isOn):
            json.member("on", isOn)
        case .apply(let request):
            guard let value = request.value(of: state.id) else { return }
            if let brightness = value.brightness { json.member("brightness", fraction: brightness.fraction) }
            if let isOn = value.isOn { json.member("on", isOn) }
            if let hold = request.hold {
                json.member("ttl", fraction: hold.ttl / .seconds(1))
                holder = hold.holder
            }
        case .restore(let name, let kind):
            if let kind { json.member("kind", kind.rawValue) }
            holder = name
        case .restoreAll(let kind, _):
            json.member("all", true)
            if let kind { json.member("kind", kind.rawValue) }
        case .setAutomatic(let isEnabled, let forgetsLessons):
            json.member("enabled", isEnabled)
            json.member("forget", forgetsLessons)
        case .configure(let change):
            if let name = change.name { json.member("name", name?.text) }
            if let curve = change.curve {
                json.name("curve")
                if let curve { curve.write(to: &json) } else { json.null() }
            }
            if let position = change.position { json.member("position", optional: position?.number) }
        case .follow, .tick, .refresh, .clockSet:
            return
        }
        json.member("holder", holder)
        json.member("reason", reason)
        if let transition { json.member("transition", fraction: transition / .seconds(1)) }
    }
}

extension LeaseRequest {
    /// Writes level, lifespan and ttl.
    fileprivate func write(to json: inout JSONWriter) {
        LeaseRenewal(at: step.map { .step($0) } ?? brightness.map { .fraction($0) }, lifespan: lifespan, ttl: ttl)
            .write(to: &json)
    }
}

extension LeaseRenewal {
    fileprivate func write(to json: inout JSONWriter) {
        if let step {
            json.member("raw", step)
        } else if let brightness {
            json.member("brightness", fraction: brightness.fraction)
        }
        let isVisible = lifespan == .visible
        if let lifespan { json.member("lifespan", (isVisible ? .custom : lifespan).rawValue) }
        let ttl = isVisible ? min(ttl ?? Command.forwardedTTL, Command.forwardedTTL) : ttl
        if let ttl { json.member("ttl", fraction: ttl / .seconds(1)) }
        if let reason { json.member("reason", reason) }
    }
}

extension CommandError {
    /// The error of another daemon.
    init(_ problem: ProblemDocument) { self = .remote(problem: problem.name, detail: problem.detail) }
}
