// SPDX-License-Identifier: Apache-2.0
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
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, file) > 0, let line else {
            throw OptionError("the file of \(option) contains no \(secret)")
        }
        return String(cString: line).trimmingSuffix { $0.isNewline }
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return String(text)
    }
}
