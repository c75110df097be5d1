// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support

/// The file of the daemon's tokens: `--token-file`.
package struct TokenFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Reads the file. Blocks; not for a shard's thread.
    ///
    /// - Returns: The tokens, and whether users other than its owner and group may read the file.
    /// - Parameter groups: The groups that tokens may be limited to.
    package func read(_ groups: DisplayGroups = .none) throws(TokenFileError) -> (tokens: [Token], isOpenToOthers: Bool)
    {
        let (text, isOpenToOthers) = try content()
        return (try Token.all(in: text, groups), isOpenToOthers)
    }

    /// Reads the name and the secret of each token; `nil` for one of which the file has only the digest. Skips invalid
    /// lines. Blocks.
    package func secrets() throws(TokenFileError) -> [(name: String, secret: String?)] {
        Token.lines(in: try content().text).compactMap { _, line in
            guard let parts = try? Token.parts(of: line) else { return nil }
            return (String(parts.name), parts.secret.hasPrefix("sha256:") ? nil : String(parts.secret))
        }
    }

    private func content() throws(TokenFileError) -> (text: String, isOpenToOthers: Bool) {
        do throws(RegularFile.Failure) {
            let (bytes, isOpenToOthers) = try RegularFile.read(path, upTo: 1)
            return (String(decoding: bytes, as: UTF8.self), isOpenToOthers)
        } catch {
            throw .unreadable(error.reason)
        }
    }
}

/// Why a token file is invalid, without any secret.
package enum TokenFileError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Error, Hashable, Sendable {
        case shape, name, scope, limit, digest, shortSecret, secret, twice, reserved
    }

    case unreadable(String)
    case line(Int, Reason)
    case empty

    package var description: String {
        switch self {
        case .unreadable(let why): "it cannot be read: \(why)"
        case .empty: "it has no token. Add a line name:scopes:secret, such as kiosk-3:write:$(openssl rand -hex 32)"
        case .line(let number, let reason): "line \(number): \(reason.sentence)"
        }
    }
}

extension TokenFileError.Reason {
    private static let reservedNames = Principal.reserved.sorted() + [ReservedHolder.idle, ReservedHolder.presence]

    fileprivate var sentence: String {
        switch self {
        case .shape: "invalid form; write name:scopes:secret or name:scopes:sha256:digest"
        case .name: "invalid name; use 1 to 64 letters, digits, \"-\", \"_\" and \".\""
        case .scope: "invalid scope; use read, write and admin, separated by commas"
        case .limit:
            "invalid limit; write patterns of displays, tag:NAME or group:NAME of --group in brackets after write or "
                + "admin, such as write[hall:*,group:lobby], at most \(DisplaySelector.limit) patterns"
        case .digest: "invalid digest; write 64 hexadecimal digits after sha256:, as sha256sum prints them"
        case .shortSecret:
            "secret too short; use at least \(Token.shortestSecret) characters, such as the output of openssl rand "
                + "-hex 32"
        case .secret: "invalid secret; use printable ASCII without spaces"
        case .twice: "duplicate name"
        case .reserved: "reserved name; use another than \(Self.reservedNames.joined(separator: ", "))"
        }
    }
}

/// One line of a token file: `name:scopes:secret` or `name:scopes:sha256:digest`. Scopes may be followed by the
/// displays that the token may change.
///
/// ```
///   kiosk-3:write:correct-horse-battery-staple
///   lobby:write[hall:*,group:lobby,tag:kiosk]:correct-horse-battery-staple
///   wall:read:sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
/// ```
package struct Token: Hashable, Sendable {
    /// The principal: letters, digits, `-`, `_`, `.`.
    let name: String
    let scope: Scope
    /// The displays that it may change; `nil` for every display.
    let limit: DisplaySelector?
    let digest: SecretDigest

    /// The minimum length, against brute force.
    static let shortestSecret = 16

    /// - Throws: The error of the line, without its secret.
    init(line: Substring, _ groups: DisplayGroups = .none) throws(TokenFileError.Reason) {
        let parts = try Self.parts(of: line)
        let name = parts.name
        guard name.isName() else { throw .name }
        guard !Principal.reserved.contains(String(name)), !ReservedHolder.includes(String(name)) else {
            throw .reserved
        }
        let granted = try LimitedScope(scopes: parts.scopes, limit: parts.limit, groups)
        let secret = parts.secret
        if secret.hasPrefix("sha256:") {
            guard let digest = SecretDigest(hexadecimal: secret.dropFirst("sha256:".count)) else { throw .digest }
            self.digest = digest
        } else {
            guard secret.utf8.count >= Self.shortestSecret else { throw .shortSecret }
            // A header field cannot carry other characters.
            guard secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .secret }
            digest = SecretDigest(of: String(secret))
        }
        self.name = String(name)
        (scope, limit) = (granted.scope, granted.limit)
    }

    fileprivate typealias Parts = (name: Substring, scopes: Substring, limit: Substring?, secret: Substring)

    /// Splits a line. Colons in the brackets of a limit, and in the secret, do not separate.
    fileprivate static func parts(of line: Substring) throws(TokenFileError.Reason) -> Parts {
        let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { throw .shape }
        let scopes = halves[1].prefix { $0 != ":" && $0 != "[" }
        let rest = halves[1][scopes.endIndex...]
        guard rest.first == "[" else {
            guard !rest.isEmpty else { throw .shape }
            return (halves[0], scopes, nil, rest.dropFirst())
        }
        guard let end = rest.firstIndex(of: "]") else { throw .limit }
        let secret = rest[rest.index(after: end)...]
        guard secret.first == ":" else { throw .shape }
        return (halves[0], scopes, rest[..<end].dropFirst(), secret.dropFirst())
    }

    /// The lines of a file's text with their numbers, without empty lines and those that begin with `#`.
    fileprivate static func lines(in text: String) -> [(number: Int, line: Substring)] {
        // CRLF is one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        return zip(1..., lines).filter { !$1.isEmpty && $1.first != "#" }.map { (number: $0, line: $1) }
    }

    /// Reads the tokens of a file's text.
    ///
    /// - Parameter groups: The groups that tokens may be limited to.
    static func all(in text: String, _ groups: DisplayGroups = .none) throws(TokenFileError) -> [Token] {
        var tokens: [Token] = []
        for (number, line) in lines(in: text) {
            do throws(TokenFileError.Reason) {
                let token = try Token(line: line, groups)
                if tokens.contains(where: { $0.name == token.name }) { throw .twice }
                tokens.append(token)
            } catch {
                throw .line(number, error)
            }
        }
        guard !tokens.isEmpty else { throw .empty }
        return tokens
    }
}
