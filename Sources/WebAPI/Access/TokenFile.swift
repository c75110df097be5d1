// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where the daemon's tokens are kept: `--token-file`.
package struct TokenFile: Sendable {
    /// No list of people is longer.
    private static let longest = 1_048_576

    package let path: String

    package init(_ path: String) { self.path = path }

    /// Reads the file. Blocks; not for a shard's thread.
    ///
    /// - Returns: The tokens, and whether others than its owner and group may read the file, which they should not.
    package func read() throws(TokenFileError) -> (tokens: [Token], isOpenToOthers: Bool) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable("it is no file") }
        guard status.st_size <= Self.longest else { throw .unreadable("it is larger than a megabyte") }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
            if count == 0 { break }
            text += buffer[..<count]
        }
        return (try Token.all(in: String(decoding: text, as: UTF8.self)), status.st_mode & S_IROTH != 0)
    }
}

/// Why a token file cannot be used. No secret is in it.
package enum TokenFileError: Error, Hashable, Sendable {
    package enum Reason: Error, Hashable, Sendable {
        case shape, name, scope, digest, shortSecret, secret, twice, reserved
    }

    case unreadable(String)
    case line(Int, Reason)
    /// It has no token at all.
    case empty
}

extension TokenFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let why): "it cannot be read: \(why)"
        case .empty: "it has no token. A line is name:scopes:secret, such as kiosk-3:write:$(openssl rand -hex 32)"
        case .line(let number, let reason): "line \(number): \(reason.sentence)"
        }
    }
}

extension TokenFileError.Reason {
    fileprivate var sentence: String {
        switch self {
        case .shape: "a line is name:scopes:secret or name:scopes:sha256:digest"
        case .name: "a name has 1 to 64 letters, digits, \"-\", \"_\" and \".\""
        case .scope: "scopes are read, write and admin, with commas between them"
        case .digest: "behind sha256: come 64 hexadecimal digits, as sha256sum prints them"
        case .shortSecret: "a secret has at least \(Token.shortestSecret) characters; openssl rand -hex 32 makes one"
        case .secret: "a secret has no spaces, and nothing but ASCII"
        case .twice: "another line has this name"
        case .reserved: "anonymous, mqtt, brightnessd, idle and presence cannot be the names of tokens"
        }
    }
}
