// SPDX-License-Identifier: Apache-2.0
import DDCWire
import Testing

@Suite struct WireObjectTests {
    @Test(arguments: [
        (WireObject([:]), "{}\n"),
        (WireObject(["number": .number(1), "do": .text("detect")]), #"{"do":"detect","number":1}"# + "\n"),
        (WireObject(["done": .yes, "number": .number(-3007)]), #"{"done":true,"number":-3007}"# + "\n"),
        (WireObject(["name": .text("a\"b\\c\nÄ")]), #"{"name":"a\"b\\c\nÄ"}"# + "\n"),
    ])
    func `an object is written as this line and read back`(object: WireObject, line: String) {
        #expect(String(decoding: object.line, as: UTF8.self) == line)
        #expect(WireObject(line: line.utf8) == object)
    }

    @Test(arguments: [
        #" { "number" : 7 , "do" : "read" } "#, #"{"number":7,"do":"\u0072ead"}"#, #"{"do":"read","number":7}"#,
    ])
    func `a flat JSON object is read`(line: String) throws {
        let object = try #require(WireObject(line: line.utf8))
        #expect(object.number("number") == 7)
        #expect(object.text("do") == "read")
        #expect(!object.holds("do"))
    }

    @Test(arguments: [
        "", "{", "}", "[]", "7", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1}}"#, #"{"a":false}"#, #"{"a":null}"#,
        #"{"a":[1]}"#, #"{"a":1.5}"#, #"{"a":"b}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\ud800"}"#,
        #"{"a":1,"a":2}"#,
        "{\"a\":\"\n\"}", #"{"a":--1}"#, #"{"a":99999999999999999999}"#, #"{"a":1"b":2}"#,
        #"{"a":01}"#, #"{"a":-00}"#, #"{"a":-}"#, #"{"a":"\xtrue}"#, #"{"a":"b\ 7}"#, #"{"a":"\u+123"}"#,
    ])
    func `other text is rejected`(line: String) {
        #expect(WireObject(line: line.utf8) == nil)
    }

    @Test func `bytes that are not UTF-8 are rejected`() {
        #expect(WireObject(line: Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)) == nil)
    }
}
