// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct ResourceNameTests {
    @Test(arguments: [
        ["1", "2", "10"], ["Room 2", "Room 10", "Room 10a", "Room A"], ["a", "a1", "a1b", "a02", "b"],
        ["01", "1", "2"], ["day", "night"], ["Ärger", "Öl 3", "Öl 20"],
        ["9", "99999999999999999999998", "99999999999999999999999", "x"],
    ])
    func `names are sorted as people count`(sorted: [String]) throws {
        let names = try sorted.map { try #require(ResourceName($0)) }
        for (place, name) in names.enumerated() {
            for (other, second) in names.enumerated() { #expect((name < second) == (place < other)) }
        }
    }
}
