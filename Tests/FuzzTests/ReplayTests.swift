// SPDX-License-Identifier: Apache-2.0
import FuzzTargets
import Glibc
import Testing

/// The corpus of `make fuzz`: each input reaches new code, or was a finding.
@Suite(.serialized) struct ReplayTests {
    private static let corpus = #filePath.replacing("FuzzTests/ReplayTests.swift", with: "FuzzTargets/Corpus")

    @Test(arguments: FuzzTarget.allCases)
    func `the invariants of a fuzz target hold for its corpus`(target: FuzzTarget) throws {
        let files = try Self.files(in: "\(Self.corpus)/\(target)")
        #expect(!files.isEmpty)
        for file in files {
            #expect(throws: Never.self, "\(file)") { try target.check(try Self.contents(of: file)) }
        }
    }

    private static func files(in path: String) throws -> [String] {
        let directory = try #require(opendir(path))
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { files.append("\(path)/\(name)") }
        }
        return files.sorted()
    }

    private static func contents(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return bytes
    }
}
