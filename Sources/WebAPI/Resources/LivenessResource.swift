// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import HTTPServer

extension Resource {
    /// Whether the daemon runs.
    static let liveness = Resource("/livez", mediaType: .plainText, .get(scope: nil, read))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    .now(Response(status: 200, fields: [("Content-Type", "text/plain")], body: Array("ok\n".utf8)))
}
