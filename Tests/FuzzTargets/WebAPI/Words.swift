// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

@testable import HTTPServer
@testable import WebAPI

enum Words {
    static func check(_ bytes: [UInt8]) throws {
        let text = bytes.text
        try checkTime(text)
        try checkConditions(text)
        try checkHost(text)
        try checkPath(text)
        try checkTokens(text)
        if let address = ListenAddress(text) {
            try require(ListenAddress(address.description) == address, "\(address) reads as another address")
        }
        let accept = Accept(text)
        try require(text != "*/*" || accept.admits("text/plain"), "everything is admitted")
        _ = Accept.qualities(in: text)
        if let bytes = Base64.bytes(16, of: text) {
            try require(Base64.text(of: bytes) == text, "the bytes of \(text) are written otherwise")
            try require(WebSocketKey(text: text).confirmation.utf8.count == 28, "20 bytes in base64")
        }
    }

    private static func checkTime(_ text: String) throws {
        guard let time = Timestamp(rfc3339: text) else { return }
        let written = time.rfc3339
        try require(Timestamp(rfc3339: written) == time, "\(text) was written as \(written), which is another time")
        try require(written.utf8.count == 24, "\(written) is not as long as a time is")
    }

    private static func checkConditions(_ text: String) throws {
        let epoch = Epoch(number: 7)
        let condition = Condition(text, in: epoch)
        for revision in condition.revisions {
            let tag = EntityTag(epoch, revision)
            try require(text.contains(tag.text), "\(text) does not hold \(tag.text)")
            try require(Condition(tag.text, in: epoch).holds(for: revision), "a tag does not match itself")
        }
        let strong = Condition(Condition.tags(in: text), in: epoch, isStrong: true)
        try require(strong.revisions.isSubset(of: condition.revisions), "a strong comparison matches more")
        if let tag = EntityTag(id: text, in: epoch) { try require(tag.id == text, "\(text) passes for \(tag.id)") }
    }

    /// A host that is served without being named is an address or `localhost`, however it is written.
    private static func checkHost(_ text: String) throws {
        let host = HostName(text)
        guard host.isAddress || host.isLocalhost else { return }
        let letters = "0123456789abcdefABCDEF:.[]%"
        let isAddress = text.utf8.allSatisfy { letters.utf8.contains($0) } || text.contains(":")
        try require(isAddress || text.lowercased() == "localhost", "\(text) passes for an address")
        try require(!host.isLoopback || host.isAddress || host.isLocalhost, "loopback is an address")
    }

    private static let router = Router(Resource.all)

    private static func checkPath(_ text: String) throws {
        guard let match = router.match(text) else { return }
        try require(text.hasPrefix("/"), "\(text) leads somewhere")
        let path = match.resource.path
        try require(path.matches(PathTemplate.split(text)), "\(text) leads to \(path.text)")
        if path == Resource.display.path, let name = path.value(of: "id", in: match.segments) {
            try require(text == "/v1/displays/\(name)", "\(text) leads to \(name)")
        }
    }

    private static func checkTokens(_ text: String) throws {
        let tokens: [Token]
        do {
            tokens = try Token.all(in: text)
        } catch {
            // A fault of a file appears in logs: it may contain no secret.
            let words = text.split { ":\n".contains($0) }.filter { $0.utf8.count >= Token.shortestSecret }
            for word in words { try require(!"\(error)".contains(word), "\(error) shows a secret") }
            return
        }
        try require(Set(tokens.map(\.name)).count == tokens.count, "two tokens have one name")
        try require(!tokens.isEmpty, "a file without a token")
    }
}
