// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// The origin of a page that is not allowed, as people read it.
struct ForeignOrigin: Hashable {
    /// `null` for a page without an origin: a file, or a sandboxed frame.
    private let text: String

    init(_ field: String) { text = field.plain(upTo: 128) }

    /// The pages of the origin, as the subject of a sentence.
    var pages: String { text == "null" ? "Pages without an origin, such as files," : "Pages of \(text)" }

    /// How to allow its pages.
    var advice: String {
        text == "null"
            ? "Serve the page over HTTP, and allow the origin of its address with --allow-origin."
            : "Start the daemon with --allow-origin \(text) to allow it."
    }

    /// The sentence that its pages may not use the daemon, and how to allow them.
    var refusal: String { "\(pages) may not use this daemon. \(advice)" }

    /// How to allow pages whose browser does not name their origin.
    static let unnamedAdvice = "Start the daemon with --allow-origin and the page's origin to allow it."
}

/// Posts the origins whose pages were refused, each once. Any thread.
package final class RefusedOrigins: Sendable {
    /// Clients may send any origin.
    static let limit = 32

    private let poster: NotificationPoster
    private let reported = Mutex<Set<ForeignOrigin>>([])

    package init(poster: NotificationPoster) { self.poster = poster }

    func report(_ origin: ForeignOrigin) {
        let isNew = reported.withLock { $0.count < Self.limit && $0.insert(origin).inserted }
        if isNew { poster.post(.notice(.pageRefused(origin.refusal))) }
    }
}
