// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import ESPHome

/// The numbers of messages and fields, against `messages.txt`. The end-to-end tests compare that file with the client
/// library of Home Assistant.
@Suite struct MessageTableTests {
    private struct Described {
        let number: Int
        let fields: [String: Int]
    }

    private let messages: [String: Described]

    init() throws {
        let path = #filePath.replacing("MessageTableTests.swift", with: "messages.txt")
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
        var messages: [String: Described] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            var fields: [String: Int] = [:]
            for word in words.dropFirst(2) {
                let parts = word.split { "=:".contains($0) }
                fields[String(parts[0])] = Int(parts[1])
            }
            messages[String(words[1])] = Described(number: try #require(Int(words[0])), fields: fields)
        }
        self.messages = messages
    }

    @Test(arguments: MessageType.allCases)
    func `a message and its fields have their numbers`(type: MessageType) {
        let name = "\(type)".capitalized
        #expect(messages[name]?.number == max(type.rawValue, 0))
        for (field, number) in MessageType.fields[type] ?? [:] {
            #expect(messages[name]?.fields["\(field)".withUnderscores] == number, "\(name).\(field)")
        }
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }

    fileprivate var withUnderscores: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }
}
