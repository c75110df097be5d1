// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A room whose sensors report scripted values twice a second.
private struct Room {
    var estimator = AmbientEstimator([
        ("front", .illuminance, false), ("back", .illuminance, false), ("hand", .proximity, false),
    ])
    var now = Moment.start
    var newest: Ambient?
    /// Every published illuminance without repetitions; `nil` where none was known.
    var reported: [Double?] = []
    var news = 0

    /// - Parameters:
    ///   - front: The front sensor's reading by round; `nil` if it does not answer.
    mutating func pass(
        _ seconds: Double,
        front: (Int) -> Double?,
        back: (Int) -> Double?,
        isNear: Bool = false
    ) {
        for turn in 0..<Int(seconds * 2) {
            now = now + .milliseconds(500)
            estimator.receive(.near(isNear), of: "hand", at: now.instant)
            estimator.receive(front(turn).map { .lux($0) }, of: "front", at: now.instant)
            estimator.receive(back(turn).map { .lux($0) }, of: "back", at: now.instant)
            guard let ambient = estimator.takeChange(at: now) else { continue }
            news += 1
            newest = ambient
            if reported.isEmpty || reported.last! != ambient.illuminance?.lux {
                reported.append(ambient.illuminance?.lux)
            }
        }
    }

    mutating func pass(_ seconds: Double, front: Double?, back: Double?, isNear: Bool = false) {
        pass(seconds, front: { _ in front }, back: { _ in back }, isNear: isNear)
    }
}

/// A scripted room and the illuminances published for it.
private struct Story: CustomTestStringConvertible, Sendable {
    struct Scene: Sendable {
        let seconds: Double
        let front: Double?
        let back: Double?
        var isNear = false
    }

    let testDescription: String
    let scenes: [Scene]
    let reported: [Double?]
    let appearance: Appearance?

    static let all = [
        Story(
            testDescription: "a lit room",
            scenes: [Scene(seconds: 10, front: 300, back: 200)],
            reported: [300],
            appearance: .day
        ),
        Story(
            testDescription: "the front sensor is covered",
            scenes: [Scene(seconds: 5, front: 300, back: 300), Scene(seconds: 60, front: 0.3, back: 300)],
            reported: [300],
            appearance: .day
        ),
        Story(
            testDescription: "both sensors are covered",
            scenes: [Scene(seconds: 5, front: 300, back: 300), Scene(seconds: 10, front: 0.3, back: 0.2)],
            reported: [300, 0.3],
            appearance: .night
        ),
        Story(
            testDescription: "a hand is near, and over both sensors",
            scenes: [
                Scene(seconds: 5, front: 300, back: 300),
                Scene(seconds: 30, front: 0.3, back: 0.3, isNear: true),
                Scene(seconds: 1, front: 300, back: 300),
            ],
            reported: [300],
            appearance: .day
        ),
        Story(
            testDescription: "something is near for good",
            scenes: [
                Scene(seconds: 5, front: 300, back: 300),
                Scene(seconds: 310, front: 30, back: 30, isNear: true),
            ],
            reported: [300, 30],
            appearance: .day
        ),
        Story(
            testDescription: "a shadow of two seconds",
            scenes: [
                Scene(seconds: 5, front: 300, back: 200),
                Scene(seconds: 2, front: 3, back: 2),
                Scene(seconds: 20, front: 300, back: 200),
            ],
            reported: [300],
            appearance: .day
        ),
        Story(
            testDescription: "the light is switched on",
            scenes: [Scene(seconds: 5, front: 2, back: 1), Scene(seconds: 4, front: 400, back: 300)],
            reported: [2, 400],
            appearance: .day
        ),
        Story(
            testDescription: "a little more light, and a little less",
            scenes: [
                Scene(seconds: 5, front: 300, back: 200), Scene(seconds: 10, front: 330, back: 210),
                Scene(seconds: 10, front: 280, back: 190),
            ],
            reported: [300],
            appearance: .day
        ),
        Story(
            testDescription: "one sensor falls silent",
            scenes: [Scene(seconds: 5, front: 300, back: 200), Scene(seconds: 20, front: nil, back: 200)],
            reported: [300, 200],
            appearance: .day
        ),
        Story(
            testDescription: "all fall silent",
            scenes: [Scene(seconds: 5, front: 3, back: 2), Scene(seconds: 20, front: nil, back: nil)],
            reported: [3, nil],
            appearance: .night
        ),
        Story(
            testDescription: "nothing was ever said",
            scenes: [Scene(seconds: 20, front: nil, back: nil)],
            reported: [nil],
            appearance: nil
        ),
    ]
}

@Suite struct AmbientEstimatorTests {
    @Test(arguments: Story.all)
    fileprivate func `each room publishes these illuminances`(story: Story) {
        var room = Room()
        for scene in story.scenes {
            room.pass(scene.seconds, front: scene.front, back: scene.back, isNear: scene.isNear)
        }
        #expect(room.reported == story.reported)
        #expect(room.newest?.appearance == story.appearance)
    }

    @Test func `covering one of two sensors is published, though the illuminance stays`() {
        var room = Room()
        room.pass(5, front: 300, back: 300)
        room.pass(20, front: 0.3, back: 300)
        #expect(room.newest?.illuminance?.lux == 300)
        #expect(room.newest?.sensors.map { $0.illuminance?.lux } == [0.3, 300, nil])
        #expect(room.news == 2)
    }

    @Test func `a hand near the sensor is published`() {
        var room = Room()
        room.pass(5, front: 300, back: 300)
        room.pass(5, front: 3, back: 300, isNear: true)
        #expect(room.newest?.sensors.last?.isNear == true)
        #expect(room.news == 2)
    }

