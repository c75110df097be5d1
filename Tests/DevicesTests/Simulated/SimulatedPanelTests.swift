// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct SimulatedPanelTests {
    @Test func `a simulated panel starts at 40 % of 1000 steps with a guard of 1`() throws {
        let panel = SimulatedPanel()
        #expect(panel.id.text == "simulated")
        #expect(panel.name == "Simulated display")
        #expect(panel.kind == .simulated)
        #expect(panel.range == BrightnessRange(minimum: 1, maximum: 1_000))
        #expect(try panel.read() == 400)
    }

    @Test(arguments: [(100, 1, Int?.none, 40), (1, 1, nil, 1), (10, 5, nil, 5), (10, 5, 0, 0), (10, 1, 99, 10)])
    func `the first step is the requested one within the range, by default 40 %`(
        maximum: Int,
        minimum: Int,
        asked: Int?,
        step: Int
    ) throws {
        #expect(try SimulatedPanel(maximum: maximum, minimum: minimum, step: asked).read() == step)
    }

    @Test(arguments: [0, 1, 400, 1_000])
    func `a simulated panel shows the written step`(step: Int) throws {
        let panel = SimulatedPanel()
        try panel.write(step)
        #expect(try panel.read() == step)
    }

    @Test(arguments: [-1, 1_001, .max])
    func `a step outside the range is rejected and the current one kept`(step: Int) throws {
        let panel = SimulatedPanel()
        #expect(throws: DeviceError.io(path: "simulated room", errno: EINVAL)) { try panel.write(step) }
        #expect(try panel.read() == 400)
    }

    @Test(arguments: [(700, 700), (0, 0), (-5, 0), (2_000, 1_000)])
    func `a manual change is clamped to the range and reported`(asked: Int, step: Int) async throws {
        let panel = SimulatedPanel()
        var hints = panel.changes.makeAsyncIterator()
        panel.set(to: asked)
        #expect(await hints.next() != nil)
        #expect(try panel.read() == step)
    }

    @Test func `own writes are not reported, and the reports end with the panel`() async throws {
        var panel: SimulatedPanel? = SimulatedPanel()
        let changes = try #require(panel).changes
        try panel?.write(500)
        panel = nil
        var hints = 0
        for await _ in changes { hints += 1 }
        #expect(hints == 0)
    }
}
