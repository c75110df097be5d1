// SPDX-License-Identifier: Apache-2.0
import Support

/// The URL of a broker, with the topics of this daemon: `mqtts://user@broker.example:8883/brightness?node=lobby`.
///
/// - `mqtt` is plain, port 1883; `mqtts` is TLS, port 8883.
/// - The path is the prefix of every topic, one or more levels. The default is `brightness`.
/// - `node` is the name of this daemon in topics; `tags` are words for its displays: `?node=lobby&tags=floor1,kiosk`.
package struct BrokerURL: Hashable, Sendable, CustomStringConvertible {
    package let isEncrypted: Bool
    package let host: String
    package let port: Int
    package let user: String?
    /// Whether the URL contains a password, where `ps` and logs show it. The password is not stored.
    package let hasPassword: Bool
    package let prefix: String
    package let node: NodeName?
    /// As they are in the URL.
    package let tags: [String]

    package static let defaultPrefix = "brightness"

    /// Returns `nil` for an invalid URL.
    package init?(_ text: String) {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        switch text[..<scheme.lowerBound].lowercased() {
        case "mqtt": isEncrypted = false
        case "mqtts": isEncrypted = true
        default: return nil
        }
        let rest = text[scheme.upperBound...]
        guard !rest.contains("#") else { return nil }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...].prefix { $0 != "?" }
        let query = rest[path.endIndex...].dropFirst()

        let at = authority.lastIndex(of: "@")
        let account = at.map { authority[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) }
        user = account.flatMap { String(percentDecoding: $0[0]) }
        hasPassword = (account?.count ?? 0) > 1
        guard at == nil || user?.isEmpty == false else { return nil }

        let server = at.map { authority[authority.index(after: $0)...] } ?? authority
        guard let (host, port) = hostAndPort(of: server) else { return nil }
        self.host = host
        self.port = port ?? (isEncrypted ? 8_883 : 1_883)

        guard let prefix = String(percentDecoding: path.drop { $0 == "/" }) else { return nil }
        self.prefix = prefix.isEmpty ? Self.defaultPrefix : prefix
        guard TopicName.isPrefix(self.prefix) else { return nil }

        var (node, tags): (NodeName?, [String]?) = (nil, nil)
        for part in query.isEmpty ? [] : query.split(separator: "&", omittingEmptySubsequences: false) {
            let value = part.drop { $0 != "=" }.dropFirst()
            guard let text = String(percentDecoding: value) else { return nil }
            switch part.prefix(while: { $0 != "=" }) {
            case "node" where node == nil:
                guard let name = NodeName(text) else { return nil }
                node = name
            case "tags" where tags == nil:
                tags = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
            default:
                return nil
            }
        }
        self.node = node
        self.tags = tags ?? []
    }

    /// The URL without the user, the topics and the node.
    package var description: String {
        "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