    @Test func `a sunset is published step by step and never in the other direction`() throws {
        var room = Room()
        room.pass(5, front: 1_000, back: 500)
        var (front, back) = (1_000.0, 500.0)
        for _ in 0..<120 {
            (front, back) = (front * 0.944, back * 0.944)
            room.pass(0.5, front: front, back: back)
        }
        room.pass(10, front: front, back: back)
        let reported = room.reported.compactMap { $0 }
        #expect(reported == reported.sorted(by: >))
        #expect((5...60).contains(reported.count))
        let (last, truth) = (try #require(room.newest?.level), try #require(Illuminance(lux: front)).level)
        #expect(abs(last - truth) <= LightFilter.hysteresis)
        #expect(room.newest?.appearance == .night)
    }

    @Test(arguments: [0, 1])
    func `a sensor that alternates between its floor and the truth yields the truth`(first: Int) {
        var room = Room()
        room.pass(60, front: { $0 % 2 == first ? 0.03 : 1_002 }, back: { _ in 5 })
        #expect(room.newest?.illuminance?.lux == 1_000)
        let news = room.news
        room.pass(600, front: { $0 % 2 == first ? 0.03 : 1_002 }, back: { _ in 5 })
        #expect(room.news == news)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 250_000])
    func `an implausible reading changes nothing`(lux: Double) {
        var room = Room()
        room.pass(5, front: 300, back: 200)
        room.pass(60, front: { $0 % 3 == 0 ? 300 : lux }, back: { _ in 200 })
        #expect(room.news == 1)
    }

    @Test(arguments: [Double.nan, -1, 250_000])
    func `a sensor with only implausible readings is reported as such`(lux: Double) {
        var room = Room()
        room.pass(5, front: 300, back: 200)
        room.pass(20, front: lux, back: 200)
        #expect(room.newest?.sensors.map(\.condition) == [.impossible, .live, .live])
        #expect(room.newest?.sensors.first?.illuminance == nil)
        #expect(room.newest?.illuminance?.lux == 200)
    }

    @Test func `an exact 0 after a sleep is rejected, and the next reading is accepted`() {
        var room = Room()
        room.pass(5, front: 300, back: 200)
        room.estimator.restart()
        room.pass(20, front: 0, back: 0)
        #expect(room.newest?.illuminance == nil)
        #expect(room.newest?.appearance == .day)
        #expect(room.newest?.sensors.map(\.condition) == [.impossible, .impossible, .live])
        room.pass(5, front: 280, back: 190)
        #expect(room.newest?.illuminance?.lux == 280)
        #expect(!room.reported.contains(0))
    }

    @Test func `a room that stays dark after a sleep is dark after a minute`() {
        var room = Room()
        room.pass(5, front: 300, back: nil)
        room.estimator.restart()
        room.pass(61, front: 0, back: 0)
        #expect(room.newest?.illuminance?.lux == 0)
        #expect(room.newest?.appearance == .night)
        #expect(room.newest?.sensors.map(\.condition) == [.live, .impossible, .live])
    }

    @Test func `a sensor that has read only 0 since it was found does not count, also after a sleep`() {
        var room = Room()
        room.pass(3_600, front: 0, back: nil)
        room.estimator.restart()
        room.pass(3_600, front: 0, back: nil)
        #expect(room.reported == [nil])
        #expect(room.newest?.appearance == nil)
        #expect(room.newest?.sensors.first?.condition == .impossible)
        room.pass(5, front: 3, back: nil)
        room.pass(10, front: 0, back: nil)
        #expect(room.reported == [nil, 3, 0])
    }

    @Test func `a dead sensor does not overrule a remote one`() {
        var estimator = AmbientEstimator([("dead", .illuminance, false), ("window", .illuminance, true)])
        var newest: Ambient?
        for second in 0..<120 {
            let now = Moment.after(.seconds(second))
            estimator.receive(.lux(0), of: "dead", at: now.instant)
            estimator.receive(.lux(80), of: "window", at: now.instant)
            newest = estimator.takeChange(at: now) ?? newest
        }
        #expect(newest?.illuminance?.lux == 80)
    }

    @Test func `a sensor may report 0 after another reading`() {
        var room = Room()
        room.pass(5, front: 1, back: 1)
        room.pass(10, front: 0, back: 0)
        #expect(room.newest?.illuminance?.lux == 0)
    }

    @Test(
        arguments: [
            (0.20, Appearance.day, Appearance.night), (0.22, .day, .day), (0.27, .night, .night), (0.29, .night, .day),
            (0.24, nil, .night), (0.25, nil, .day),
        ] as [(Double, Appearance?, Appearance)]
    )
    func `day and night change at different levels`(level: Double, earlier: Appearance?, now: Appearance) {
        #expect(Appearance(level, after: earlier) == now)
    }
}

@Suite struct IlluminanceLevelTests {
    @Test(arguments: [(0, 0), (9, 0.2), (99, 0.4), (999, 0.6), (99_999, 1), (150_000, 1)] as [(Double, Double)])
    func `the level is a logarithm of the illuminance`(lux: Double, level: Double) throws {
        #expect(abs(try #require(Illuminance(lux: lux)).level - level) < 1e-9)
    }

    @Test(
        arguments: [
            (0, 0), (0.034, 0.03), (1.234, 1.23), (12.34, 12.3), (999.6, 1_000), (1_002, 1_000), (12_345, 12_300),
        ] as [(Double, Double)]
    )
    func `an illuminance is rounded to three digits`(lux: Double, rounded: Double) throws {
        #expect(try #require(Illuminance(lux: lux)).rounded.lux == rounded)
    }
}
