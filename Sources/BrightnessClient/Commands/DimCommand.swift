// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct DimCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "dim",
        abstract: "Limits the brightness of a display for a while, or while a command runs.",
        usage: """
            brightness dim [<options>]
            brightness dim [<options>] -- <command> [<argument> ...]
            """,
        discussion: "A dim wins over every boost. It ends like a boost: see brightness help boost."
    )

    @OptionGroup var options: ClientOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How bright at most: 20%, 0.2 or raw:96. [default: 20%]", valueName: "level")
    )
    var brightness: String?

    @OptionGroup var lease: LeaseOptions

    var failure: Int32? { lease.command.isEmpty ? nil : BoostCommand.ownFailure }

    func run(_ session: CommandSession) throws {
        try session.requestLease(.dim, lease, brightness.map { [try leaseBrightness($0, of: .dim)] } ?? [])
    }
}
