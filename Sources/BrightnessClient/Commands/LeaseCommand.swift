// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

/// A kind of lease, as a command.
protocol LeaseForm {
    associatedtype BrightnessOption: LeaseBrightness
    static var kind: LeaseKind { get }
    static var abstract: String { get }
    static var discussion: String { get }
}

/// The option with the brightness of a lease.
protocol LeaseBrightness: ParsableArguments {
    var brightness: String? { get }
}

/// Requests a lease, and with a command holds it while the command runs.
struct LeaseCommand<Form: LeaseForm>: ClientCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Form.kind.rawValue,
            abstract: Form.abstract,
            usage: """
                brightness \(Form.kind.rawValue) [<options>]
                brightness \(Form.kind.rawValue) [<options>] -- <command> [<argument> ...]
                """,
            discussion: Form.discussion
        )
    }

    @OptionGroup var options: ClientOptions
    @OptionGroup var option: Form.BrightnessOption
    @OptionGroup var lease: LeaseOptions

    var failureCode: Int32? { lease.command.isEmpty ? nil : ClientProgram.codeWithCommand }

    func run(_ session: CommandSession) throws {
        try session.requestLease(Form.kind, at: option.brightness.map(level), lease)
    }

    private func level(_ text: String) throws(ClientError) -> BrightnessLevel {
        guard case .absolute(let level) = try levelArgument(text) else {
            throw .usage("\"\(text)\" is not a brightness for a \(Form.kind.rawValue): write 80%, 0.8 or raw:480.")
        }
        return level
    }
}

typealias BoostCommand = LeaseCommand<BoostForm>

enum BoostForm: LeaseForm {
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

    struct BrightnessOption: LeaseBrightness {
        @Option("level", "How bright at least: 80%, 0.8 or raw:480. [default: 100%]") var brightness: String?
    }
}

typealias DimCommand = LeaseCommand<DimForm>

enum DimForm: LeaseForm {
    static let kind = LeaseKind.dim
    static let abstract = "Limits the brightness of a display for a while, or while a command runs."
    static let discussion = "A dim wins over every boost. It ends like a boost: see brightness help boost."

    struct BrightnessOption: LeaseBrightness {
        @Option("level", "How bright at most: 20%, 0.2 or raw:96. [default: 20%]") var brightness: String?
    }
}

/// For a kind of lease without a brightness.
struct NoBrightness: LeaseBrightness {
    var brightness: String? { nil }
}

typealias WakeCommand = LeaseCommand<WakeForm>

enum WakeForm: LeaseForm {
    typealias BrightnessOption = NoBrightness

    static let kind = LeaseKind.wake
    static let abstract = "Keeps a display on for a while, or while a command runs."
    static let discussion = "A wake wins over every sleep. It ends like a boost: see brightness help boost."
}

typealias SleepCommand = LeaseCommand<SleepForm>

enum SleepForm: LeaseForm {
    typealias BrightnessOption = NoBrightness

    static let kind = LeaseKind.sleep
    static let abstract = "Switches a display off for a while, or while a command runs."
    static let discussion = """
        A sleep ends like a boost: see brightness help boost. With "-- COMMAND" it lasts at most a day. To switch \
        a display off until somebody switches it on, use brightness power off.
        """
}

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
