// SPDX-License-Identifier: Apache-2.0

/// The reason for which there is no connection to the broker. Its description is a text for people, without a secret.
package enum DisconnectReason: Error, Hashable, Sendable, CustomStringConvertible {
    case credentials(user: String?)
    case forbidden(user: String?)
    /// The broker supports neither MQTT 5 nor 3.1.1.
    case version
    /// Another client connected with the same client id.
    case takenOver(clientID: String)
    case otherRefusal(code: Int32, String)
    case unknownHost(String)
    case unreachable(String)
    /// TLS failed, with OpenSSL's message.
    case untrusted(String)
    case authorityFile(path: String)
    /// The broker accepted the TCP connection, but does not answer.
    case silent
    /// The broker sent what is not MQTT.
    case malformed
    case lost
    /// The daemon stopped the connection.
    case stopped

    package var description: String {
        switch self {
        case .credentials(let user?): "the broker rejected the password of \"\(user)\""
        case .credentials(nil): "the broker requires a user and a password"
        case .forbidden(let user): "the broker denies access to \(user.map { "\"\($0)\"" } ?? "clients without a user")"
        case .version: "the broker supports neither MQTT 5 nor 3.1.1"
        case .takenOver(let id): "another client connected as \"\(id)\": is there another daemon with this node name?"
        case .otherRefusal(let code, let text): "the broker rejected the connection: \(text) (\(code))"
        case .unknownHost(let host): "unknown host \"\(host)\""
        case .unreachable(let why): why
        case .untrusted(let why): "TLS: \(why)"
        case .authorityFile(let path): "cannot read CA certificates from \(path)"
        case .silent: "the broker does not answer"
        case .malformed: "the broker does not speak MQTT correctly"
        case .lost: "the connection was lost"
        case .stopped: "the daemon is stopping"
        }
    }
}
