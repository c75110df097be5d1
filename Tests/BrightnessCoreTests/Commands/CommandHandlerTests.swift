// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

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
        let service = try DisplayService(
            panels.map { [queue] in .init($0, on: queue) },
            .init(defaultDisplay: ids[1]),
            poster: hub.poster,
            at: .start
        )
        self.service = service
        let groups = try DisplayGroups([try #require(DisplayGroup("both=*")), try #require(DisplayGroup("first=a,c"))])
        handler = CommandHandler(service, hub.source, groups: groups)
        queue.runAll()
    }

    private func problem(_ body: () throws -> Void) throws -> ProblemType {
        try #require(throws: Problem.self) { try body() }.type
    }

    @Test func `a target is a display by its name, or the default display`() throws {
        #expect(try handler.state(of: .named("a")).id.text == "a")
        #expect(try handler.state(of: .defaultDisplay).id.text == "b")
        #expect(try problem { _ = try handler.state(of: .named("c")) } == .displayNotFound)
        #expect(try problem { _ = try handler.state(of: .all) } == .displayNotFound)
    }

    @Test func `a display that has not answered yet has accepted the command`() throws {
        let execution = try handler.execution(
            of: Command(.set(.step(70))),
            on: handler.displays(of: .named("a"), within: nil)
        )
        execution.start(at: .start) {}
        #expect(execution.results.map(\.status) == [202])
        queue.runAll()
        #expect(execution.results.map(\.status) == [200])
        #expect(try execution.response.get() == service.all.states.first { $0.id.text == "a" }?.json)
    }

    @Test func `a display that was removed before it answered is missing`() throws {
        for (target, id) in [(DisplayTarget.named("a"), "a"), (.all, "b")] {
            let displays = try handler.displays(of: target, within: nil)
            let execution = try handler.execution(of: Command(.set(.step(70))), on: displays)
            execution.start(at: .start) {}
            service.withdraw(own: try #require(DisplayID(id)))
            #expect(execution.results.first?.status == 404)
        }
    }

    @Test func `the response to a command for all displays has one entry per display`() throws {
        let boost = try Command.lease(.boost, from: RequestBody(params: [:], by: nil))
        let execution = try handler.execution(of: boost, on: handler.displays(of: .all, within: nil))
        execution.start(at: .start) {}
        queue.runAll()
        #expect(execution.results.map(\.status) == [201, 201])
        let text = String(decoding: try execution.response.get(), as: UTF8.self)
        #expect(text.hasPrefix(#"{"results":[{"display":"a","status":201,"lease":{"#))
        #expect(text.contains(#"},{"display":"b","status":201,"lease":{"#))
    }

    @Test func `a machine without a light sensor rejects automatic brightness`() throws {
        let command = Command(.setAutomatic(true))
        #expect(
            try problem {
                _ = try handler.execution(of: command, on: handler.displays(of: .all, within: nil))
            } == .noLightSensor
        )
        _ = try handler.execution(
            of: Command(.setAutomatic(false)),
            on: handler.displays(of: .all, within: nil)
        )
    }

    private func ids(_ target: DisplayTarget, within limit: DisplaySelector? = nil) throws -> [String] {
        try handler.displays(of: target, within: limit).states.map(\.id.text)
    }

    @Test func `a group has the present displays that match its patterns`() throws {
        #expect(try ids(.group("both")) == ["a", "b"])
        #expect(try ids(.group("first")) == ["a"])
        #expect(try problem { _ = try ids(.group("none")) } == .notFound)
        #expect(try handler.displays(of: .group("first")).isList)
    }

    @Test func `a limited caller reaches only its displays`() throws {
        let limit = DisplaySelector([try #require(DisplayPattern("b"))])
        #expect(try ids(.all, within: limit) == ["b"])
        #expect(try ids(.group("both"), within: limit) == ["b"])
        #expect(try ids(.defaultDisplay, within: limit) == ["b"])
        #expect(try problem { _ = try ids(.named("a"), within: limit) } == .forbidden)
        #expect(try problem { _ = try ids(.group("first"), within: limit) } == .forbidden)
    }

    @Test func `named displays that do not exist are reported each`() throws {
        let names = ["a", "c", "a"].compactMap { DisplayID($0) }
        let displays = handler.ownDisplays(names)
        let execution = try handler.execution(of: Command(.set(.step(70))), on: displays)
        execution.start(at: .start) {}
        queue.runAll()
        #expect(execution.results.map(\.display.text) == ["a", "c"])
        #expect(execution.results.map(\.status) == [200, 404])
    }
}
