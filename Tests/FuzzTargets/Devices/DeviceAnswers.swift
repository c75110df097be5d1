// SPDX-License-Identifier: Apache-2.0
@testable import Devices

/// Answers of light sensors with an HTTP server. The first byte is the size of the parts in which the others arrive.
enum DeviceAnswers {
    private static let sensors = [nil, "Ambient Light", ""]

    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        for sensor in sensors {
            for form in [DeviceResponse.Form.events, .document] {
                let whole = read(input, form, of: sensor, by: max(input.count, 1))
                let parts = read(input, form, of: sensor, by: 1 + Int(first) % 17)
                try require(whole.reading == parts.reading, "the reading in pieces is \(parts.reading as Any)")
                try require(whole.isTooLong == parts.isTooLong, "the answer is too long in one way only")
                if case .lux(let lux) = whole.reading { try require(lux.isFinite, "a reading of \(lux)") }
                guard form == .document, whole.reading != nil else { continue }
                try require(StrictJSON(input).isValid, "invalid JSON was accepted: \(input.text.debugDescription)")
            }
        }
    }

    /// Returns the last reading of an answer.
    private static func read(
        _ bytes: [UInt8],
        _ form: DeviceResponse.Form,
        of sensor: String?,
        by step: Int
    ) -> (reading: DeviceResponse.Reading?, isTooLong: Bool) {
        var answer = DeviceResponse(form, of: sensor)
        var reading: DeviceResponse.Reading?
        var rest = bytes[...]
        while !rest.isEmpty {
            reading = answer.receive(Array(rest.prefix(step))) ?? reading
            rest = rest.dropFirst(step)
        }
        return (form == .document ? answer.end() : reading, answer.isTooLong)
    }
}
