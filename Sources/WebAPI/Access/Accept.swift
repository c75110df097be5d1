// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// A media type without parameters, such as `application/json`.
struct MediaType {
    let name: String
    fileprivate let text: CachedText

    init(_ name: String) {
        self.name = name
        text = CachedText(name)
    }

    static let json = MediaType("application/json")
    static let eventStream = MediaType("text/event-stream")
    static let plainText = MediaType("text/plain")
    static let csv = MediaType("text/csv")
}

/// The media types that a client accepts (RFC 9110, section 12.5.1). Without the field every type is accepted.
struct Accept {
    private let field: String?

    private static let anything = CachedText("*/*")

    init(_ field: String?) { self.field = field }

    /// Whether a request accepts a media type. The usual values are compared without a copy.
    static func admits(_ type: MediaType, in request: Request) -> Bool {
        guard let text = request.frequent.accept else { return true }
        if request.frequent.hasMoreAccept { return Accept(request.list("Accept")).admits(type.name) }
        return text == type.text || text == anything || Accept(text.value).admits(type.name)
    }

    /// Whether a request accepts a media type, and prefers no other one: it has no `Accept`, or a usual one.
    static func prefersNone(to type: MediaType, in request: Request) -> Bool {
        guard let text = request.frequent.accept else { return true }
        return !request.frequent.hasMoreAccept && (text == type.text || text == anything)
    }

    /// Whether `type`, such as `application/json`, is accepted. The most specific range decides; `q=0` excludes.
    func admits(_ type: String) -> Bool { preference(for: type).quality > 0 }

    /// Whether it names a media type, and not only a range that has it.
    func names(_ type: MediaType) -> Bool {
        let preference = preference(for: type.name)
        return preference.rank == 3 && preference.quality > 0
    }

    /// Whether the client prefers a media type to the other one: by its quality, then by naming it more specifically.
    func prefers(_ type: MediaType, to other: MediaType) -> Bool {
        preference(for: type.name) > preference(for: other.name)
    }

    /// The quality of a media type, and how specific the range is that decides it.
    private func preference(for type: String) -> (quality: Double, rank: Int) {
        guard let field, !field.isEmpty else { return (1, 0) }
        let family = type.prefix { $0 != "/" } + "/*"
        var best: (quality: Double, rank: Int) = (0, 0)
        for (range, quality) in Self.qualities(in: field) {
            let rank = [type: 3, String(family): 2, "*/*": 1][range] ?? 0
            if rank > best.rank { best = (quality, rank) }
        }
        return best
    }

    /// The names in a field of the `Accept` family, in lower case, and their qualities: 0 excludes (RFC 9110, section
    /// 12.4.2).
    static func qualities(in field: String) -> [(name: String, quality: Double)] {
        field.lowercased().split(separator: ",").map { choice in
            let parts = choice.split(separator: ";").map { $0.split { $0 == " " || $0 == "\t" }.joined() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (parts.first ?? "", quality ?? 1)
        }
    }
}
