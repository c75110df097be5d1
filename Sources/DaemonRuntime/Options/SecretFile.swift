// SPDX-License-Identifier: Apache-2.0
import ESPHome
import Glibc
import Support

/// A file with a secret in its first line.
enum SecretFile {
    /// - Parameters:
    ///   - option: The flag that names the file, for messages. The path is not shown: it may be the secret, given by
    ///     mistake.
    ///   - secret: What the file should contain.
    static func firstLine(of path: String, _ option: String, _ secret: String) throws(OptionError) -> String {
        guard let bytes = bytes(of: path) else {
            throw OptionError("cannot read \(option): \(String(cString: strerror(errno)))")
        }
        if bytes.isEmpty { throw OptionError("the file of \(option) contains no \(secret)") }
        return firstLine(of: bytes)
    }

    /// Returns `nil` after an error, which `errno` has.
    fileprivate static func bytes(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return nil }
        defer { close(file) }
        return readToEnd(of: file)
    }

    fileprivate static func firstLine(of bytes: [UInt8]) -> String {
        String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
    }
}

/// The file of the key that an ESPHome client made, in the state directory. Only its owner may read it.
struct KeyFile: Sendable {
    static let name = "esphome.key"

    let path: String

    init(in directory: String) { path = "\(directory)/\(Self.name)" }

    /// Returns the key; `nil` if there is no file.
    func read() throws(OptionError) -> NoiseKey? {
        guard let bytes = SecretFile.bytes(of: path) else {
            if errno == ENOENT { return nil }
            throw failure("cannot be read", errno)
        }
        guard let key = NoiseKey(base64: SecretFile.firstLine(of: bytes)) else {
            throw OptionError("\(path) contains no key. Remove the file, so that Home Assistant may make another key")
        }
        return key
    }

    /// Replaces the file as a whole. It is on the disk afterwards.
    func write(_ key: NoiseKey) throws(OptionError) {
        let draft = "\(path).new"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("cannot be written", errno) }
        let bytes = Array("\(key.base64)\n".utf8)
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let reason = errno
        close(file)
        guard isWritten, rename(draft, path) == 0 else {
            let reason = isWritten ? errno : reason
            unlink(draft)
            throw failure("cannot be written", reason)
        }
        let folder = open(String(path.dropLast(Self.name.count)), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func failure(_ what: String, _ reason: Int32) -> OptionError {
        OptionError("the key of Home Assistant in \(path) \(what): \(String(cString: strerror(reason)))")
    }
}
