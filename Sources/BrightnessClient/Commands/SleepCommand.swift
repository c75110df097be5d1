// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct SleepCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "sleep",
        abstract: "Switches a display off for a while, or while a command runs.",
        usage: """
            brightness sleep [<options>]
            brightness sleep [<options>] -- <command> [<argument> ...]
            """,
        discussion: """
            A sleep ends like a boost: see brightness help boost. With "-- COMMAND" it lasts at most a day. To switch \
            a display off until somebody switches it on, use brightness power off.
            """
    )

    @OptionGroup var options: ClientOptions
    @OptionGroup var lease: LeaseOptions

    var failure: Int32? { lease.command.isEmpty ? nil : BoostCommand.ownFailure }

    func run(_ session: CommandSession) throws { try session.requestLease(.sleep, lease, []) }
}
