// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore

extension History {
    static let testStart = Timestamp(milliseconds: 1_795_240_800_000)

    /// A point without a value and one a minute later, from `testStart`.
    static var twoPoints: History {
        var history = History()
        history.points = [
            History.Point(at: testStart, brightness: nil, baseline: nil, isOn: nil, illuminance: nil),
            History.Point(
                at: testStart + .seconds(60),
                brightness: .full,
                baseline: Brightness(clamping: 0.42),
                isOn: true,
                illuminance: Illuminance(lux: 320)
            ),
        ]
        history.extent = Brightness(clamping: 0.2)...Brightness.full
        return history
    }
}
