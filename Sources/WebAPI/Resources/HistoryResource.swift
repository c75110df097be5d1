// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Journal

extension Resource {
    /// The brightness of a display over time with its leases, and the changes of displays.
    static let history = [
        Resource("/v1/history", or: .csv, .get(read)), Resource("/v1/history/changes", or: .csv, .get(readChanges)),
    ]
}

/// A journal that does not respond in this time has a slow or failing disk.
private let timeout: Duration = .seconds(5)
private let defaultSpan: Duration = .seconds(3_600)
/// A year, in seconds.
private let longestStep = 31_536_000

/// The journal's thread reads and encodes the history; nothing waits here.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let query = try parameters(context)
    let response = PendingResponse(context)
    try context.backend.history.read(query) { history in
        let document = history.map { HistoryDocument(query, $0) }
        response.complete(with: document, json: \.json, csv: \.csv, fileName: "history.csv")
    }
    return .later(response.deferred)
}

private func readChanges(_ context: RequestContext) throws(Problem) -> Reply {
    let query = try changeParameters(context)
    let response = PendingResponse(context)
    try context.backend.history.read(query) { changes in
        response.complete(with: changes, json: DisplayChange.list, csv: DisplayChange.csv, fileName: "changes.csv")
    }
    return .later(response.deferred)
}

/// The response to a request while the journal's thread reads: JSON, or a table for a client that prefers it.
private struct PendingResponse: Sendable {
    private static let unavailable = Problem.retry(
        .temporarilyUnavailable,
        "The history could not be read within 5 seconds. The daemon's log has the reason."
    ).response

    let deferred = Deferred(limit: timeout) { unavailable }
    private let isTable: Bool

    init(_ context: RequestContext) {
        isTable = Accept(context.request.list("Accept")).prefers(.csv, to: .json)
    }

    /// - Parameter content: `nil` if the history cannot be read now.
    func complete<Content>(
        with content: Content?,
        json: (Content) -> [UInt8],
        csv: (Content) -> [UInt8],
        fileName: String
    ) {
        guard let content else { return deferred.complete(Self.unavailable) }
        guard isTable else { return deferred.complete(.json(json(content), fields: [("Vary", "Accept")])) }
        let fields = [
            ("Content-Type", "text/csv; charset=utf-8; header=present"), ("Cache-Control", "no-cache"),
            ("Content-Disposition", "attachment; filename=\"\(fileName)\""), ("Vary", "Origin, Accept"),
        ]
        deferred.complete(Response(status: 200, fields: fields, body: csv(content)))
    }
}

/// `display`, `from`, `to` and `step`.
private func parameters(_ context: RequestContext) throws(Problem) -> HistoryQuery {
    let (request, backend) = (context.request, context.backend)
    let display = try displayParameter(context)
    let to = try timeParameter("to", request.query("to")) ?? backend.surface.now().wall
    let from = try timeParameter("from", request.query("from")) ?? to + (.zero - defaultSpan)
    guard from.isWritable, to.isWritable else {
        throw Problem(.invalidRequest, "from and to must be in the years 0000 to 9999.")
    }
    let step = try stepParameter(request)
    do throws(HistoryQuery.Failure) {
        return try HistoryQuery(display, from: from, to: to, step: step)
    } catch {
        switch error {
        case .empty:
            throw Problem(.invalidRequest, "from must be before to: \(from.rfc3339) is not before \(to.rfc3339).")
        case .tooFine(let smallest):
            let limit = HistoryQuery.limit
            throw Problem(
                .invalidRequest,
                "step is too small: the response would have more than \(limit) points. Use a step of at least "
                    + "\(smallest)."
            )
        }
    }
}

/// `display`, which may be `all`, `from`, `to` and `limit`.
private func changeParameters(_ context: RequestContext) throws(Problem) -> ChangesQuery {
    let request = context.request
    let display = request.query("display") == "all" ? nil : try displayParameter(context)
    let from = try timeParameter("from", request.query("from"))
    let to = try timeParameter("to", request.query("to"))
    if let from, let to, from > to {
        throw Problem(.invalidRequest, "from must not be after to: \(from.rfc3339) is after \(to.rfc3339).")
    }
    guard let text = request.query("limit") else { return ChangesQuery(display, from: from, to: to) }
    guard let limit = Int(text), (1...ChangesQuery.limit).contains(limit) else {
        throw Problem(.invalidRequest, "limit must be a whole number from 1 to \(ChangesQuery.limit).")
    }
    return ChangesQuery(display, from: from, to: to, limit: limit)
}

private func displayParameter(_ context: RequestContext) throws(Problem) -> DisplayID {
    try context.backend.commands.state(of: context.request.query("display").map { .named($0) } ?? .defaultDisplay).id
}

private func timeParameter(_ name: String, _ text: String?) throws(Problem) -> Timestamp? {
    guard let text else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
        throw Problem(
            .invalidRequest,
            "\(name) must be a time with an offset, such as 2026-11-21T06:00:00Z (RFC 3339)."
        )
    }
    return time
}

private func stepParameter(_ request: Request) throws(Problem) -> Int? {
    guard let text = request.query("step") else { return nil }
    guard let step = Int(text), (1...longestStep).contains(step) else {
        throw Problem(.invalidRequest, "step must be a whole number of seconds from 1 to \(longestStep).")
    }
    return step
}
