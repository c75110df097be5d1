// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import TestSupport
import Testing

/// Commands on two displays whose panels work only when the queue runs.
@Suite struct CommandHandlerTests {
    let queue = ManualQueue()
    let hub = NotificationHub()
    let service: DisplayService
    let handler: CommandHandler

    init() throws {
        let range = try #require(BrightnessRange(maximum: 100))
        let ids = [try #require(DisplayID("a")), try #require(DisplayID("b"))]
        let panels = ids.map { ScriptedPanel($0, range: range, step: 50) }
        let service = try DisplayService(panels.map { [queue] in .init($0, on: queue) }, poster: hub.poster, at: .start)
        self.service = service
        handler = CommandHandler(service, hub.source, defaultDisplay: ids[1])
        queue.runAll()
    }

    private func problem(_ body: () throws -> Void) throws -> ProblemType {
        try #require(throws: Problem.self) { try body() }.type
    }

    @Test func `a target is a display by its name, or the default display`() throws {
        #expect(try handler.state(of: .named("a")).id.text == "a")
        #expect(try handler.state(of: .byDefault).id.text == "b")
        #expect(try problem { _ = try handler.state(of: .named("c")) } == .displayNotFound)
        #expect(try problem { _ = try handler.state(of: .all) } == .displayNotFound)
    }

    @Test func `a display that has not answered yet has accepted the command`() throws {
        let execution = try handler.execution(of: Command(.set(.step(70))), answering: .state, on: .named("a"))
        execution.start(at: .start) {}
        #expect(execution.results.map(\.status) == [202])
        queue.runAll()
        #expect(execution.results.map(\.status) == [200])
        #expect(try execution.answer.get() == service.all.states.first { $0.id.text == "a" }?.json)
    }

    @Test func `the response to a command for all displays has one entry per display`() throws {
        let boost = try Command.lease(.boost, from: RequestBody(params: [:], by: nil))
        let execution = try handler.execution(of: boost, answering: .lease, on: .all)
        execution.start(at: .start) {}
        queue.runAll()
        #expect(execution.results.map(\.status) == [201, 201])
        let text = String(decoding: try execution.answer.get(), as: UTF8.self)
        #expect(text.hasPrefix(#"{"results":[{"display":"a","status":201,"lease":{"#))
        #expect(text.contains(#"},{"display":"b","status":201,"lease":{"#))
    }

    @Test func `a machine without a light sensor rejects automatic brightness`() throws {
        let command = Command(.setAutomatic(true))
        #expect(
            try problem { _ = try handler.execution(of: command, answering: .state, on: .all) } == .noLightSensor
        )
        _ = try handler.execution(of: Command(.setAutomatic(false)), answering: .state, on: .all)
    }
}
