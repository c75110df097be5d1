// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct LeaseEffectTests {
    @Test(
        arguments: [
            // baseline, boost, dim, cap, dimmest, shown
            (0.3, nil, nil, 1, 0, 0.3),
            (0.3, 0.8, nil, 1, 0, 0.8),
            (0.3, 0.2, nil, 1, 0, 0.3),
            (0.3, 1, nil, 0.7, 0, 0.7),
            (0.9, 1, nil, 0.7, 0, 0.9),
            // a dim wins over every boost, and only dims
            (0.3, nil, 0.2, 1, 0, 0.2),
            (0.3, nil, 0.5, 1, 0, 0.3),
            (0.3, 0.8, 0.5, 1, 0, 0.5),
            (0.3, 0.8, 0.1, 1, 0, 0.1),
            (0.3, 0.4, 0.5, 1, 0, 0.4),
            // no lease goes below the lowest step, and a baseline that is below it stays
            (0.3, nil, 0, 1, 0.1, 0.1),
            (0.05, nil, 0, 1, 0.1, 0.05),
            (0.05, 0.07, nil, 1, 0.1, 0.1),
            (0.05, 0, nil, 1, 0.1, 0.05),
        ] as [(Double, Double?, Double?, Double, Double, Double)]
    )
    func `the brightness is the lowest of the dims and the highest of baseline and boosts`(
        baseline: Double,
        boost: Double?,
        dim: Double?,
        cap: Double,
        dimmest: Double,
        shown: Double
    ) {
        let effect = LeaseEffect(boost: boost.map(Brightness.at), dim: dim.map(Brightness.at))
        #expect(effect.brightness(over: .at(baseline), cap: .at(cap), dimmest: .at(dimmest)) == .at(shown))
    }

    @Test(arguments: [
        (true, false, false, true), (false, false, false, false),
        (true, false, true, false), (false, false, true, false),
        (true, true, false, true), (false, true, false, true),
        (true, true, true, true), (false, true, true, true),
    ])
    func `a panel is on by a wake, off by a sleep, and else by the baseline`(
        baseline: Bool,
        wakes: Bool,
        sleeps: Bool,
        isOn: Bool
    ) {
        #expect(LeaseEffect(wakes: wakes, sleeps: sleeps).isOn(over: baseline) == isOn)
    }
}
