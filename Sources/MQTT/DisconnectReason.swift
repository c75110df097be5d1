// SPDX-License-Identifier: Apache-2.0

/// Why there is no connection to the broker. Its description is a sentence for people, without a secret.
package enum DisconnectReason: Error, Hashable, Sendable {
    case credentials(user: String?)
    case forbidden(user: String?)
    /// The broker speaks none of 5 and 3.1.1.
    case version
    /// Another client has our name.
    case takenOver(clientID: String)
    case otherRefusal(code: Int32, String)
    case unknownHost(String)
    case unreachable(String)
    /// TLS; what OpenSSL said of it.
    case untrusted(String)
    case authorityFile(path: String)
    /// It took the connection and says nothing.
    case silent
    case lost
    /// We went.
    case stopped
}

extension DisconnectReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .credentials(let user?): "it refuses the password of \"\(user)\""
        case .credentials(nil): "it wants a user and a password"
        case .forbidden(let user): "it does not let \(user.map { "\"\($0)\"" } ?? "somebody without a name") in"
        case .version: "it speaks neither MQTT 5 nor 3.1.1"
        case .takenOver(let id): "another client came as \"\(id)\": is there another daemon of this node name?"
        case .otherRefusal(let code, let text): "it refuses: \(text) (\(code))"
        case .unknownHost(let host): "nobody knows the host \"\(host)\""
        case .unreachable(let why): why
        case .untrusted(let why): "TLS: \(why)"
        case .authorityFile(let path): "\(path) is no file of certificates that can be read"
        case .silent: "it does not answer"
        case .lost: "the connection broke"
        case .stopped: "the daemon stops"
        }
    }
}
