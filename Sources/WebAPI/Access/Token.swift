// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// One line of a token file: `name:scopes:secret` or `name:scopes:sha256:digest`.
///
/// ```
///   kiosk-3:write:correct-horse-battery-staple
///   wall:read:sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
/// ```
package struct Token: Hashable, Sendable {
    /// Whose it is: letters, digits, `-`, `_`, `.`; for people who read the file.
    package let name: String
    let scope: Scope
    let digest: SecretDigest

    /// Characters a secret has at least, so that nobody tries all.
    package static let shortestSecret = 16

    /// - Throws: What is wrong with the line, without any secret of it.
    init(line: Substring) throws(TokenFileError.Reason) {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .shape }
        let name = parts[0]
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte) else { throw .name }
        guard !Principal.reserved.contains(String(name)), !ReservedHolder.includes(String(name)) else {
            throw .reserved
        }
        let scopes = parts[1].split(separator: ",").map { Scope(rawValue: String($0)) }
        guard !scopes.contains(nil), let highest = scopes.compactMap({ $0 }).max() else { throw .scope }
        let secret = parts[2]
        if secret.hasPrefix("sha256:") {
            guard let digest = SecretDigest(hexadecimal: secret.dropFirst("sha256:".count)) else { throw .digest }
            self.digest = digest
        } else {
            guard secret.utf8.count >= Self.shortestSecret else { throw .shortSecret }
            // What a header field cannot carry.
            guard secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .secret }
            digest = SecretDigest(of: String(secret))
        }
        self.name = String(name)
        scope = highest
    }

    /// The tokens of a file's text. Empty lines and those that begin with `#` say nothing.
    package static func all(in text: String) throws(TokenFileError) -> [Token] {
        var tokens: [Token] = []
        // CRLF is one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            guard !line.isEmpty, line.first != "#" else { continue }
            do throws(TokenFileError.Reason) {
                let token = try Token(line: line)
                if tokens.contains(where: { $0.name == token.name }) { throw .twice }
                tokens.append(token)
            } catch {
                throw .line(index + 1, error)
            }
        }
        guard !tokens.isEmpty else { throw .empty }
        return tokens
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
