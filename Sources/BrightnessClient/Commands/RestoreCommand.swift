// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct RestoreCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Releases your own boost, or other leases. After the last one a display returns to its baseline."
    )

    @OptionGroup var options: ClientOptions

    @Option("name", "The holder: releases its leases of every kind.") var holder: String?

    @Option(help: ArgumentHelp("Release only leases of this kind: \(LeaseKind.choice).", valueName: "kind"))
    var kind: LeaseKind?

    @Flag(help: "Release everybody's leases; needs the scope admin.")
    var all = false

    func run(_ session: CommandSession) throws {
        // Without a holder and a kind it releases the caller's boost only.
        let released = kind ?? (holder == nil ? .boost : nil)
        let action: Command.Action = all ? .restoreAll(kind: kind) : .restore(holder: holder, kind: released)
        try session.change(Command(action, by: holder), restoring: released)
    }
}

extension LeaseKind: ExpressibleByArgument {
    /// The help of each option lists them in its sentence.
    package static var allValueStrings: [String] { [] }
}
