// SPDX-License-Identifier: Apache-2.0
import FuzzTargets
import Glibc
import Testing

/// The corpus of `make fuzz`: each input reaches new code, or was a finding.
@Suite(.serialized) struct ReplayTests {
    private static let corpus = #filePath.replacing("FuzzTests/ReplayTests.swift", with: "FuzzTargets/Corpus")

    @Test(arguments: FuzzTarget.allCases)
    func `the invariants of a fuzz target hold for its corpus`(target: FuzzTarget) throws {
        let inputs = try Self.contents(of: "\(Self.corpus)/\(target).txt").split(separator: UInt8(ascii: "\n"))
        #expect(!inputs.isEmpty)
        for (line, input) in inputs.enumerated() {
            let bytes = try #require(Self.unescaped(input), "line \(line + 1)")
            #expect(throws: Never.self, "line \(line + 1)") { try target.check(bytes) }
        }
    }

    @Test func `an input is a line with escapes`() {
        #expect(Self.unescaped(Array(#"a\\b\r\n\t\x00\xff"#.utf8)[...]) == Array("a\\b\r\n\t\0".utf8) + [0xff])
        #expect(Self.unescaped(Array(#"\q"#.utf8)[...]) == nil)
        #expect(Self.unescaped(Array(#"\x0"#.utf8)[...]) == nil)
    }

    /// The bytes that `printf %b` of `scripts/check/fuzz` writes; `nil` for another escape than those of the corpus.
    private static func unescaped(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "n"): bytes.append(0x0a)
            case UInt8(ascii: "r"): bytes.append(0x0d)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "x"):
                let digits = rest.prefix(2)
                rest = rest.dropFirst(2)
                guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                    return nil
                }
                bytes.append(value)
            default: return nil
            }
        }
        return bytes
    }

    private static func contents(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return bytes
    }
}
