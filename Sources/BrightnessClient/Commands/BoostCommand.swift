// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct BoostCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "boost",
        abstract: "Raises the brightness of a display for a limited time, or while a command runs.",
        usage: """
            brightness boost [<options>]
            brightness boost [<options>] -- <command> [<argument> ...]
            """,
        discussion: """
            "brightness boost 80% 10m" is short for --brightness 80% --ttl 10m.

            Without a command it takes a boost and exits. The boost lasts until --ttl has passed or \
            "brightness restore" releases it.

            With "-- COMMAND" it holds the boost while the command runs, and exits with the command's status. \
            The boost also ends when this program is killed: at most 12 seconds later the display is restored. \
            Signals are passed on to the command. If the daemon cannot be reached or refuses, the program \
            prints a warning and runs the command, unless --require is given.
            """
    )

    /// The exit status of the client's own failures with a command, as env(1) and timeout(1) have it.
    static let ownFailure: Int32 = 125

    @OptionGroup var options: ClientOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How bright at least: 80%, 0.8 or raw:480. [default: 100%]", valueName: "level")
    )
    var brightness: String?

    @OptionGroup var lease: LeaseOptions

    var failure: Int32? { lease.command.isEmpty ? nil : Self.ownFailure }

    func run(_ session: CommandSession) throws {
        try session.requestLease(.boost, lease, brightness.map { [try leaseBrightness($0, of: .boost)] } ?? [])
    }
}

/// The member with the brightness of a request for a lease.
func leaseBrightness(_ text: String, of kind: LeaseKind) throws(ClientError) -> ClientRequest.Member {
    let (isRelative, member) = try level(text).request
    guard !isRelative else {
        throw .usage("\"\(text)\" is not a brightness for a \(kind.rawValue): write 80%, 0.8 or raw:480.")
    }
    return member
}
