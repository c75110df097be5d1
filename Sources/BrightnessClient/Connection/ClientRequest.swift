// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// One request to the daemon.
package struct ClientRequest: Equatable, Sendable {
    package let method: String
    /// Path and query, percent-encoded.
    package let path: String
    /// JSON text; requests that change something have one.
    package let body: String?

    /// A member of a body: its name and its value.
    package typealias Member = (String, Value)

    package enum Value: Equatable, Sendable {
        case text(String)
        case number(Double)
        case integer(Int)
        case bool(Bool)
        case list([String])
        case points([[Double]])
        /// Any value, as JSON text.
        case json([UInt8])
        case null
    }

    package init(_ method: String, _ path: String, _ body: [Member]? = nil) {
        self.method = method
        self.path = path
        self.body = body.map { Self.object($0) }
    }

    /// The text of an object with these members, in this order.
    static func object(_ members: [Member]) -> String {
        let json = JSONWriter.object { json in
            for (name, value) in members {
                json.name(any: name)
                switch value {
                case .text(let text): json.string(text)
                case .number(let number): json.number(number)
                case .integer(let number): json.number(number)
                case .bool(let bool): json.bool(bool)
                case .list(let texts): json.array(texts) { $0.string($1) }
                case .points(let points): json.array(points) { $0.array($1) { $0.number($1) } }
                case .json(let text): json.raw(text)
                case .null: json.null()
                }
            }
        }
        return String(decoding: json, as: UTF8.self)
    }
}
