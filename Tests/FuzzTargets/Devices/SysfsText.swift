// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport

@testable import BrightnessCore
@testable import Devices

/// A backlight, an LED, a light sensor and a proximity sensor with these file contents, separated by a zero byte.
enum SysfsText {
    private static let backlightFiles = ["max_brightness", "brightness", "bl_power", "type"]
    private static let sensorFiles = [
        "in_illuminance_raw", "in_illuminance_scale", "in_illuminance_offset", "in_proximity_raw",
        "in_proximity_nearlevel",
    ]

    nonisolated(unsafe) private static var tree: SysfsTree?  // one thread fuzzes, and one test replays

    static func check(_ bytes: [UInt8]) throws {
        let tree = try tree ?? makeTree()
        self.tree = tree
        let texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        func text(_ index: Int) -> ArraySlice<UInt8> { index < texts.count ? texts[index] : [] }
        for (index, file) in backlightFiles.enumerated() {
            try write(text(index), to: "\(tree.root)/class/backlight/panel/\(file)")
        }
        try write(text(4), to: "\(tree.root)/class/leds/led/trigger")
        for (index, file) in sensorFiles.enumerated() {
            try write(text(5 + index), to: "\(tree.root)/bus/iio/devices/iio:device0/\(file)")
        }
        try checkBacklight(tree.root, shown: text(1))
        try checkLED(tree.root)
        try checkSensors(tree.root)
    }

    private static func makeTree() throws -> SysfsTree {
        let tree = try SysfsTree()
        try tree.addBacklight("panel")
        for directory in [
            "class/leds", "class/leds/led", "bus", "bus/iio", "bus/iio/devices", "bus/iio/devices/iio:device0",
        ] {
            try tree.makeDirectory(directory)
        }
        try tree.write("1\n", "class/leds/led/brightness")
        try tree.write("2\n", "class/leds/led/max_brightness")
        return tree
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        try require(descriptor >= 0 && count == bytes.count, "\(path) cannot be written")
    }

    // MARK: Facts

    private static func checkBacklight(_ root: String, shown: ArraySlice<UInt8>) throws {
        let found = try BacklightDiscovery(root: root)
        try require(found.backlights.count + found.skipped.count == 1, "there is one backlight")
        guard let id = DisplayID("panel"), let panel = try? SysfsBacklight(id, root: root) else {
            return try require(found.backlights.isEmpty, "a backlight without a range was found")
        }
        try require((1...Int(Int32.max)).contains(panel.range.maximum), "a maximum of \(panel.range.maximum)")
        do throws(DeviceError) {
            let step = try panel.read()
            try? check(step, of: panel, shown)
            guard (0...panel.range.maximum).contains(step) else { throw .malformed(path: "step", text: "\(step)") }
        } catch {
            switch error {
            case .malformed(let path, let text):
                let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                guard isPlain, text.count <= 300, path != "step" else {
                    throw BrokenFact(description: "\(path): \(text.debugDescription) would be logged")
                }
            case .asleep: break
            default: throw BrokenFact(description: "\(error)")
            }
        }
        let steps = try? SysfsSteps(directory: "\(root)/class/backlight/panel", minimum: Brightness(clamping: 0)).read()
        if let steps { try check(steps, of: panel, shown) }
    }

    /// The step that is read equals the number in the file.
    private static func check(_ step: Int, of panel: SysfsBacklight, _ shown: ArraySlice<UInt8>) throws {
        try require((0...panel.range.maximum).contains(step), "a step of \(step)")
        let digits = shown.last == 0x0A ? shown.dropLast() : shown
        let zeros = digits.prefix { $0 == 0x30 }.count
        let plain = Array(zeros == digits.count ? digits.suffix(1) : digits.dropFirst(zeros))
        try require(plain == Array("\(step)".utf8), "\(Array(shown).text.debugDescription) was read as \(step)")
        let fraction = panel.range.brightness(of: step)
        try require(
            abs(panel.range.step(for: fraction) - max(step, panel.range.minimum)) <= 1,
            "\(step) is another step"
        )
    }

    private static func checkLED(_ root: String) throws {
        guard let id = DisplayID("led"), let led = try? SysfsLED(id, root: root) else {
            throw BrokenFact(description: "there is no LED")
        }
        if let trigger = led.trigger {
            try require(!trigger.contains(" ") && trigger != "none", "a trigger is called \(trigger.debugDescription)")
        }
    }

    private static func checkSensors(_ root: String) throws {
        let sensors = iioSensors(sysfsRoot: root)
        var estimator = AmbientEstimator(sensors.map { ($0.id, $0.kind, $0.isRemote) })
        for second in 0..<8 {
            let now = Moment.after(.seconds(second))
            for sensor in sensors.reversed() { estimator.receive(try? sensor.read(), of: sensor.id, at: now.instant) }
            guard let news = estimator.takeChange(at: now) else { continue }
            try require(news.level.map { (0...1).contains($0) } ?? true, "a level of \(news.level ?? -1)")
            try require(news.illuminance.map { (0...200_000).contains($0.lux) } ?? true, "it is brighter than the sun")
            try require(StrictJSON(news.json).isValid, "the document is not JSON: \(news.json.text)")
        }
    }
}
