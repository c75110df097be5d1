// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A panel that is switched off gets its brightness when it is on again, and nothing before.
@Suite(.timeLimit(.minutes(1)))
struct AsleepPanelTests {
    private let bench: Bench

    init() throws {
        bench = try Bench(showing: 30)
        bench.panel.failReads(.asleep(path: "/test/bl_power"), times: .max)
        bench.panel.failWrites(.asleep(path: "/test/bl_power"), times: .max)
        try bench.perform(.refresh())
    }

    @Test func `it is not available`() {
        #expect(!bench.state.isAvailable)
        #expect(bench.state.baseline == .at(0.3))
        #expect(bench.state.cause.kind == .connected)
    }

    @Test(arguments: [Command.Action.set(0.5), .adjust(delta: 0.2), .boost(0.5, by: "a")])
    func `what is asked of it holds, and is written when it is on again`(action: Command.Action) throws {
        try bench.perform(action)
        #expect(bench.state.brightness == .at(0.5))
        #expect(!bench.state.isAvailable)
        #expect(bench.panel.step == 30)
        bench.panel.heal()
        bench.panel.step = 100
        try bench.perform(.refresh(as: .hotkey))
        #expect(bench.panel.step == 50)
        #expect(bench.state.isAvailable)
        #expect(bench.state.cause.kind == .connected)
    }

    @Test func `a daemon starts with it`() throws {
        let service = try { () throws(DeviceError) in
            bench.panel.failReads(.asleep(path: "/test/bl_power", step: 30), times: .max)
            return try DisplayService(
                [DisplayService.Seat(bench.panel, on: ImmediateQueue())],
                poster: NotificationHub().poster,
                at: .start
            )
        }()
        #expect(service.state(of: .left)?.isAvailable == false)
        #expect(service.state(of: .left)?.baseline == .at(0.3))
        bench.panel.heal()
        service.submit(Command(.refresh()), to: .left, at: .start) { _ in }
        #expect(service.state(of: .left)?.isAvailable == true)
        #expect(bench.panel.writes == [])
    }

    @Test func `a boost that ended meanwhile is not shown`() throws {
        try bench.perform(.boost(by: "a"))
        try bench.perform(.restore(holder: "a"))
        bench.panel.heal()
        try bench.perform(.tick, at: .after(.seconds(30)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.isAvailable)
    }

    @Test func `it is looked at again after 1, 2, 4, 8, 16 and then every 30 seconds`() throws {
        var waited = Duration.zero
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            let reads = bench.panel.reads
            waited += .seconds(pause)
            #expect(bench.service.state(of: .left)?.isAvailable == false)
            try bench.perform(.tick, at: .after(waited))
            #expect(bench.panel.reads == reads + 1)
        }
        #expect(bench.panel.writes == [])
    }
}
