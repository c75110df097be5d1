// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Synchronization

/// The response of `/metrics`: computed by one task at a time for all requests that wait for it. A large one, of many
/// displays, is sent again for a second. Any thread.
final class SharedMetrics: Sendable {
    /// The maximum number of requests that wait.
    static let limit = 64
    /// How long a large response is sent again.
    static let validity: Duration = .seconds(1)
    /// The size of a large response, in bytes: about 140 displays.
    static let largeSize = 131_072

    private struct State {
        /// The requests that wait for the computation.
        var waiting: [Deferred] = []
        var isComputing = false
        var newest: (response: Response, at: Instant)?
    }

    private enum Step {
        case respond(Response)
        case compute(Deferred)
        case wait(Deferred)
        case refuse
    }

    private let state = Mutex(State())

    /// Returns the reply to a request.
    ///
    /// - Parameters:
    ///   - now: Reads the clock: at the request, and when the response is complete.
    ///   - compute: Computes the text.
    func reply(
        now: @escaping @Sendable () -> Instant,
        compute: @escaping @Sendable () async -> [UInt8]
    ) throws(Problem) -> Reply {
        let instant = now()
        let step = state.withLock { state -> Step in
            if let newest = state.newest, instant - newest.at < Self.validity { return .respond(newest.response) }
            state.newest = nil
            // Requests whose time was over have been answered.
            state.waiting.removeAll(where: \.isComplete)
            guard state.waiting.count < Self.limit else { return .refuse }
            let deferred = Deferred(limit: .seconds(5)) { Problem.notCollected.response }
            state.waiting.append(deferred)
            let isFirst = !state.isComputing
            state.isComputing = true
            return isFirst ? .compute(deferred) : .wait(deferred)
        }
        switch step {
        case .respond(let response): return .now(response)
        case .wait(let deferred): return .later(deferred)
        case .compute(let deferred):
            Task { self.complete(with: await compute(), at: now()) }
            return .later(deferred)
        case .refuse:
            throw .retry(
                .serverLimitReached,
                "\(Self.limit) requests wait for the metrics, the maximum. Nothing was computed for this one."
            )
        }
    }

    private func complete(with body: [UInt8], at now: Instant) {
        let type = ("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        var response = Response(
            status: 200,
            fields: [type, ("Cache-Control", "no-store"), ("Vary", "Origin")],
            body: body
        )
        response.share()
        let waiting = state.withLock { [response] state in
            let waiting = state.waiting
            (state.waiting, state.isComputing) = ([], false)
            state.newest = response.length >= Self.largeSize ? (response, now) : nil
            return waiting
        }
        for deferred in waiting { deferred.complete(response) }
    }
}

extension Problem {
    fileprivate static var notCollected: Problem {
        .retry(
            .temporarilyUnavailable,
            "A thread of the daemon did not report its metrics within 5 seconds."
        )
    }
}
