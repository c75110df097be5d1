// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

/// Sensors that appear while the daemon runs, outside of sysfs, where they are polled.
@Suite(.timeLimit(.minutes(10))) struct SensorFinderTests {
    private let tree: SysfsTree
    private let clock = ManualClock()
    private let hub = NotificationHub()
    private let finder: SensorFinder

    init() throws {
        tree = try SysfsTree()
        for directory in ["bus", "bus/iio", "bus/iio/devices"] { try tree.makeDirectory(directory) }
        finder = SensorFinder(root: tree.root, watch: PanelWatch(clock: clock), poster: hub.poster)
    }

    private var ids: [String] { finder.sensors(at: clock.now)?.map(\.id) ?? [] }

    private func add(_ device: Int) throws {
        try tree.makeDirectory("bus/iio/devices/iio:device\(device)")
        try tree.write("120\n", "bus/iio/devices/iio:device\(device)/in_illuminance_input")
    }

    @Test func `an added sensor is posted, a removed one is waited for`() async throws {
        var changes = hub.source.notifications(of: NotificationFilter([.sensors])).makeAsyncIterator()
        try add(0)
        // Since the first search.
        #expect(ids == [])
        let watching = Task { await finder.watch(on: clock) }
        #expect(await changes.next(isolation: nil) == .sensors)
        #expect(ids == ["iio:device0"])
        _ = try await clock.nextSleep()
        tree.removeAll("bus/iio/devices/iio:device0")
        clock.advance(by: .seconds(1))
        _ = try await clock.nextSleep()
        #expect(ids == ["iio:device0"])
        try add(1)
        clock.advance(by: .seconds(1))
        #expect(await changes.next(isolation: nil) == .sensors)
        #expect(ids == ["iio:device1"])
        watching.cancel()
        await watching.value
    }

    @Test func `a sensor of another kind takes the place of a removed one with its number`() async throws {
        var changes = hub.source.notifications(of: NotificationFilter([.sensors])).makeAsyncIterator()
        try add(0)
        let watching = Task { await finder.watch(on: clock) }
        #expect(await changes.next(isolation: nil) == .sensors)
        _ = try await clock.nextSleep()
        let device = "bus/iio/devices/iio:device0"
        tree.removeAll(device)
        try tree.makeDirectory(device)
        for file in ["raw", "nearlevel"] { try tree.write("120\n", "\(device)/in_proximity_\(file)") }
        clock.advance(by: .seconds(1))
        #expect(await changes.next(isolation: nil) == .sensors)
        #expect(finder.sensors(at: clock.now)?.map(\.kind) == [.proximity])
        watching.cancel()
        await watching.value
    }
}
