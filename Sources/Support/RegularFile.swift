// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A file that is read as a whole.
package enum RegularFile {
    package struct Failure: Error {
        /// Such as `No such file or directory`.
        package let reason: String
    }

    /// Blocks.
    ///
    /// - Parameter limit: The maximum size in MiB.
    /// - Returns: The content, and whether users other than its owner and group may read the file.
    package static func read(
        _ path: String,
        upTo limit: Int
    ) throws(Failure) -> (bytes: [UInt8], isOpenToOthers: Bool) {
        func failure() -> Failure { Failure(reason: String(cString: strerror(errno))) }
        // Does not wait for the writer of a pipe.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(reason: "it is not a regular file") }
        guard status.st_size <= limit << 20 else { throw Failure(reason: "it is larger than \(limit) MiB") }
        guard let bytes = readToEnd(of: file) else { throw failure() }
        return (bytes, status.st_mode & S_IROTH != 0)
    }
}

/// Reads a descriptor until its end. Blocks.
///
/// - Returns: `nil` after an error, which `errno` has.
package func readToEnd(of descriptor: Int32) -> [UInt8]? {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

/// Returns the target of a symbolic link as it is written there; `nil` for a file that is not a link.
package func linkTarget(of path: String) -> String? {
    // An array in its place is a null pointer after the call, in a release build of Swift 6.0.3.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = readlink(path, start, buffer.count)
        return count > 0 ? String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self) : nil
    }
}
