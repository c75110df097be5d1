// SPDX-License-Identifier: Apache-2.0
import DDCWire

@testable import BrightnessCore
@testable import Devices

/// Lines of the helper. The first byte is the size of the parts in which the others arrive.
enum HelperLines {
    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map(
            Array.init
        )
        try require(read(input, by: 1 + Int(first) % 17) == lines, "lines are others in pieces")
        for line in lines + [input] { try check(line: line) }
        try checkName(input)
    }

    private static func read(_ bytes: [UInt8], by step: Int) -> [[UInt8]] {
        var buffer = LineBuffer()
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            buffer.add(rest.prefix(step))
            rest = rest.dropFirst(step)
            while let line = buffer.next() { lines.append(line) }
        }
        return lines
    }

    private static func check(line: [UInt8]) throws {
        guard let object = WireObject(line: line) else { return }
        try require(StrictJSON(line).isValid, "invalid JSON was accepted: \(line.text.debugDescription)")
        let written = object.line
        try require(WireObject(line: written) == object, "\(written.text) is read as something else")
        try require(written.last == UInt8(ascii: "\n") && !written.dropLast().contains(0x0A), "a line is one line")
        // JSON allows it, too.
        try require(JSONValue(parsing: line) != nil, "others cannot read \(line.text.debugDescription)")
        if let reading = DDCHelper.Reading(object) {
            try require(reading.maximum > 0 && (0...reading.maximum).contains(reading.step), "a step of \(reading)")
        }
        if let found = DDCHelper.Found(object) {
            try require(found.id.text == object.text("monitor"), "another monitor")
        }
    }

    /// The name from a monitor's EDID fields, in libddcutil's lengths, is valid.
    private static func checkName(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        func field(_ length: Int) -> String {
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length).prefix { $0 != 0 }).text
        }
        let (maker, model, serial) = (field(3), field(13), field(13))
        let product = rest.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        let edid = Array(rest.prefix(128))
        let id = EDIDName.id(maker: maker, model: model, product: product, serial: serial, edid: edid)
        try require(
            DisplayID(id) != nil,
            "\(maker), \(model), \(serial) make \(id.debugDescription), which is not an id"
        )
    }
}
