// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The caller's principal and scope.
    static let caller = Resource("/v1/whoami", .get { .now(.json($0.caller.json)) })
}

extension Caller {
    fileprivate var json: [UInt8] {
        JSONWriter.object { json in
            json.member("principal", principal.text)
            json.member("name", name)
            json.member("scope", scope?.rawValue)
            json.name("limit")
            if let limit { json.array(limit.patterns) { $0.string($1.text) } } else { json.null() }
        }
    }
}
