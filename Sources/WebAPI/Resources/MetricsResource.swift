// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// Metrics for Prometheus.
    static let metrics = Resource("/metrics", mediaType: .plainText, .get(read))
}

/// Collects the counts of every shard, so the response is deferred.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let configuration = context.backend.configuration
    guard let metrics = configuration.metrics else {
        throw Problem(.notFound, "This daemon has no metrics.")
    }
    return try metrics.shared.reply(now: { configuration.now().instant }) { await metrics.text() }
}
