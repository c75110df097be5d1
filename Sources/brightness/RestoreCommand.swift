// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessClient

struct RestoreCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Releases your own boost. When the last boost of a display ends, it returns to its baseline."
    )

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("The holder of the boost, as named in the boost command.", valueName: "name"))
    var holder: String?

    @Flag(help: "Release everybody's boosts; needs the scope admin.")
    var all = false

    func run(_ session: CommandSession) throws {
        var members: [(String, JSON.Scalar)] = []
        if let holder { members.append(("holder", .text(holder))) }
        if all { members.append(("all", .bool(true))) }
        try session.change(session.target.restore(members))
    }
}
