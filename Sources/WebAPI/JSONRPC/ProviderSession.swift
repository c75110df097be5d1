// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

/// The calls by which the client of a WebSocket provides displays. On the shard's thread.
final class ProviderSession {
    enum Method: String, CaseIterable {
        case provide, changed, withdraw
    }

    private let displays: any ProvidedDisplays
    private let channel: WebSocketChannel
    private let caller: Caller
    private let now: @Sendable () -> Moment
    /// Set once the client provides a display.
    private var provider: CallingProvider?

    /// Returns `nil` if the daemon accepts no displays of clients.
    init?(_ backend: Backend, _ caller: Caller, on channel: WebSocketChannel) {
        guard let displays = backend.configuration.provided else { return nil }
        (self.displays, self.caller, self.channel, now) = (displays, caller, channel, backend.surface.now)
    }

    deinit {
        guard let provider else { return }
        provider.end()
        displays.ended(provider, at: now())
    }

    /// Returns whether it is the response to a call of the daemon.
    func receive(_ response: JSONRPCResponse) -> Bool { provider?.receive(response) ?? false }

    func handle(
        _ method: Method,
        from body: consuming RequestBody,
        completion: @escaping JSONRPCCall.Completion
    ) throws(Problem) {
        let done: @Sendable () -> Void = { completion(.result(Array("{}".utf8))) }
        switch method {
        case .provide:
            let display = try ProvidedDisplay(from: body)
            if let limit = caller.limit, !limit.includes(display.id) {
                throw .outsideLimit(limit, "may not provide \(display.id)")
            }
            let provider = provider ?? CallingProvider(channel)
            self.provider = provider
            displays.provide(display, by: provider, of: caller.principal, at: now()) { result in
                completion(result.mapError { JSONRPCError(Problem($0)) }.flatMap { .result($0.json) })
            }
        case .changed:
            let change = try ProvidedChange(from: body)
            guard let provider else { throw Problem(.unknown(change.display)) }
            try Problem.converting { () throws(ProvidingError) in
                try displays.changed(change.display, brightness: change.brightness, isOn: change.isOn, by: provider)
            }
            done()
        case .withdraw:
            var body = body
            let id = try body.displayID("display")
            let display = try body.end(requiring: id, "display", "display is required: the id of provide.")
            try Problem.converting { () throws(ProvidingError) in
                try displays.withdraw(display, of: caller.principal, by: provider, at: now()) { [provider] in
                    provider?.forget(display)
                    done()
                }
            }
        }
    }
}
