// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DisplayIDTests {
    @Test(arguments: [
        "intel_backlight", "eDP-1", "0", "a.b", "input3::capslock", "ALL", "all2", "...",
        String(repeating: "x", count: 64),
    ])
    func `an id is one path segment`(text: String) throws {
        let id = try #require(DisplayID(text))
        #expect(id.text == text)
        #expect("\(id)" == text)
    }

    @Test(arguments: [
        ("intel_backlight", "intel_backlight"), ("backlight@0", "backlight_0"), ("ä b", "___b"), ("", "_"),
        ("c440000.spmi:pmic@3:leds@d800", "c440000.spmi:pmic_3:leds_d800"),
        ("all", "all_"), ("ambient", "ambient_"), ("capabilities", "capabilities_"), ("illuminance", "illuminance_"),
        ("status", "status_"), ("..", ".._"),
        (String(repeating: "x", count: 70), String(repeating: "x", count: 64)),
    ])
    func `a device's id has _ for each invalid byte, and is never a reserved word`(
        name: String,
        text: String
    ) throws {
        #expect(DisplayID(deviceName: name).text == text)
        #expect(DisplayID(text) == DisplayID(deviceName: name))
    }

    @Test(arguments: [("a@0", 2, "a_0-2"), ("status", 3, "status-3"), (String(repeating: "x", count: 64), 10, nil)])
    func `a number distinguishes ids within the length limit`(name: String, number: Int, text: String?) {
        #expect(DisplayID(deviceName: name, number: number).text == text ?? String(repeating: "x", count: 61) + "-10")
    }

    @Test(arguments: [
        "", "all", "ambient", "capabilities", "illuminance", "status", ".", "..", "a/b", "a b", "a%20b", "a?b", "a#b",
        "a\\b", "a+b", "a\n", "\0", "ä", "е", "🖥",
        String(repeating: "x", count: 65),
    ])
    func `reserved words and texts that are not one path segment are rejected`(text: String) {
        #expect(DisplayID(text) == nil)
    }
}
