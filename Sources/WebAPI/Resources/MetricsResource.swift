// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

extension Resource {
    /// Metrics for Prometheus.
    static let metrics = Resource("/metrics", mediaType: .plainText, .get(read))
}

/// Collects the counts of every shard, so the response is deferred.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    guard let metrics = context.backend.configuration.metrics else {
        throw Problem(.notFound, "This daemon has no metrics.")
    }
    let deferred = Deferred(limit: .seconds(5)) {
        Problem.retry(
            .temporarilyUnavailable,
            "A thread of the daemon did not report its metrics within 5 seconds.",
            after: 5
        ).response
    }
    Task {
        let type = ("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        let body = Array(await metrics.text().utf8)
        deferred.complete(
            Response(status: 200, fields: [type, ("Cache-Control", "no-store"), ("Vary", "Origin")], body: body)
        )
    }
    return .later(deferred)
}
