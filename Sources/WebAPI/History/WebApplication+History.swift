// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer
import Journal

extension WebApplication {
    private static let hour: Duration = .seconds(3_600)
    /// A journal that does not answer in this time has trouble with its disk.
    private static let patience: Duration = .seconds(5)

    /// `GET /v1/history`: read and written out on the journal's thread; nothing here waits.
    func history(_ request: Request, _ fields: [Response.Field]) throws(Problem) -> Reply {
        let query = try historyQuery(request)
        let unavailable = Problem.retry(.historyUnavailable, "The history cannot be read now.", after: 5).response
        let deferred = Deferred(limit: Self.patience) { unavailable.adding(fields) }
        history.read(query) { history in
            let response = history.map { Response.json($0.json(query)) } ?? unavailable
            deferred.complete(response.adding(fields))
        }
        return .later(deferred)
    }

    private func historyQuery(_ request: Request) throws(Problem) -> HistoryQuery {
        let display = try commands.state(of: request.query("display").map { .named($0) } ?? .byDefault).id
        let to = try time("to", request.query("to")) ?? configuration.now().wall
        let from = try time("from", request.query("from")) ?? to + (.zero - Self.hour)
        let step = try step(request)
        do throws(HistoryQuery.Failure) {
            return try HistoryQuery(display, from: from, to: to, step: step)
        } catch {
            switch error {
            case .empty:
                throw Problem(.malformedQuery, "from is not before to: \(from.rfc3339) and \(to.rfc3339).")
            case .tooFine(let smallest):
                let limit = HistoryQuery.limit
                throw Problem(
                    .malformedQuery,
                    "That is more than \(limit) points. The smallest step here is \(smallest)."
                )
            }
        }
    }

    private func time(_ name: String, _ text: String?) throws(Problem) -> Timestamp? {
        guard let text else { return nil }
        guard let time = Timestamp(rfc3339: text) else {
            throw Problem(.malformedQuery, "\(name) is a time with an offset, such as 2026-11-21T06:00:00Z (RFC 3339).")
        }
        return time
    }

    private func step(_ request: Request) throws(Problem) -> Int? {
        guard let text = request.query("step") else { return nil }
        guard let step = Int(text), (1...Self.longestStep).contains(step) else {
            throw Problem(.malformedQuery, "step is a whole number of seconds from 1 to \(Self.longestStep).")
        }
        return step
    }

    /// A year.
    private static let longestStep = 31_536_000
}
