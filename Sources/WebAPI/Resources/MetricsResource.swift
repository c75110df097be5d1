// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

extension Resource {
    /// Counters for Prometheus.
    static let metrics = Resource("/metrics", mediaType: .plainText, .get(read))
}

/// Other shards have a part in it, so it comes later.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    guard let metrics = context.backend.configuration.metrics else {
        throw Problem(.notFound, "Nothing is counted here.")
    }
    let deferred = Deferred(limit: .seconds(5)) {
        Problem.retry(.metricsUnavailable, "Not all of the daemon answered in time.", after: 5).response
    }
    Task {
        let type = ("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        let body = Array(await metrics.text().utf8)
        deferred.complete(Response(status: 200, fields: [type, ("Cache-Control", "no-store")], body: body))
    }
    return .later(deferred)
}
