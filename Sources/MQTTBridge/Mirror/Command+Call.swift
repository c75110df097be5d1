// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

extension Command {
    /// For how long a boost that is bound to a stream here is asked of another daemon, which does not see the stream; it is
    /// asked again in time while the stream is open.
    static let borrowedTTL: Duration = .seconds(20)

    /// How another daemon is asked for the same: a method and its body. `nil` for what is this daemon's affair.
    ///
    /// - Parameter state: What the display shows as far as is known here: a difference is asked for as what comes of it.
    func call(showing state: DisplayState) -> (method: CommandMethod, body: [UInt8])? {
        switch action {
        case .set(.fraction(let brightness)):
            (.set, body(by: by) { $0.member("brightness", fraction: brightness.fraction) })
        case .set(.step(let step)):
            (.set, body(by: by) { $0.member("raw", step) })
        case .adjust(let delta):
            (
                .set,
                body(by: by) { $0.member("raw", state.range.step(for: state.range.moving(state.baseline, by: delta))) }
            )
        case .boost(let request):
            (
                .boost,
                body(by: ForwardedHolder(request.holder, of: principal).text) { json in
                    json.member("brightness", fraction: request.brightness.fraction)
                    let isVisible = request.lifespan == .visible
                    json.member("lifespan", (isVisible ? .custom : request.lifespan).rawValue)
                    let ttl = isVisible ? min(request.ttl ?? Self.borrowedTTL, Self.borrowedTTL) : request.ttl
                    if let ttl { json.member("ttl", fraction: ttl / .seconds(1)) }
                }
            )
        case .renew(let lease, let ttl):
            (
                .renew,
                JSONWriter.object {
                    $0.member("lease", lease.text)
                    $0.member("ttl", fraction: ttl / .seconds(1))
                }
            )
        case .release(let lease):
            (.release, JSONWriter.object { $0.member("lease", lease.text) })
        case .restore(let holder):
            (.restore, body(by: ForwardedHolder(holder, of: principal).text) { _ in })
        case .restoreAll:
            (.restore, body(by: by) { $0.member("all", true) })
        case .setAutomatic(let isEnabled, let forgetsLessons):
            (
                .auto,
                body(by: by) { json in
                    json.member("enabled", isEnabled)
                    json.member("forget", forgetsLessons)
                }
            )
        case .follow, .presence, .tick, .refresh, .clockSet:
            nil
        }
    }

    /// With who asks and why, and how long the panel may take.
    private func body(by holder: String?, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object { json in
            members(&json)
            json.member("holder", holder)
            json.member("reason", reason)
            if let transition { json.member("transition", fraction: transition / .seconds(1)) }
        }
    }
}

extension CommandError {
    /// What another daemon's problem document says; `nil` for what is none.
    init?(problem json: [UInt8]) {
        guard case .object(let members) = JSONValue(parsing: json), case .string(let type) = members["type"],
            let slash = type.lastIndex(of: "/"), case .string(let detail) = members["detail"]
        else { return nil }
        let problem = String(type[type.index(after: slash)...])
        self = .remote(problem: problem.plain(upTo: 64), detail: detail.plain(upTo: 1_024))
    }
}
