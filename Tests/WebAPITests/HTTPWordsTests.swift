// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import WebAPI

@Suite struct HTTPWordsTests {
    static let epoch = Epoch(number: 0x7F3A)

    @Test(
        arguments: [
            ("\"00007f3a-12\"", 12, true),
            ("W/\"00007f3a-12\"", 12, true),
            ("\"x\", \"00007f3a-12\" , \"y\"", 12, true),
            ("\"x\",\t\"00007f3a-12\"\t", 12, true),
            ("*", 12, true),
            ("\"00007f3a-13\"", 12, false),
            ("\"0000ffff-12\"", 12, false),
            ("00007f3a-12", 12, false),
            ("\"", 12, false),
            ("", 12, false),
        ] as [(String, UInt64, Bool)]
    )
    func `a condition holds for the tags it lists`(field: String, revision: UInt64, holds: Bool) {
        #expect(Condition(field, in: Self.epoch).holds(for: Revision(revision)) == holds)
    }

    @Test func `an entity tag consists of the epoch and the revision`() {
        let tag = EntityTag(Self.epoch, Revision(9))
        #expect(tag.text == "\"00007f3a-9\"")
        #expect(EntityTag(id: tag.id, in: Self.epoch) == tag)
        #expect(EntityTag(id: tag.id, in: Epoch(number: 1)) == nil)
        #expect(EntityTag(id: tag.id.replacing("-9", with: "-0"), in: Self.epoch) == EntityTag(Self.epoch, Revision(0)))
        for other in ["-09", "-+9", "-", "--9"] {
            #expect(EntityTag(id: tag.id.replacing("-9", with: other), in: Self.epoch) == nil)
        }
    }

    @Test(
        arguments: [
            (nil, true),
            ("*/*", true),
            ("application/json", true),
            ("application/*;q=0.5", true),
            ("text/html, application/json;q=0.1", true),
            ("text/html", false),
            ("application/json;q=0, */*", false),
            ("*/*;q=0", false),
            ("", true),
        ] as [(String?, Bool)]
    )
    func `an Accept field admits a media type`(field: String?, isAdmitted: Bool) {
        #expect(Accept(field).admits("application/json") == isAdmitted)
    }

    @Test(
        arguments: [
            (nil, false), ("*/*", false), ("application/json", false), ("text/csv", true), ("text/csv, */*", true),
            ("text/*", true), ("application/json, text/csv", false), ("text/csv, application/json;q=0.9", true),
            ("text/csv;q=0.5, application/json", false), ("text/html, */*;q=0.8", false), ("text/csv;q=0, */*", false),
        ] as [(String?, Bool)]
    )
    func `an Accept field prefers CSV to JSON`(field: String?, isPreferred: Bool) {
        #expect(Accept(field).prefers(.csv, to: .json) == isPreferred)
    }

    @Test(arguments: [
        ("127.0.0.1:8787", true, true), ("[::1]:8787", true, true), ("localhost", false, true),
        ("10.1.2.3", true, false), ("[fe80::1]", true, false), ("evil.example", false, false),
        ("127.0.0.1.evil.example", false, false), ("localhost.", false, false), ("[localhost]", false, true),
        ("0x7f.1", false, false), ("2130706433", false, false), ("::1", false, false),
        ("[::1].evil.example", false, false), ("[::1]:80", true, true),
        ("127.0.0.1:x@evil.example", false, false), ("user@127.0.0.1", false, false), ("localhost:", false, true),
        ("127.0.0.1:80:80", false, false), ("[::1]:x", false, false),
    ])
    func `a host is an IP address or a name`(caller: String, isAddress: Bool, isLoopback: Bool) {
        #expect(HostName(caller).isAddress == isAddress)
        if caller != "[localhost]" { #expect(HostName(caller).isLoopback == isLoopback) }
    }
}
