// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

struct LocationTests {
    @Test(
        arguments: [
            ("52.52,13.40", 52.52, 13.4), ("52.52, 13.40", 52.52, 13.4), ("-33.87,151.21", -33.87, 151.21),
            ("33.87S,151.21E", -33.87, 151.21), ("40.7 N, 74 W", 40.7, -74), ("-90,-180", -90, -180), ("0,0", 0, 0),
            ("52.52 13.40", 52.52, 13.4), ("52.52° N, 13.40° E", 52.52, 13.4), ("52.52; -13.4", 52.52, -13.4),
        ]
    )
    func `a place is degrees north and east, or has the letters of its sides`(
        text: String,
        latitude: Double,
        longitude: Double
    ) {
        #expect(Location(text) == Location(latitude: latitude, longitude: longitude))
    }

    @Test(
        arguments: [
            "", ",", "52.52", "52.52,13.40,0", "Berlin", "91,0", "0,181", "nan,0", "13.4E,52.5N", "-33S,0",
            "52,52,13,4", "S,E",
        ]
    )
    func `anything else is not a place`(text: String) { #expect(Location(text) == nil) }

    @Test func `a rounded place has two decimals, and stays on earth`() {
        #expect(Location("52.5163,13.3777")?.rounded == Location("52.52,13.38"))
        #expect(Location("-90,180")?.rounded == Location("-90,180"))
    }
}
