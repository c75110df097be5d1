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
        var method: CommandMethod?
        let body = JSONWriter.object { json in
            method = forwarded(showing: state, from: baseline).write(to: &json)
            json.member("principal", principal)
            if let tag { json.member("ifMatch", tag) }
        }
        return method.map { ($0, body) }
    }

    /// The baseline that the command leads to; `nil` if it leaves the baseline as it is.
    ///
    /// - Parameter earlier: As `baseline` of `call`.
    func baseline(showing state: DisplayState, from earlier: Brightness?) -> Brightness? {
        switch action {
        case .set(.fraction(let brightness)): brightness
        case .set(.step(let step)): state.range.brightness(of: step)
        case .move(let delta): state.range.brightness(of: Self.step(of: state, from: earlier, movedBy: delta))
        case .apply(let request): request.terms == nil ? request.value(of: state.id)?.brightness : nil
        default: nil
        }
    }

    private static func step(of state: DisplayState, from baseline: Brightness?, movedBy delta: Double) -> Int {
        state.range.step(for: state.range.moving(baseline ?? state.baseline, by: delta))
    }

    /// The command for the other daemon: idempotent, with the value of the one display, and without leases that last as
    /// long as a stream here.
    private func forwarded(showing state: DisplayState, from baseline: Brightness?) -> Command {
        var command = self
        switch action {
        case .move(let delta):
            command.action = .set(.step(Self.step(of: state, from: baseline, movedBy: delta)))
        case .grant(var request) where request.lifespan == .visible:
            (request.lifespan, request.ttl) = (.custom, Self.forwarded(request.ttl))
            command.action = .grant(request)
        case .renew(let lease, var change) where change.lifespan == .visible:
            (change.lifespan, change.ttl) = (.custom, Self.forwarded(change.ttl))
            command.action = .renew(lease, change)
        case .apply(var request):
            if let value = request.value(of: state.id) { request.source = .value(value) }
            command.action = .apply(request)
        default: break
        }
        return command
    }

    private static func forwarded(_ ttl: Duration?) -> Duration { min(ttl ?? forwardedTTL, forwardedTTL) }
}

extension CommandError {
    init(_ problem: ProblemDocument) { self = .remote(problem: problem.name, detail: problem.detail) }
}
