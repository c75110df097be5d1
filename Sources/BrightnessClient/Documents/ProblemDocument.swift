// SPDX-License-Identifier: Apache-2.0

/// A refusal by the daemon: `application/problem+json`, RFC 9457.
package struct ProblemDocument: Equatable, Sendable {
    package let status: Int
    package let title: String
    package let detail: String?
    /// The document as the daemon sent it, for `--json`.
    package let json: String?

    package init(status: Int, title: String, detail: String?, json: String? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.json = json
    }

    /// The problem document, or what the status alone states.
    init(status: Int, _ json: JSON?) {
        self.init(
            status: status,
            title: json?["title"]?.text ?? "The server answered with the status \(status)",
            detail: json?["detail"]?.text,
            json: json?.compact
        )
    }

    /// Whether the same request may succeed later: too many requests, or a daemon or panel that is not available now.
    package var isTemporary: Bool { status == 429 || status >= 500 }

    package var sentence: String {
        var sentence = title
        if let detail { sentence += ": \(detail)" }
        if status == 401 { sentence += " (--token-file PATH or the variable BRIGHTNESS_TOKEN names a token.)" }
        return sentence
    }
}
