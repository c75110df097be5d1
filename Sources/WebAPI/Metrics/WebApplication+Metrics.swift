// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

extension WebApplication {
    /// `GET /metrics`. Other shards have a part in it, so it comes later.
    ///
    /// - Parameter fields: What the answer must carry beside its own.
    func metrics(_ fields: [Response.Field]) throws(Problem) -> Reply {
        guard let metrics = configuration.metrics else { throw Problem(.notFound, "Nothing is counted here.") }
        let deferred = Deferred(limit: .seconds(5)) {
            Problem.retry(.metricsUnavailable, "Not all of the daemon answered in time.", after: 5).response.adding(
                fields
            )
        }
        Task {
            let type = ("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            let body = Array(await metrics.text().utf8)
            deferred.complete(
                Response(status: 200, fields: [type, ("Cache-Control", "no-store")] + fields, body: body)
            )
        }
        return .later(deferred)
    }
}
