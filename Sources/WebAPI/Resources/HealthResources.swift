// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// 200 while the daemon runs.
    static let liveness = Resource("/livez", mediaType: .plainText, .get(scope: nil, readLiveness))

    /// 200 while the daemon can do its work, 503 while a display is not available or there is none.
    static let readiness = Resource("/readyz", .get(scope: nil, readReadiness))

    static let metrics = Resource("/metrics", mediaType: .plainText, .get(readMetrics))
}

private func readLiveness(_ context: RequestContext) throws(Problem) -> Reply {
    // A page that may not use the daemon can read why: a browser hides that from it in every other answer.
    guard let origin = context.foreignOrigin else { return .now(.text("ok\n")) }
    return Reply.now(.text("refused: \(origin.refusal)\n")).adding([CORS.everyOrigin])
}

private func readReadiness(_ context: RequestContext) throws(Problem) -> Reply {
    let health = if case .health(let health) = context.backend.source.retained(.health) { health } else { Health() }
    // Public, but not the names of displays and the reasons of failures.
    let mayRead = (try? context.caller.require(.read)) != nil
    return .now(.json(health.json(hasDetails: mayRead), status: health.isReady ? 200 : 503))
}

extension Health {
    /// The document of `health` events.
    var json: [UInt8] { json(hasDetails: true) }

    /// The document of `GET /readyz`.
    ///
    /// - Parameter hasDetails: Whether it has ids of displays, and reasons.
    fileprivate func json(hasDetails: Bool) -> [UInt8] {
        JSONWriter.object { json in
            json.member("ready", isReady)
            json.member("displays", displays)
            if hasDetails {
                json.member("unavailable", each: unavailable) { $0.string($1.text) }
                json.member("waiting", each: waiting) { $0.string($1.text) }
            }
            for (name, words, more) in [
                ("journal" as StaticString, journalWords, nil), ("mqtt", brokerWords, nil),
                ("homeAssistant", homeAssistantWords, homeAssistant), ("schedules", scheduleWords, nil),
            ] {
                json.member(name) { json in
                    json.member("state", words.state)
                    json.member("detail", hasDetails ? words.detail : nil)
                    if hasDetails { more?.write(to: &json) }
                }
            }
        }
    }

    private typealias Words = (state: String, detail: String?)

    private var journalWords: Words {
        switch journal {
        case .durable: ("durable", nil)
        case .recreated(_, let why): ("durable", "recreated: \(why)")
        case .failing(let why): ("failing", why)
        case nil: ("off", nil)
        }
    }

    private var scheduleWords: Words {
        switch schedules {
        case .running: ("running", nil)
        case .waiting: ("waiting", "the clock is not set; no schedule is in force until it is")
        case .none: ("off", nil)
        }
    }

    private var homeAssistantWords: Words {
        guard let homeAssistant else { return ("off", nil) }
        let (clients, refused) = (homeAssistant.clients, homeAssistant.refused)
        let parts = [
            clients > 0 ? "\(clients) \(clients == 1 ? "client" : "clients")" : nil,
            refused > 0 ? "\(refused) refused" : nil,
        ]
        let detail = parts.compactMap { $0 }.joined(separator: ", ")
        return (clients > 0 ? "connected" : "listening", detail.isEmpty ? nil : detail)
    }

    private var brokerWords: Words {
        switch broker {
        case .connecting: ("connecting", nil)
        case .connected(let limitation): ("connected", limitation)
        case .away(let why): ("away", why)
        case nil: ("off", nil)
        }
    }
}

extension HomeAssistantHealth {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("clients", clients)
        json.member("refused", refused)
        json.member("key", key.rawValue)
        json.member("address", address)
    }
}

/// Collects the counts of every shard, so the response is deferred.
private func readMetrics(_ context: RequestContext) throws(Problem) -> Reply {
    let now = context.backend.surface.now
    guard let metrics = context.backend.configuration.metrics else {
        throw Problem(.notFound, "This daemon has no metrics.")
    }
    return try metrics.shared.reply(now: { now().instant }) { await metrics.text() }
}
