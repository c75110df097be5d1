// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10))) struct LightReportsTests {
    let hub = NotificationHub()
    let reports: LightReports
    let clock = ManualClock()

    init() { reports = LightReports(poster: hub.poster) }

    @discardableResult
    private func put(_ lux: Double, of name: String = "window", for seconds: Double = 60) throws -> Bool {
        try reports.put(
            #require(Illuminance(lux: lux)),
            of: #require(SensorName(name)),
            for: .seconds(seconds),
            at: clock.now
        )
    }

    private var all: [String] { reports.all(at: clock.now).map { "\($0.name.text) \($0.illuminance.lux)" } }

    @Test func `a report counts until its end, and a newer one of its name replaces it`() throws {
        try put(3)
        try put(7, of: "desk", for: 30)
        #expect(all == ["desk 7.0", "window 3.0"])
        clock.advance(by: .seconds(30))
        #expect(all == ["window 3.0"])
        try put(4)
        clock.advance(by: .seconds(59))
        #expect(all == ["window 4.0"])
        clock.advance(by: .seconds(1))
        #expect(all == [])
    }

    @Test func `a removed report does not count, and cannot be removed twice`() throws {
        try put(3)
        let name = try #require(SensorName("window"))
        #expect(reports.remove(name, at: clock.now))
        #expect(all == [])
        #expect(!reports.remove(name, at: clock.now))
        try put(3)
        clock.advance(by: .seconds(60))
        #expect(!reports.remove(name, at: clock.now))
    }

    @Test func `a new name is rejected at the limit until a report ends`() throws {
        for number in 1...LightReports.limit { try put(Double(number), of: "s\(number)", for: 10 + Double(number)) }
        #expect(try !put(1, of: "more"))
        try put(5, of: "s1", for: 5)
        clock.advance(by: .seconds(5))
        try put(1, of: "more")
        #expect(all.count == LightReports.limit)
    }

    @Test func `each report, its removal and its end are posted`() async throws {
        var changes = hub.source.notifications(of: NotificationFilter([.sensors])).makeAsyncIterator()
        let watching = Task { await reports.watch(on: clock) }
        try put(3, for: 90)
        #expect(await changes.next(isolation: nil) == .sensors)
        while try await clock.nextSleep() != clock.now + .seconds(90) {}
        try put(4, of: "desk", for: 30)
        #expect(await changes.next(isolation: nil) == .sensors)
        #expect(try await clock.nextSleep() == clock.now + .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(await changes.next(isolation: nil) == .sensors)
        #expect(all == ["window 3.0"])
        #expect(try await clock.nextSleep() == clock.now + .seconds(60))
        #expect(reports.remove(try #require(SensorName("window")), at: clock.now))
        #expect(await changes.next(isolation: nil) == .sensors)
        watching.cancel()
        await watching.value
    }

    @Test(arguments: ["", ".", "..", "a/b", "a b", "ä", "a+", String(repeating: "x", count: 65)])
    func `a name is one path segment`(text: String) {
        #expect(SensorName(text) == nil)
    }
}

/// A room with a sensor of this machine and remote sensors.
private struct Room {
    var estimator: AmbientEstimator
    var now = Moment.start
    var newest: Ambient?

    private let own: [AmbientEstimator.Sensor]

    init(hasSensor: Bool) {
        own = hasSensor ? [("own", .illuminance, false)] : []
        estimator = AmbientEstimator(own)
    }

    mutating func pass(_ seconds: Double, own light: (Int) -> Double?, _ reports: [String: Double]) throws {
        let reports = try reports.sorted { $0.key < $1.key }.map { name, lux in
            LightReport(name: try #require(SensorName(name)), illuminance: try #require(Illuminance(lux: lux)))
        }
        for turn in 0..<Int(seconds * 2) {
            now = now + .milliseconds(500)
            estimator.use(own + reports.map { ($0.id, $0.kind, $0.isRemote) })
            estimator.receive(light(turn).map { .lux($0) }, of: "own", at: now.instant)
            for report in reports { estimator.receive(report.read(), of: report.id, at: now.instant) }
            newest = estimator.takeChange(at: now) ?? newest
        }
    }

    mutating func pass(_ seconds: Double, own: Double? = nil, _ reports: [String: Double] = [:]) throws {
        try pass(seconds, own: { _ in own }, reports)
    }
}

@Suite struct RemoteSensorsTests {
    @Test(
        arguments: [
            // A trusted sensor that is darker stays in force; a remote one is within the hysteresis or darker.
            (3, ["a": 300], 3), (300, ["a": 3], 300), (100, ["a": 105], 105),
            (100, ["a": 150, "b": 104], 104),
            // Without an own reading the brightest counts.
            (nil, ["a": 300, "b": 20], 300), (nil, ["a": 0], 0),
        ] as [(Double?, [String: Double], Double)]
    )
    func `a remote sensor counts, but never overrules a trusted darker one`(
        own: Double?,
        reports: [String: Double],
        lux: Double
    ) throws {
        var room = Room(hasSensor: true)
        try room.pass(20, own: own, reports)
        #expect(room.newest?.illuminance?.lux == lux)
        #expect(room.newest?.sensors.map(\.id) == ["own"] + reports.keys.sorted().map { "remote:\($0)" })
    }

    @Test func `an erratic sensor is not trusted, so a remote sensor overrules it`() throws {
        var room = Room(hasSensor: true)
        try room.pass(60, own: { $0 % 2 == 0 ? 0.03 : 100 }, ["a": 300])
        #expect(room.newest?.illuminance?.lux == 300)
    }

    @Test func `a sensor that falls silent is replaced by a remote one, and takes over when it is back`() throws {
        var room = Room(hasSensor: true)
        try room.pass(20, own: 3, ["a": 300])
        #expect(room.newest?.illuminance?.lux == 3)
        try room.pass(20, own: nil, ["a": 300])
        #expect(room.newest?.illuminance?.lux == 300)
        #expect(room.newest?.sensors.map(\.condition) == [.stale, .live])
        try room.pass(20, own: 3, ["a": 300])
        #expect(room.newest?.illuminance?.lux == 3)
    }

    @Test func `a remote reading has to last like any other, and ends at once`() throws {
        var room = Room(hasSensor: false)
        try room.pass(1, ["a": 300])
        #expect(room.newest?.illuminance?.lux == 300)
        try room.pass(2, ["a": 2])
        try room.pass(2, ["a": 300])
        #expect(room.newest?.illuminance?.lux == 300)
        try room.pass(10, ["a": 2])
        #expect(room.newest?.illuminance?.lux == 2)
        #expect(room.newest?.appearance == .night)
        try room.pass(0.5)
        #expect(room.newest?.illuminance == nil)
        #expect(room.newest?.sensors == [])
        #expect(room.newest?.appearance == .night)
    }
}
