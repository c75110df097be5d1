// SPDX-License-Identifier: Apache-2.0
// `winsize` belongs to the first module whose headers include it: with glibc 2.43 that is this one.
internal import CLinux
import Glibc

/// Standard output and standard error.
package struct Terminal {
    let style: Style
    /// The width of the terminal in characters, but at least 20. It is 80 if the width is unknown.
    let columns: Int

    /// The style has colour if standard output is a terminal, `TERM` is not `dumb`, and `NO_COLOR` is not set
    /// (https://no-color.org).
    init() {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let refuses = Variable["NO_COLOR"] != nil || Variable["TERM"] == "dumb"
        style = Style(isStyled: isTerminal && !refuses)
        var size = winsize()
        let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = isKnown ? max(Int(size.ws_col), 20) : 80
    }

    /// Writes a line to standard output without buffering it.
    ///
    /// - Throws: `ClientError.failed` if the line cannot be written, for example because the disk is full.
    func print(_ line: String) throws(ClientError) {
        guard Self.write(line, to: STDOUT_FILENO) else {
            throw .failed("The output cannot be written (\(String(cString: strerror(errno)))).")
        }
    }

    /// Writes a line to standard error, after the client's name.
    func warn(_ sentence: String) { Self.printError("brightness: \(sentence)") }

    /// Writes a line to standard error as it is.
    package static func printError(_ line: String) { _ = write(line, to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32) -> Bool {
        var bytes = Array("\(line)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes.removeFirst(count)
        }
        return true
    }
}

/// Escape codes for bold, faint and yellow text; plain text if they are disabled.
package struct Style: Sendable {
    let isStyled: Bool

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    /// Yellow, for leases and schedules in force.
    func temporary(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// The variables of the environment.
enum Variable {
    /// The value of the variable. It is `nil` if the variable is not set or is empty.
    static subscript(name: String) -> String? {
        guard let value = getenv(name), value[0] != 0 else { return nil }
        return String(cString: value)
    }
}
