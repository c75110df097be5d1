// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct EffectiveBrightnessTests {
    private func model(showing step: Int = 30, guard minimum: Int = 0, cap: Double = 1) throws -> DisplayModel {
        let range = try #require(BrightnessRange(minimum: minimum, maximum: 100))
        let panel = ScriptedPanel(.left, range: range, step: step)
        return DisplayModel(panel, showing: step, .init(cap: .at(cap)), at: .start)
    }

    private func apply(_ action: Command.Action, to model: inout DisplayModel) throws {
        _ = try model.execute(Command(action), leaseID: LeaseID.random, connectivity: { _, _ in .unknown }, at: .start)
    }

    @Test(
        arguments: [
            // step at the start, boosts, cap, effective
            (30, [], 1, 0.3),
            (30, [1], 1, 1),
            (30, [0.5, 0.8], 1, 0.8),
            (30, [0.8, 0.5], 1, 0.8),
            // boosts only raise
            (30, [0.2], 1, 0.3),
            (90, [0.5], 1, 0.9),
            (30, [0], 1, 0.3),
            // the cap limits only boosts
            (30, [1], 0.7, 0.7),
            (30, [0.5], 0.7, 0.5),
            (90, [1], 0.7, 0.9),
            (30, [1], 0.2, 0.3),
        ] as [(Int, [Double], Double, Double)]
    )
    func `the effective brightness is the highest of baseline and capped boosts`(
        step: Int,
        boosts: [Double],
        cap: Double,
        effective: Double
    ) throws {
        var model = try model(showing: step, cap: cap)
        for (index, boost) in boosts.enumerated() { try apply(.boost(boost, by: "\(index)"), to: &model) }
        #expect(model.effective == .at(effective))
        #expect(model.target == Int(effective * 100))
        #expect(model.baseline == .at(Double(step) / 100))
        let boost = model.state(at: Revision(1)).boost
        #expect(boost?.brightness == boosts.max().map { .at(min($0, cap)) })
        #expect(boost?.count == (boosts.isEmpty ? nil : boosts.count))
    }

    @Test(arguments: [(0, 10), (0.05, 10), (0.1, 10), (0.5, 50)])
    func `nothing below the minimum is written`(fraction: Double, target: Int) throws {
        var model = try model(showing: 100, guard: 10)
        try apply(.set(fraction), to: &model)
        #expect(model.target == target)
    }

    @Test(arguments: [Command.Action.set(0), .set(.step(0)), .set(.step(19)), .move(delta: -1)])
    func `the state has the shown brightness if less than the minimum was requested`(action: Command.Action) throws {
        var model = try model(showing: 50, guard: 20)
        try apply(action, to: &model)
        var state: DisplayState { model.state(at: Revision(1)) }
        #expect(state.brightness == .at(0.2))
        #expect(state.baseline == .at(0.2))
        #expect(model.target == 20)
        // A delta starts at the shown brightness. A boost below that raises nothing.
        try apply(.boost(0.1, by: "somebody"), to: &model)
        #expect(state.brightness == .at(0.2))
        try apply(.restoreAll(), to: &model)
        try apply(.move(delta: 0.1), to: &model)
        #expect(abs(state.brightness.fraction - 0.3) < 1e-12)
        #expect(model.target == 30)
    }

    @Test func `a panel with one usable step always reports that step`() throws {
        let range = try #require(BrightnessRange(minimum: 1, maximum: 1))
        var model = DisplayModel(ScriptedPanel(.left, range: range, step: 1), showing: 1, at: .start)
        try apply(.set(0), to: &model)
        #expect(model.state(at: Revision(1)).brightness == .full)
        #expect(model.target == 1)
    }

    @Test func `a boost that raises a panel from below the minimum reports the shown brightness`() throws {
        var model = try model(showing: 3, guard: 10)
        try apply(.boost(0.05, by: "somebody"), to: &model)
        #expect(model.target == 10)
        #expect(model.effective == .at(0.1))
        #expect(model.state(at: Revision(1)).boost?.brightness == .at(0.1))
        try apply(.move(delta: -0.1), to: &model)
        #expect(model.baseline == .at(0.03))
    }

    @Test func `a panel below the minimum is not written before a command`() throws {
        var model = try model(showing: 3, guard: 10)
        #expect(model.target == 3)
        #expect(model.state(at: Revision(1)).brightness == .at(0.03))
        try apply(.boost(0, by: "somebody"), to: &model)
        #expect(model.target == 3)
        try apply(.set(0.05), to: &model)
        #expect(model.target == 10)
    }

    @Test func `a step outside the range counts as the nearest end`() throws {
        let model = try model(showing: 140)
        #expect(model.target == 140)
        #expect(model.effective == .full)
    }

    @Test func `a command that throws changes nothing`() throws {
        var model = try model()
        try apply(.boost(0.5, by: "somebody"), to: &model)
        let before = model.state(at: Revision(1))
        let wrong: [(Command.Action, CommandError)] = [
            (.set(.step(-1)), .outOfRange(model.range)),
            (.set(.step(101)), .outOfRange(model.range)),
            (.renew(LeaseID("never"), LeaseRenewal(ttl: .seconds(1))), .lease(.unknown)),
            (.release(LeaseID("never")), .lease(.unknown)),
        ]
        for (action, error) in wrong {
            #expect(throws: error) { try apply(action, to: &model) }
            #expect(model.state(at: Revision(1)) == before)
        }
    }
}
