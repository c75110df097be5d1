// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct JSONTests {
    @Test func `the writer produces RFC 8259 text`() {
        let json = JSONWriter.object { json in
            json.member("text", "a\"b\\c\n\u{1}é")
            json.member("none", String?.none)
            json.member("yes", true)
            json.member("count", 7)
            json.member("empty") { _ in }
            json.name("list")
            json.array([1, 2]) { json, number in json.object { $0.member("n", number) } }
        }
        let expected =
            #"{"text":"a\"b\\c\u000a\u0001é","none":null,"yes":true,"count":7,"empty":{},"list":[{"n":1},{"n":2}]}"#
        #expect(String(decoding: json, as: UTF8.self) == expected)
    }

    @Test(
        arguments: [
            (0.42, "0.42"), (1, "1"), (0, "0"), (403.0 / 960, "0.419792"), (1.0 / 65_535, "0.000015"), (-0.25, "-0.25"),
            (-0.000_000_1, "0"), (0.999_999_9, "1"), (120_000.5, "120000.5"), (1e12, "1000000000000.0"),
        ] as [(Double, String)]
    )
    func `a fraction has at most six decimals`(fraction: Double, text: String) {
        let json = JSONWriter.object { $0.member("f", decimal: fraction) }
        #expect(String(decoding: json, as: UTF8.self) == "{\"f\":\(text)}")
    }

    @Test(arguments: [0, 7, -1, Int.max, Int.min])
    func `an integer is written with all its digits`(number: Int) {
        let json = JSONWriter.object { $0.member("n", number) }
        #expect(String(decoding: json, as: UTF8.self) == "{\"n\":\(number)}")
    }

    @Test func `a text longer than the buffer is written completely`() {
        let text = String(repeating: "é\"\n", count: 5_000)
        var writer = JSONWriter(reserving: 1)
        writer.array([text, text]) { $0.string($1) }
        #expect(JSONValue(parsing: writer.bytes, upTo: .max) == .array([.string(text), .string(text)]))
    }

    @Test(arguments: [
        (
            "{\"a\":[1,true,null,\"x\"]}",
            JSONValue.object(["a": .array([.number(1), .bool(true), .null, .string("x")])])
        ),
        ("0", .number(0)),
        ("1", .number(1)),
        ("true", .bool(true)),
        ("{}", .object([:])),
        ("\"\\u0000\\ud83d\\ude00\"", .string("\u{0}😀")),
        (
            "[-0.5e1,100000000000000000000]",
            .array([.number(-5), .number(1e20)])
        ),
    ])
    func `the parser reads JSON`(text: String, value: JSONValue) {
        #expect(JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", "{", "01", "1e999", "\"\u{1}\"", "\"\\ud83d\"", "{\"brightness\":NaN}", "{\"a\":1,}", "{'a':1}", "\u{FEFF}",
        "{\"a\":1}x", "[1", "0\0", "\0{\0}", "{\"a\":1,\"a\":1}", "[{\"b\":{\"a\":1,\"c\":2,\"a\":3}}]",
        "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"a\":1,\"\\u0061\":2}",
    ])
    func `the parser rejects text that is not JSON`(text: String) {
        #expect(JSONValue(parsing: Array(text.utf8)) == nil)
    }

    @Test(arguments: [(JSONValue.deepest, true), (JSONValue.deepest + 1, false), (8_192, false)])
    func `the parser rejects text nested too deep`(depth: Int, isRead: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect((JSONValue(parsing: Array(text.utf8)) != nil) == isRead)
    }

    @Test func `the parser rejects bytes that are not UTF-8`() {
        #expect(JSONValue(parsing: [0x22, 0xFF, 0x22]) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_795_240_800_123, "2026-11-21T06:00:00.123Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func `a time is RFC 3339 in UTC`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }
}
