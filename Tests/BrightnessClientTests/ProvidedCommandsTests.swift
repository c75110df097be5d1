// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessClient

/// The commands that `brightness provide` runs for a target.
@Suite struct ProvidedCommandsTests {
    private static func both() throws -> ProvidedCommands {
        try ProvidedCommands(set: "set {percent}", on: "switch on", off: "switch off", get: nil, maximum: nil)
    }

    @Test(
        arguments: [
            ((nil, nil), (40, true), ["switch on", "set 40"]), ((40, true), (40, true), []),
            ((100, true), (40, true), ["set 40"]), ((40, true), (70, false), ["switch off"]),
            ((40, false), (70, false), []), ((40, false), (40, true), ["switch on", "set 40"]),
        ] as [((Int?, Bool?), (Int, Bool), [String])]
    )
    func `only what differs is set`(shown: (Int?, Bool?), target: (Int, Bool), commands: [String]) throws {
        let run = try Self.both().needed(
            from: .init(step: shown.0, isOn: shown.1),
            to: .init(step: target.0, isOn: target.1)
        )
        #expect(run.map { $0.joined(separator: " ") } == commands)
    }

    @Test func `the step and the percent are of the maximum`() throws {
        let commands = try ProvidedCommands(set: "set {step} {percent}%", on: nil, off: nil, get: nil, maximum: 255)
        #expect(commands.needed(from: .init(), to: .init(step: 102, isOn: true)) == [["set", "102", "40%"]])
        #expect(commands.shown(in: "40\n") == .init(step: 102))
    }

    @Test(arguments: [1, 7, 100, 101, 255, 960, 65_535])
    func `the percent that was set is read as the step that was set`(maximum: Int) throws {
        let commands = try ProvidedCommands(set: "{percent}", on: nil, off: nil, get: nil, maximum: maximum)
        let steps = Set([0, 1, 2, 3, 111, 112, 113, maximum / 3, maximum / 2, maximum - 1, maximum])
        for step in steps where step <= maximum {
            let set = try #require(commands.needed(from: .init(), to: .init(step: step, isOn: true)).first?.first)
            let read = try #require(commands.shown(in: set)?.step)
            let seen = commands.step(for: read, on: .init(step: step))
            #expect(seen == step, "step \(step) was set as \(set) % and read as \(read)")
        }
    }

    @Test(arguments: [(255, 111, 112, true), (255, 111, 114, false), (100, 44, 43, false), (2, 1, 2, false)])
    func `a reading of another percent is another step`(maximum: Int, set: Int, read: Int, isSame: Bool) throws {
        let commands = try ProvidedCommands(set: "{percent}", on: nil, off: nil, get: nil, maximum: maximum)
        #expect(commands.step(for: read, on: .init(step: set)) == (isSame ? set : read))
        #expect(commands.step(for: read, on: .init()) == read)
    }

    @Test(arguments: [(112, 111), (52, 51), (140, 140)])
    func `after failed commands a reading is the step before or a refused one`(read: Int, step: Int) throws {
        let commands = try ProvidedCommands(set: "{percent}", on: nil, off: nil, get: nil, maximum: 255)
        var shown = ProvidedCommands.Shown(step: 111)
        for refused in [51, 111] { shown = shown.afterFailure(of: .init(step: refused, isOn: true)) }
        #expect(shown.step == nil)
        #expect(commands.step(for: read, on: shown) == step)
    }

    @Test(
        arguments: [
            ("echo {step}", ["echo", "1"]), ("  echo   {step} ", ["echo", "1"]),
            ("a 'b c' \"d e\" {step}", ["a", "b c", "d e", "1"]),
            ("a b\\ c{step}", ["a", "b c1"]), ("a '' {step}", ["a", "", "1"]), ("'a\\b' {step}", ["a\\b", "1"]),
        ]
    )
    func `a command is split into words as by a shell`(text: String, words: [String]) throws {
        let commands = try ProvidedCommands(set: text, on: nil, off: nil, get: nil, maximum: 1)
        #expect(commands.needed(from: .init(), to: .init(step: 1, isOn: true)) == [words])
    }

    @Test(
        arguments: [
            ("40", 40, nil), ("40 %\n", nil, nil), ("40%", 40, nil),
            ("HDMI-A-1 on\nDP-1 off", nil, true), ("Off", nil, false),
            ("level: 39.6", 40, nil), ("101", nil, nil), ("", nil, nil), ("nothing", nil, nil),
        ] as [(String, Int?, Bool?)]
    )
    func `the last word of the first line is what it shows`(output: String, step: Int?, isOn: Bool?) throws {
        let shown = try Self.both().shown(in: output)
        #expect(shown == (step == nil && isOn == nil ? nil : .init(step: step, isOn: isOn)))
    }
}
