// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import BrightnessClient

@Suite struct PowerCommandTests {
    private static let on = state(.init(isOn: true, baseline: true, isSwitchable: true))
    private static let off = state(.init(isOn: false, baseline: false, isSwitchable: true))
    private static let asleep = state(.init(isOn: false, baseline: true, isSwitchable: true))
    private static let unread = state(.init(isOn: nil, baseline: true, isSwitchable: true))
    private static let unreadOff = state(.init(isOn: nil, baseline: false, isSwitchable: true))
    private static let fixed = state(.init(isOn: true, baseline: true, isSwitchable: false))
    private static let gone = state(
        .init(isOn: true, baseline: true, isSwitchable: true),
        unavailable: Unavailability(since: time)
    )
    private static let time = Timestamp(milliseconds: 1_790_000_000_000)

    private static func state(_ power: DisplayState.Power, unavailable: Unavailability? = nil) -> DisplayState {
        DisplayState(
            id: DisplayID("DP-2")!,
            name: "Wall",
            kind: .ddc,
            range: BrightnessRange(maximum: 960)!,
            brightness: .full,
            baseline: .full,
            step: 960,
            isDimmable: true,
            power: power,
            leases: [:],
            automatic: .off,
            unavailable: unavailable,
            cause: Cause(.api, at: time),
            revision: Revision(1)
        )
    }

    @Test(
        arguments: [
            ([Self.on], false), ([Self.off], true), ([Self.asleep], true), ([Self.on, Self.off], false),
            ([Self.unread], false), ([Self.unreadOff], true), ([Self.off, Self.unreadOff], true),
            ([Self.fixed, Self.off], true), ([Self.fixed, Self.on], false), ([Self.gone, Self.off], true),
        ] as [([DisplayState], Bool)]
    )
    func `a toggle switches on if no display that can be switched is on`(states: [DisplayState], isOn: Bool) {
        #expect(PowerCommand.switchesOn(states) == isOn)
    }
}
