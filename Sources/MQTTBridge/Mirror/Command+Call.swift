// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

extension Command {
    /// The ttl of a forwarded `visible` lease. The other daemon does not see the stream, so the lease is renewed while
    /// the stream is open.
    static let forwardedTTL: Duration = .seconds(20)

    /// The command as a method and body for another daemon; `nil` for internal commands.
    ///
    /// - Parameter state: The known state of the display: a difference is sent as the resulting step.
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
        case .grant(let request):
            (
                request.kind.method,
                body(by: ForwardedHolder(request.holder, of: principal).text) { json in
                    if let step = request.step {
                        json.member("raw", step)
                    } else if let brightness = request.brightness {
                        json.member("brightness", fraction: brightness.fraction)
                    }
                    let isVisible = request.lifespan == .visible
                    json.member("lifespan", (isVisible ? .custom : request.lifespan).rawValue)
                    let ttl = isVisible ? min(request.ttl ?? Self.forwardedTTL, Self.forwardedTTL) : request.ttl
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
        case .setPower(let isOn):
            (.power, body(by: by) { $0.member("on", isOn) })
        case .restore(let holder, let kind):
            (.restore, body(by: ForwardedHolder(holder, of: principal).text) { $0.member(kind: kind) })
        case .restoreAll(let kind):
            (
                .restore,
                body(by: by) { json in
                    json.member("all", true)
                    json.member(kind: kind)
                }
            )
        case .setAutomatic(let isEnabled, let forgetsLessons):
            (
                .auto,
                body(by: by) { json in
                    json.member("enabled", isEnabled)
                    json.member("forget", forgetsLessons)
                }
            )
        case .follow, .tick, .refresh, .clockSet:
            nil
        }
    }

    /// The body with holder, reason and transition.
    private func body(by holder: String?, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object { json in
            members(&json)
            json.member("holder", holder)
            json.member("reason", reason)
            if let transition { json.member("transition", fraction: transition / .seconds(1)) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(kind: LeaseKind?) {
        if let kind { member("kind", kind.rawValue) }
    }
}

extension LeaseKind {
    /// The method that grants a lease of this kind.
    var method: CommandMethod {
        switch self {
        case .boost: .boost
        case .dim: .dim
        case .wake: .wake
        case .sleep: .sleep
        }
    }
}

extension CommandError {
    /// Reads the problem document of another daemon; `nil` for any other document.
    init?(problem json: [UInt8]) {
        guard let value = JSONDocument(parsing: json)?.root else { return nil }
        self.init(problem: value)
    }

    init?(problem value: JSONNode) {
        guard let type = value["type"]?.string, let slash = type.lastIndex(of: "/"),
            let detail = value["detail"]?.string
        else { return nil }
        let problem = String(type[type.index(after: slash)...])
        self = .remote(problem: problem.plain(upTo: 64), detail: detail.plain(upTo: 1_024))
    }
}

extension Answer {
    /// The number of released leases in the response of another daemon; `nil` if it has none.
    static func released(in json: JSONNode) -> Int? {
        json["released"]?.number.flatMap { Int(exactly: $0) }.flatMap { (0...LeaseTable.limit).contains($0) ? $0 : nil }
    }
}
