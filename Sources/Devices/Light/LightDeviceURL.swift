// SPDX-License-Identifier: Apache-2.0
import Support

/// The URL of a light sensor with a web server of its own: `http://light.local`, `http://192.168.1.20/events#desk`.
///
/// - The default path is `/events`, the event stream of ESPHome and lunarsensor.
/// - The fragment names one of the device's sensors; without it the first one that measures lux counts.
package struct LightDeviceURL: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of light sensors that are read by URL.
    package static let limit = 16
    private static let longest = 1_024

    /// The target of the request.
    let request: String
    /// The sensor's name; `nil` for the first one that measures lux.
    let sensor: String?
    /// The name as it is in the URL, percent-encoded.
    private let fragment: Substring

    /// Returns `nil` for an invalid URL, and for one with a user or a password.
    package init?(_ text: String) {
        // Printable ASCII without quotes and backslashes: the rest of a URL is percent-encoded.
        guard text.utf8.count <= Self.longest,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) }),
            let end = text.firstRange(of: "://")
        else { return nil }
        let scheme = text[..<end.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[end.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard Self.isHostAndPort(authority) else { return nil }
        let path = rest[authority.endIndex...].prefix { $0 != "#" }
        fragment = rest[path.endIndex...].dropFirst()
        guard let name = String(percentDecoding: fragment) else { return nil }
        let rooted = path.first == "?" ? "/\(path)" : path
        let target = path.isEmpty || path == "/" ? "/events" : rooted
        request = "\(scheme)://\(authority.lowercased())\(target)"
        sensor = name.isEmpty ? nil : name
    }

    /// Whether the text, which is ASCII, is `host`, `host:port`, `[address]` or `[address]:port`.
    private static func isHostAndPort(_ text: Substring) -> Bool {
        guard let host = hostAndPort(of: text)?.host else { return false }
        return text.first == "["
            ? host.allSatisfy { $0.isHexDigit || ":.".contains($0) }
            : host.allSatisfy { $0.isLetter || $0.isNumber || "-._".contains($0) }
    }

    package var description: String { request + (fragment.isEmpty ? "" : "#\(fragment)") }
}
