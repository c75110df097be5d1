// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct WakeCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "wake",
        abstract: "Keeps a display on for a while, or while a command runs.",
        usage: """
            brightness wake [<options>]
            brightness wake [<options>] -- <command> [<argument> ...]
            """,
        discussion: "A wake wins over every sleep. It ends like a boost: see brightness help boost."
    )

    @OptionGroup var options: ClientOptions
    @OptionGroup var lease: LeaseOptions

    var failure: Int32? { lease.command.isEmpty ? nil : BoostCommand.ownFailure }

    func run(_ session: CommandSession) throws { try session.requestLease(.wake, lease, []) }
}
