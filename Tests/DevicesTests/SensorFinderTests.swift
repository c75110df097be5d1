// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

/// Sensors that appear while the daemon runs, outside of sysfs, where they are polled.
@Suite(.timeLimit(.minutes(1))) struct SensorFinderTests {
    private let tree: SysfsTree
    private let clock = ManualClock()
    private let finder: SensorFinder

    init() throws {
        tree = try SysfsTree()
        for directory in ["bus", "bus/iio", "bus/iio/devices"] { try tree.makeDirectory(directory) }
        finder = SensorFinder(root: tree.root, watch: PanelWatch(clock: clock))
    }

    private func add(_ device: Int) throws {
        try tree.makeDirectory("bus/iio/devices/iio:device\(device)")
        try tree.write("120\n", "bus/iio/devices/iio:device\(device)/in_illuminance_input")
    }

    @Test func `an added sensor is noticed, a removed one is not`() async throws {
        try add(0)
        let known = finder.sensors
        #expect(known.map(\.id) == ["iio:device0"])
        async let other: Void = finder.awaitOther(than: known)
        _ = try await clock.nextSleep()
        tree.removeAll("bus/iio/devices/iio:device0")
        clock.advance(by: .seconds(1))
        _ = try await clock.nextSleep()
        try add(1)
        clock.advance(by: .seconds(1))
        await other
        #expect(finder.sensors.map(\.id) == ["iio:device1"])
    }

    @Test func `a sensor added since the last poll is noticed at once`() async throws {
        try add(0)
        await finder.awaitOther(than: [])
    }
}
