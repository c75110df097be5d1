// SPDX-License-Identifier: Apache-2.0

/// What a client takes (RFC 9110, section 12.5.1). No field takes everything.
struct Accept {
    private let field: String?

    init(_ field: String?) { self.field = field }

    /// Whether `type`, such as `application/json`, is admitted. The most specific range decides; `q=0` excludes.
    func admits(_ type: String) -> Bool {
        guard let field else { return true }
        let family = type.prefix { $0 != "/" } + "/*"
        var best: (rank: Int, isAdmitted: Bool) = (0, false)
        for range in field.lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.split(separator: " ").joined() }
            let rank = [type: 3, String(family): 2, "*/*": 1][parts.first ?? ""] ?? 0
            guard rank > best.rank else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            best = (rank, quality ?? 1 > 0)
        }
        return best.isAdmitted
    }
}
