// SPDX-License-Identifier: Apache-2.0

/// A lease that the daemon granted or renewed, as far as the client shows it.
package struct LeaseDocument: Equatable {
    /// What a lease asks for. The raw value is the word in paths.
    package enum Kind: String, Sendable {
        case boost, dim, wake, sleep
    }

    package var display: String
    package var kind: String
    package var brightness: Double?
    package var until: Time?
    /// What may surprise the caller, in the daemon's words.
    package var warning: String?

    package init(
        display: String,
        kind: String = "boost",
        brightness: Double? = nil,
        until: Time? = nil,
        warning: String? = nil
    ) {
        self.display = display
        self.kind = kind
        self.brightness = brightness
        self.until = until
        self.warning = warning
    }

    package init?(_ json: JSON) {
        guard let display = json["display"]?.text, json["lifespan"] != nil else { return nil }
        self.init(
            display: display,
            kind: json["kind"]?.text ?? "boost",
            brightness: json["brightness"]?.number,
            until: json["until"]?.text.flatMap(Time.init),
            warning: json["warning"]?.text
        )
    }
}
