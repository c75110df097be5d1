// SPDX-License-Identifier: Apache-2.0

/// A point on earth, in degrees north and east.
package struct Location: Hashable, Sendable {
    package let latitude: Double
    package let longitude: Double

    /// Returns `nil` outside ±90 and ±180 degrees, and for NaN.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads `52.52,13.40`, `52.52 13.40` and `52.52° N, 13.40° E`; degrees south and west have a minus, or are
    /// `33.87S,70.65W`.
    package init?(_ text: String) {
        let text = text.filter { $0 != "°" }
        let separator = text.first { $0 == ";" } ?? text.first { $0 == "," } ?? " "
        let parts = text.split(separator: separator, omittingEmptySubsequences: separator == " ")
        guard parts.count == 2, let latitude = Self.degrees(parts[0], "N", "S"),
            let longitude = Self.degrees(parts[1], "E", "W")
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// The location to about a kilometre, which is enough for the sun.
    package var rounded: Location {
        func round(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
        return Location(latitude: round(latitude), longitude: round(longitude)) ?? self
    }

    private static func degrees(_ text: Substring, _ positive: Character, _ negative: Character) -> Double? {
        var text = text.split(separator: " ").joined()
        guard let side = text.last, side == positive || side == negative else { return Double(text) }
        text.removeLast()
        guard let degrees = Double(text), degrees.sign == .plus else { return nil }
        return side == negative ? -degrees : degrees
    }
}

/// The location of the daemon's machine.
package struct MachineLocation: Hashable, Sendable {
    package let location: Location
    /// Whether a person has set it, and not an option.
    package let isChosen: Bool
}
