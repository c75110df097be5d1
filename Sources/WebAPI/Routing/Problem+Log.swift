// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Problem {
    /// The line of the log: `PUT /v1/brightness: 422 invalid-body: …`.
    func logText(_ request: String) -> String { "\(request): \(type.status) \(type.rawValue): \(detail)" }
}

extension Request {
    /// The request in a line of the log. Without the query, which may have a token.
    var logText: String { "\(method.rawValue) \(path.plain(upTo: 128))" }
}
