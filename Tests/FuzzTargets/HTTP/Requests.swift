// SPDX-License-Identifier: Apache-2.0

@testable import HTTPServer

/// Bytes of a connection. The first byte is the position at which the others are split.
enum Requests {
    nonisolated(unsafe) private static var shard: SteppedShard?  // one thread fuzzes, and one test replays

    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let shard = try shard ?? SteppedShard()
        self.shard = shard
        let request = Array(bytes.dropFirst().prefix(8_000))
        let whole = try shard.serve([request[...]])
        let cut = min(request.count, Int(first) * max(1, request.count / 128))
        let split = try shard.serve([request[..<cut], request[cut...]].filter { !$0.isEmpty })
        try require(whole == split, "the same bytes in two pieces, cut at \(cut), mean \(split), and at once \(whole)")
        try compare(whole, with: StrictHead(request))
        for sight in whole.seen {
            guard case .request(let request) = sight else { continue }
            try require(!request.path.utf8.contains(0), "a path holds a zero byte")
            try require(request.body.count <= RequestLimits.body, "a body is larger than the limit")
            try require(request.isHTTP10 || request.host != nil, "there is no Host")
        }
    }

    private static func compare(_ outcome: SteppedShard.Outcome, with head: StrictHead?) throws {
        guard let head else { return }
        if head.isAmbiguous {
            let requests = outcome.seen.filter { if case .request = $0 { true } else { false } }
            try require(requests.isEmpty, "of a request of two meanings was carried out: \(requests)")
            // One rejection; libmicrohttpd sends the head of its own page twice.
            let isRefused = outcome.statuses.count <= 2 && outcome.statuses.allSatisfy { $0.hasPrefix("4") }
            try require(isRefused, "a request of two meanings was answered: \(outcome)")
        } else if let plain = head.plain {
            // Its segments are not those of the unescaped path.
            if case .refused(.escapedSlash) = outcome.seen.first { return }
            guard case .request(let request) = outcome.seen.first else {
                throw BrokenFact(description: "a plain request was not carried out: \(outcome)")
            }
            let isSame =
                request.method == plain.method && request.path == plain.path && request.host == plain.host
                && request.body == plain.body && request.isHTTP10 == plain.isHTTP10
            try require(isSame, "\(plain) was taken for \(request)")
        }
    }
}
