// SPDX-License-Identifier: Apache-2.0

extension ProvidedDisplay {
    /// The params of `provide`: `{"id":"page","maximum":100,"brightness":0.8}` with `name`, `switchable`, `on`; or, for
    /// a display that can only be switched, `{"id":"relay","maximum":null,"switchable":true}`.
    package init(from body: consuming RequestBody) throws(Problem) {
        let id = try body.displayID("id")
        let name = try body.string("name", length: 1...64)
        let isFixed = body.peek("maximum") == .null
        let maximum = isFixed ? nil : try body.integer("maximum")
        if isFixed { _ = body.value("maximum") }
        if let maximum, !(1...Self.largestMaximum).contains(maximum) {
            try body.reject(
                "maximum",
                "maximum must be a whole number from 1 to \(Self.largestMaximum), the brightest step, or null for a "
                    + "display that cannot be dimmed, not \(maximum)."
            )
        }
        let isSwitchable = try body.bool("switchable") ?? false
        let brightness = try body.number("brightness", in: 0...1)
        if isFixed, !isSwitchable {
            try body.reject("maximum", "maximum can be null only with \"switchable\":true.")
        }
        if isFixed, let brightness, brightness < 1 {
            try body.reject("brightness", "brightness must be 1 or missing with \"maximum\":null.")
        }
        let isOn = try body.bool("on") ?? true
        if !isOn, !isSwitchable { try body.reject("on", "on can be false only with \"switchable\":true.") }
        var display: ProvidedDisplay?
        if let id, let shown = isFixed ? 1 : brightness, isFixed || maximum != nil {
            display = ProvidedDisplay(
                id,
                name: name ?? id.text,
                maximum: maximum,
                isSwitchable: isSwitchable,
                brightness: Brightness(clamping: shown),
                isOn: isOn
            )
        }
        self = try body.end(
            requiring: display,
            "",
            """
            provide requires id, maximum (the brightest step) and brightness (what the display shows now, 0 to 1), \
            such as {"id":"lobby-page","maximum":100,"brightness":0.8}. For a display that can only be switched: \
            {"id":"relay","maximum":null,"switchable":true}.
            """
        )
    }
}

/// The params of `changed`: `{"display":"lobby-page","brightness":0.6}`, `{"display":"lobby-page","on":false}`.
package struct ProvidedChange {
    package let display: DisplayID
    package let brightness: Brightness?
    package let isOn: Bool?

    package init(from body: consuming RequestBody) throws(Problem) {
        let display = try body.displayID("display")
        let brightness = try body.number("brightness", in: 0...1)
        let isOn = try body.bool("on")
        let isAny = brightness != nil || isOn != nil
        self.display = try body.end(
            requiring: isAny ? display : nil,
            "",
            "changed requires display and the new value: brightness (0 to 1) or on."
        )
        (self.brightness, self.isOn) = (brightness.map { Brightness(clamping: $0) }, isOn)
    }
}

extension RequestBody {
    /// Reads the id of a display that a client provides.
    package mutating func displayID(_ name: String) throws(Problem) -> DisplayID? {
        guard let text = try string(name, length: 1...64) else { return nil }
        // Colons separate the nodes and displays of a gateway.
        let id = text.contains(":") ? nil : DisplayID(text)
        let detail = "\(name) must be 1 to 64 letters, digits and _ . -, and not a reserved word such as all."
        return try valid(id, name, detail)
    }
}

extension Problem {
    /// Carries out a call about a provided display.
    package static func converting(_ body: () throws(ProvidingError) -> Void) throws(Problem) {
        try Result(catching: body).mapError { Problem($0) }.get()
    }

    package init(_ error: ProvidingError) {
        switch error {
        case .taken(let id):
            self.init(
                .displayExists,
                "There is a display with the id \(id) that you do not provide. Choose another id. Nothing was changed."
            )
        case .unavailable(let id):
            self = .retry(
                .displayUnavailable,
                "The other part of the pair of \(id) cannot be read. Nothing was changed."
            )
        case .tooMany:
            self = .retry(
                .serverLimitReached,
                "Clients provide \(ProvidedDisplay.limit) displays, the maximum. Nothing was changed.",
                after: 60
            )
        case .tooManyOfPrincipal:
            self = .retry(
                .serverLimitReached,
                "You provide \(ProvidedDisplay.principalLimit) displays, the maximum of one principal. Call "
                    + "withdraw for one of them first. Nothing was changed.",
                after: 60
            )
        case .unknown(let id):
            self.init(.displayNotFound, "You provide no display with the id \(id). Nothing was changed.")
        case .notDimmable(let id):
            self.init(
                .notDimmable,
                "\(id) was provided with \"maximum\":null, so it has no brightness. Nothing was changed."
            )
        case .notSwitchable(let id):
            self.init(
                .notSwitchable,
                "\(id) was provided without \"switchable\":true, so it is always on. Nothing was changed."
            )
        }
    }
}
