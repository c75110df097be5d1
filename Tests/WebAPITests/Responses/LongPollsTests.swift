// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

@Suite struct LongPollsTests {
    private let id = DisplayID("panel")!
    private let service: DisplayService

    init() throws {
        let panel = ScriptedPanel(id, range: try #require(BrightnessRange(maximum: 100)), step: 50)
        service = try DisplayService(
            [.init(panel, on: ImmediateQueue())],
            poster: NotificationHub().poster,
            at: .start
        )
    }

    @Test func `a request waits until the state is newer than the one it knows`() throws {
        var polls = LongPolls()
        let known = try #require(service.state(of: id))
        let request = polls.add(known, of: service, for: .seconds(30), otherwise: Response(status: 304))
        polls.notify(known, in: service.epoch)
        #expect(!request.isComplete && !polls.isEmpty)
        service.submit(Command(.set(.step(70))), to: [id], at: .start) { _, _ in }
        polls.notify(try #require(service.state(of: id)), in: service.epoch)
        #expect(request.response?.status == 200 && polls.isEmpty)
    }

    @Test func `at the end of the wait a request gets the present state if it has changed without a notification`()
        throws
    {
        var polls = LongPolls()
        let known = try #require(service.state(of: id))
        func wait() -> Deferred {
            polls.add(known, of: service, for: .seconds(30), otherwise: Response(status: 304))
        }
        let (unchanged, changed, removed) = (wait(), wait(), wait())
        unchanged.complete()
        #expect(unchanged.response?.status == 304)
        service.submit(Command(.set(.step(70))), to: [id], at: .start) { _, _ in }
        changed.complete()
        #expect(changed.response?.status == 200)
        service.withdraw(own: id)
        removed.complete()
        #expect(removed.response?.status == 404)
    }
}
