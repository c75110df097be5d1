// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

@Suite struct LightTests {
    private let bench: HistoryBench

    init() throws { bench = try HistoryBench() }

    /// The sensors settle on so much; `nil` for none that has a good reading.
    private func light(_ lux: Double?, source: Ambient.Source = .sensor) {
        let illuminance = lux.flatMap { Illuminance(lux: $0) }
        let ambient = Ambient(
            source: source,
            illuminance: illuminance,
            level: illuminance?.level ?? 0.5,
            appearance: .day,
            confidence: 1,
            sensors: [],
            at: bench.now.wall
        )
        bench.take([.ambient(ambient)])
    }

    private func lux(from: Duration, step: Int) throws -> [Double?] {
        try bench.read(from: from, step: step).points.map { $0.illuminance?.lux }
    }

    @Test(arguments: [false, true])
    func `a point has the light that was settled on then, on the disk or not`(isWritten: Bool) throws {
        bench.show(0.5)
        for lux in [300, 20, nil, 5] as [Double?] {
            bench.pass(.seconds(10))
            light(lux)
            if isWritten { try bench.commit() }
        }
        #expect(try lux(from: .seconds(-35), step: 5) == [nil, 300, 300, 20, 20, nil, nil, 5])
        #expect(try bench.read(from: .seconds(-35), step: 5).fractions == Array(repeating: 0.5, count: 8))
    }

    @Test func `it is the same for every display, and nobody's doing`() throws {
        let other = try #require(DisplayID("b"))
        bench.show(0.5, by: "maria")
        bench.show(0.7, on: other)
        bench.pass(.seconds(5))
        light(300)
        #expect(try bench.read(from: .seconds(-10), step: 5).causes.map(\.by) == ["maria"])
        let query = try HistoryQuery(other, from: bench.now.wall + .seconds(-1), to: bench.now.wall, step: 1)
        let history = try bench.journal.read(query, with: &bench.memory, boot: bench.boot, at: bench.now)
        #expect(history.points.last?.illuminance?.lux == 300)
    }

    @Test func `what stands in for a sensor has no lux to keep`() throws {
        bench.show(0.5)
        light(nil, source: .brightness)
        try bench.commit()
        #expect(try lux(from: .seconds(-1), step: 1).last == .some(nil))
    }

    @Test func `it is thinned with age, as all is`() throws {
        for second in 0..<120 {
            light(Double(second))
            bench.pass(.seconds(1))
        }
        try bench.commit()
        bench.pass(.seconds(7_200))
        light(1_000)
        try bench.commit()
        var count: Int64?
        try bench.database.prepare("SELECT count(*) FROM sample WHERE display = '*light'").run { count = $0.integer(0) }
        #expect(try #require(count) <= 4)
    }

    @Test func `nothing is known of it while the daemon does not run`() throws {
        bench.show(0.5)
        light(300)
        bench.pass(.seconds(10))
        try bench.stop()
        bench.pass(.seconds(10))
        #expect(try lux(from: .seconds(-15), step: 5) == [300, nil, nil, nil])
    }
}
