// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

/// Requests a lease, and with a command holds it while the command runs.
protocol LeaseCommand: ClientCommand {
    static var kind: LeaseKind { get }
    var brightness: String? { get }
    var lease: LeaseOptions { get }
}

extension LeaseCommand {
    static var word: String { kind.rawValue }

    static var usage: String? {
        """
        brightness \(kind.rawValue) [<options>]
        brightness \(kind.rawValue) [<options>] -- <command> [<argument> ...]
        """
    }

    /// For a kind without a brightness.
    var brightness: String? { nil }

    var failureCode: Int32? { lease.command.isEmpty ? nil : ClientProgram.codeWithCommand }

    func run(_ session: CommandSession) throws {
        try session.requestLease(Self.kind, at: brightness.map(level), lease)
    }

    private func level(_ text: String) throws(ClientError) -> BrightnessLevel {
        guard case .absolute(let level) = try levelArgument(text) else {
            throw .usage("\"\(text)\" is not a brightness for a \(Self.kind.rawValue): write 80%, 0.8 or raw:480.")
        }
        return level
    }
}

struct BoostCommand: LeaseCommand {
    static let kind = LeaseKind.boost
    static let abstract = "Raises the brightness of a display for a limited time, or while a command runs."
    static let discussion = """
        "brightness boost 80% 10m" is short for --brightness 80% --ttl 10m.

        Without a command it requests a boost and exits. The boost lasts until --ttl has passed or \
        "brightness restore" releases it.

        With "-- COMMAND" it holds the boost while the command runs, and exits with the command's status. \
        The boost also ends when this program is killed: ten seconds later the display is restored. \
        Signals are passed on to the command. If the daemon cannot be reached or rejects the boost, the program \
        prints a warning and runs the command, unless --require is given.
        """

    @Option("level", "How bright at least: 80%, 0.8 or raw:480. [default: 100%]") var brightness: String?
    @OptionGroup var lease: LeaseOptions
}

struct DimCommand: LeaseCommand {
    static let kind = LeaseKind.dim
    static let abstract = "Limits the brightness of a display for a while, or while a command runs."
    static let discussion = "A dim wins over every boost. It ends like a boost: see brightness help boost."

    @Option("level", "How bright at most: 20%, 0.2 or raw:96. [default: 20%]") var brightness: String?
    @OptionGroup var lease: LeaseOptions
}

struct WakeCommand: LeaseCommand {
    static let kind = LeaseKind.wake
    static let abstract = "Keeps a display on for a while, or while a command runs."
    static let discussion = "A wake wins over every sleep. It ends like a boost: see brightness help boost."

    @OptionGroup var lease: LeaseOptions
}

struct SleepCommand: LeaseCommand {
    static let kind = LeaseKind.sleep
    static let abstract = "Switches a display off for a while, or while a command runs."
    static let discussion = """
        A sleep ends like a boost: see brightness help boost. With "-- COMMAND" it lasts at most a day. To switch \
        a display off until somebody switches it on, use brightness power off.
        """

    @OptionGroup var lease: LeaseOptions
}

struct RestoreCommand: ClientCommand {
    static let word = "restore"
    static let abstract = """
        Releases your own boost, or other leases. After the last one a display returns to its baseline.
        """

    @Option("name", "The holder: releases its leases of every kind.") var holder: String?

    @Option(help: ArgumentHelp("Release only leases of this kind: \(LeaseKind.choice).", valueName: "kind"))
    var kind: LeaseKind?

    @Flag(help: "Release everybody's leases; needs the scope admin.")
    var all = false

    func run(_ session: CommandSession) throws {
        // Without a holder and a kind it releases the caller's boost only.
        let released = kind ?? (holder == nil ? .boost : nil)
        let action: Command.Action = all ? .restoreAll(kind: kind) : .restore(holder: holder, kind: released)
        try session.change(Command(action, by: holder), restoring: all ? kind : released)
    }
}

extension LeaseKind: ExpressibleByArgument {
    /// The help of each option lists them in its sentence.
    package static var allValueStrings: [String] { [] }
}
