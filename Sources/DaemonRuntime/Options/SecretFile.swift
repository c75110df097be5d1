// SPDX-License-Identifier: Apache-2.0
import ESPHome
import Glibc

/// A file with a secret in its first line.
enum SecretFile {
    /// - Parameters:
    ///   - option: The flag that names the file, for messages. The path is not shown: it may be the secret, given by
    ///     mistake.
    ///   - secret: What the file should contain.
    static func firstLine(of path: String, _ option: String, _ secret: String) throws(OptionError) -> String {
        guard let file = fopen(path, "re") else {
            throw OptionError("cannot read \(option): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        if let line = firstLine(of: file) { return line }
        throw OptionError("the file of \(option) contains no \(secret)")
    }

    /// `nil` for a file without one.
    fileprivate static func firstLine(of file: UnsafeMutablePointer<FILE>) -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, file) > 0, let line else { return nil }
        return String(String(cString: line).prefix { !$0.isNewline })
    }
}

/// The file of the key that an ESPHome client made, in the state directory. Only its owner may read it.
struct KeyFile: Sendable {
    static let name = "esphome.key"

    let path: String

    init(in directory: String) { path = "\(directory)/\(Self.name)" }

    /// Returns the key; `nil` if there is no file.
    func read() throws(OptionError) -> NoiseKey? {
        guard let file = fopen(path, "re") else {
            if errno == ENOENT { return nil }
            throw failure("cannot be read", errno)
        }
        defer { fclose(file) }
        guard let key = SecretFile.firstLine(of: file).flatMap({ NoiseKey(base64: $0) }) else {
            throw OptionError("\(path) contains no key. Remove the file, so that Home Assistant may set another key")
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
