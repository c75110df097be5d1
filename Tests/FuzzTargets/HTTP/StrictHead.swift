// SPDX-License-Identifier: Apache-2.0

@testable import HTTPServer

/// A strict parser of a request's head (RFC 9112), independent of the daemon's code, for comparison.
struct StrictHead {
    let method: String
    let target: String
    let isHTTP10: Bool
    /// Names in lower case.
    private let fields: [(name: String, value: String)]
    /// The bytes after the head.
    let rest: ArraySlice<UInt8>

    /// Returns `nil` for a partial or unusual head, which is not compared.
    init?(_ bytes: [UInt8]) {
        let mark = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
        let head = bytes[..<end]
        guard head.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A }) else { return nil }
        var lines = Array(head).text.components(at: "\r\n")
        guard !lines.contains(where: { $0.utf8.contains { $0 == 0x0D || $0 == 0x0A } }) else { return nil }
        let first = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard first.count == 3, first[2] == "HTTP/1.1" || first[2] == "HTTP/1.0", first[1].hasPrefix("/"),
            !first[0].isEmpty, first[0].utf8.allSatisfy(Self.isToken)
        else { return nil }
        var fields: [(String, String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
                line[..<colon].utf8.allSatisfy(Self.isToken)
            else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            // libmicrohttpd rejects a length followed by white space.
            if line[..<colon].lowercased() == "content-length", line.hasSuffix(" ") { return nil }
            fields.append((line[..<colon].lowercased(), String(value.reversed().drop { $0 == " " }.reversed())))
        }
        method = String(first[0])
        target = String(first[1])
        isHTTP10 = first[2] == "HTTP/1.0"
        self.fields = fields
        rest = bytes[(end + mark.count)...]
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Whether two servers may parse it differently. No such request may be carried out.
    var isAmbiguous: Bool {
        let (lengths, encodings) = (values("content-length"), values("transfer-encoding"))
        return values("host").count > 1 || lengths.count > 1 || encodings.count > 1
            || !lengths.isEmpty && !encodings.isEmpty || !encodings.isEmpty && isHTTP10
            || encodings.contains { $0.lowercased() != "chunked" }
            || lengths.contains { Int($0) == nil || !$0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// The request that the application must receive; `nil` if that depends on more than is checked here.
    var plain: Recorder.Seen? {
        let hosts = values("host")
        guard !isAmbiguous, hosts.count == 1, !hosts[0].isEmpty, values("transfer-encoding").isEmpty,
            values("expect").isEmpty, values("upgrade").isEmpty, !fields.contains(where: Self.isLookalike),
            !target.contains("#"),
            let path = Self.decoded(target.prefix { $0 != "?" })
        else { return nil }
        let length = values("content-length").first.flatMap { Int($0) } ?? 0
        guard length <= rest.count else { return nil }
        return Recorder.Seen(
            method: Method(rawValue: method) ?? .other,
            path: path,
            queries: [],
            host: hosts[0],
            body: Array(rest.prefix(length)),
            isHTTP10: isHTTP10,
            isHandshake: false
        )
    }

    /// Whether the name is longer: libmicrohttpd turns a folded line into such a name, so it is rejected, too.
    private static func isLookalike(_ field: (name: String, value: String)) -> Bool {
        ["content-length", "transfer-encoding"].contains { field.name.hasPrefix($0) && field.name != $0 }
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = Array(rest.prefix(2))
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let value = UInt8(digits.text, radix: 16), value != 0
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.text
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
    }
}

extension String {
    /// Compared by bytes, since CRLF is one character.
    fileprivate func components(at mark: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var rest = Array(utf8)[...]
        let mark = Array(mark.utf8)
        while let byte = rest.first {
            if rest.starts(with: mark) {
                parts.append([])
                rest = rest.dropFirst(mark.count)
            } else {
                parts[parts.count - 1].append(byte)
                rest = rest.dropFirst()
            }
        }
        return parts.map(\.text)
    }
}
