// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite struct CommandMethodTests {
    private static let half = Brightness(clamping: 0.5)

    private func written(_ command: Command) -> (method: CommandMethod?, json: [UInt8]) {
        var method: CommandMethod?
        let json = JSONWriter.object { method = command.write(to: &$0) }
        return (method, json)
    }

    @Test(
        arguments: [
            .set(.fraction(half)), .set(.step(7)), .move(delta: -0.25), .setPower(false), .setAutomatic(true),
            .setAutomatic(false, forgetsLessons: true), .restore(holder: "k", kind: .dim), .restoreAll(),
            .restoreAll(kind: .sleep), .apply(PresetRequest(.value(PresetValue(brightness: half, isOn: true)!))),
            .apply(
                PresetRequest(.named(ResourceName("film")!), terms: PresetRequest.Terms(ttl: .seconds(60), holder: "k"))
            ),
            .grant(LeaseRequest(.boost, at: .step(7), lifespan: .custom, ttl: nil, holder: "k", reason: "qr")),
            .grant(LeaseRequest(.dim, at: .fraction(half), lifespan: .visible, holder: "k", reason: "qr")),
            .grant(LeaseRequest(.wake, lifespan: .lifetime, holder: "k", reason: "qr")),
            .configure(DisplaySettings.Change(name: DisplayName("Left")!, curve: .some(nil))),
            .configure(DisplaySettings.Change(curve: .perceptual, position: DisplaySettings.Position(2))),
        ] as [Command.Action]
    )
    func `a command is read as it was written`(action: Command.Action) throws {
        let command = Command(action, by: "k", reason: "qr", transition: .seconds(2))
        let (method, json) = written(command)
        let read = try #require(method).command(from: RequestBody(parsing: json))
        #expect("\(read)" == "\(command)")
    }

    @Test(
        arguments: [
            .renew(
                LeaseID("l1"),
                LeaseRenewal(at: .fraction(half), lifespan: .custom, ttl: .seconds(60), reason: "qr")
            ),
            .release(LeaseID("l1")),
        ] as [Command.Action]
    )
    func `a command for a lease is read as it was written, without a holder`(action: Command.Action) throws {
        let (method, json) = written(Command(action, by: "k"))
        let read = try #require(method).command(from: RequestBody(parsing: json))
        #expect("\(read)" == "\(Command(action))")
    }

    @Test(arguments: [.follow, .tick, .clockSet, .refresh()] as [Command.Action])
    func `work of the daemon itself has no method`(action: Command.Action) {
        #expect(written(Command(action)).method == nil)
    }

    @Test func `each method has a word of its own`() {
        let words = CommandMethod.allCases.map(\.rawValue)
        #expect(Set(words).count == words.count)
        for method in CommandMethod.allCases { #expect(CommandMethod(rawValue: method.rawValue) == method) }
    }
}
