// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

@Suite struct LightTests {
    private let fixture: HistoryFixture

    init() throws { fixture = try HistoryFixture() }

    /// Posts the settled light; `nil` if no sensor has a good reading.
    private func light(_ lux: Double?, source: Ambient.Source = .sensor) {
        let illuminance = lux.flatMap { Illuminance(lux: $0) }
        let ambient = Ambient(
            source: source,
            illuminance: illuminance,
            level: illuminance?.level ?? 0.5,
            appearance: .day,
            sensors: [],
            at: fixture.now.wall
        )
        fixture.record([.ambient(ambient)])
    }

    private func lux(from: Duration, step: Int) throws -> [Double?] {
        try fixture.read(from: from, step: step).points.map { $0.illuminance?.lux }
    }

    @Test(arguments: [false, true])
    func `a point has the light that was settled then, written or not`(isWritten: Bool) throws {
        fixture.show(0.5)
        for lux in [300, 20, nil, 5] as [Double?] {
            fixture.pass(.seconds(10))
            light(lux)
            if isWritten { try fixture.commit() }
        }
        #expect(try lux(from: .seconds(-35), step: 5) == [nil, 300, 300, 20, 20, nil, nil, 5])
        #expect(try fixture.read(from: .seconds(-35), step: 5).fractions == Array(repeating: 0.5, count: 8))
    }

    @Test func `the light is the same for every display, and is not a change`() throws {
        let other = try #require(DisplayID("b"))
        fixture.show(0.5, by: "maria")
        fixture.show(0.7, on: other)
        fixture.pass(.seconds(5))
        light(300)
        #expect(try fixture.changes().map(\.cause.by) == [nil, "maria"])
        let query = try HistoryQuery(other, from: fixture.now.wall + .seconds(-1), to: fixture.now.wall, step: 1)
        let history = try fixture.journal.history.read(query, with: &fixture.memory, at: fixture.now)
        #expect(history.points.last?.illuminance?.lux == 300)
    }

    @Test func `a substitute for a sensor has no illuminance to record`() throws {
        fixture.show(0.5)
        light(nil, source: .brightness)
        try fixture.commit()
        #expect(try lux(from: .seconds(-1), step: 1).last == .some(nil))
    }

    @Test func `a substitute ends the light of a sensor that is gone`() throws {
        fixture.show(0.5)
        light(300)
        fixture.pass(.seconds(10))
        light(nil, source: .brightness)
        fixture.pass(.seconds(10))
        #expect(try lux(from: .seconds(-15), step: 5) == [300, nil, nil, nil])
    }

    @Test func `the light is thinned with age like all samples`() throws {
        for second in 0..<120 {
            light(Double(second))
            fixture.pass(.seconds(1))
        }
        try fixture.commit()
        fixture.pass(.seconds(7_200))
        light(1_000)
        try fixture.commit()
        var count: Int64?
        try fixture.database.prepare("SELECT count(*) FROM sample WHERE display = '*light'").run {
            count = $0.integer(0)
        }
        #expect(try #require(count) <= 4)
    }

    @Test func `the light is unknown while the daemon does not run`() throws {
        fixture.show(0.5)
        light(300)
        fixture.pass(.seconds(10))
        try fixture.stop()
        fixture.pass(.seconds(10))
        #expect(try lux(from: .seconds(-15), step: 5) == [300, nil, nil, nil])
    }
}
