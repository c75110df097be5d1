// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import WebAPI

@Suite struct TokenTests {
    private static let secret = "correct-horse-battery"

    @Test func `the digest is that of FIPS 180-4`() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SecretDigest(of: "abc") == SecretDigest(hexadecimal: abc[...]))
        #expect(SecretDigest(of: "abc").isSame(as: SecretDigest(of: "abc")))
        #expect(!SecretDigest(of: "abc").isSame(as: SecretDigest(of: "abd")))
    }

    @Test(arguments: [
        ("a:read:correct-horse-battery", Scope.read), ("kiosk-3:read,write:correct:horse:battery", .write),
        ("A_b.c:admin:correct-horse-battery", .admin), ("a:write,admin,read:correct-horse-battery", .admin),
    ])
    func `a line has a name, scopes and a secret, which may contain colons`(line: String, scope: Scope) throws {
        let token = try Token(line: line[...])
        #expect(token.scope == scope)
        #expect(token.digest == SecretDigest(of: String(line.split(separator: ":", maxSplits: 2)[2])))
    }

    @Test(arguments: [
        ("a:write[hall:*,tag:kiosk]:correct:horse:battery", "hall:*, tag:kiosk"),
        ("a:read,admin[group:lobby,DP-1]:correct:horse:battery", "hall:*, DP-2, DP-1"),
    ])
    func `brackets limit a token to displays, tags and groups`(line: String, limit: String) throws {
        let groups = try DisplayGroups([try #require(DisplayGroup("lobby=hall:*,DP-2"))])
        let token = try Token(line: line[...], groups)
        #expect(token.limit?.description == limit)
        #expect(token.digest == SecretDigest(of: "correct:horse:battery"))
    }

    @Test func `a digest stands for its secret`() throws {
        let abc = "BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try Token(line: "a:read:sha256:\(abc)").digest == SecretDigest(of: "abc"))
    }

    @Test(
        arguments: [
            ("a:write[hall:*:correct-horse-battery", .limit), ("a:write[]:correct-horse-battery", .limit),
            ("a:write[group:none]:correct-horse-battery", .limit), ("a:write[all]:correct-horse-battery", .limit),
            ("a:read[hall:*]:correct-horse-battery", .limit), ("a:write[x]correct-horse-battery", .shape),
            ("a:read", .shape), ("", .shape), (":read:correct-horse-battery", .name),
            ("a b:read:correct-horse-battery", .name), ("anonymous:read:correct-horse-battery", .reserved),
            ("mqtt:read:correct-horse-battery", .reserved), ("idle:read:correct-horse-battery", .reserved),
            ("a::correct-horse-battery", .scope),
            ("a:root:correct-horse-battery", .scope), ("a:read:short", .shortSecret), ("a:read:", .shortSecret),
            ("a:read:correct horse battery", .secret), ("a:read:çorrect-horse-battery", .secret),
            ("a:read:sha256:abc", .digest), ("a:read:sha256:" + String(repeating: "g", count: 64), .digest),
            ("a:read:sha256:" + String(repeating: "é", count: 32), .digest),
        ] as [(String, TokenFileError.Reason)]
    )
    func `an invalid line is reported with its error`(line: String, reason: TokenFileError.Reason) {
        #expect(throws: reason) { try Token(line: line[...]) }
    }

    @Test(arguments: ["anonymous", "brightnessd", "esphome", "mqtt", "idle", "presence"])
    func `a reserved name is rejected, and the message lists it`(name: String) {
        #expect(throws: TokenFileError.Reason.reserved) { try Token(line: "\(name):read:\(Self.secret)"[...]) }
        #expect(TokenFileError.line(1, .reserved).description.contains(name))
    }

    @Test func `comments and empty lines are ignored, and CRLF ends a line like LF`() throws {
        let text = "# who may\n\na:read:\(Self.secret)-1\r\nb:write:\(Self.secret)-2"
        #expect(try Token.all(in: text).map(\.name) == ["a", "b"])
    }

    @Test func `an invalid file is reported with the line number`() {
        let good = "a:read:\(Self.secret)"
        #expect(throws: TokenFileError.line(2, .shape)) { try Token.all(in: "\(good)\nnonsense") }
        #expect(throws: TokenFileError.line(3, .twice)) { try Token.all(in: "\(good)\n\n\(good)2") }
        #expect(throws: TokenFileError.empty) { try Token.all(in: "# nobody\n") }
        #expect(!TokenFileError.line(2, .shortSecret).description.contains("secret:"))
    }

    @Test func `a reload keeps the grants of unchanged tokens and revokes the others`() throws {
        let lines = ["a:read:\(Self.secret)-1", "b:write:\(Self.secret)-2", "c:read:\(Self.secret)-3"]
        let store = TokenStore(try Token.all(in: lines.joined(separator: "\n")))
        let (a, b, c) = (
            try #require(store.grant(for: Self.secret + "-1")), try #require(store.grant(for: Self.secret + "-2")),
            try #require(store.grant(for: Self.secret + "-3"))
        )
        #expect(store.grant(for: Self.secret) == nil)
        let next = [lines[0], "b:read:\(Self.secret)-2", "d:read:\(Self.secret)-4"]
        let change = store.replace(with: try Token.all(in: next.joined(separator: "\n")))
        #expect(change == (added: 2, revoked: 2))
        #expect([a, b, c].map(\.isValid) == [true, false, false])
        #expect(store.grant(for: Self.secret + "-1") === a)
        #expect(store.grant(for: Self.secret + "-2")?.token.scope == .read)
        #expect(store.grant(for: Self.secret + "-3") == nil)
    }
}
