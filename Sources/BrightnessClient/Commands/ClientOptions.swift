// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The options of every command.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the daemon serves. [env: BRIGHTNESS_SERVER; default: \(DaemonAddress.defaultURL)]",
            valueName: "url"
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp("The daemon's Unix socket, in place of --server. [env: BRIGHTNESS_UNIX]", valueName: "path")
    )
    var unix: String?

    @Option(
        name: [.customShort("d"), .long],
        help: ArgumentHelp(
            "The display by its id, group:NAME, or all. [env: BRIGHTNESS_DISPLAY; default: the daemon's default one]",
            valueName: "id"
        )
    )
    var display: String?

    @Option(
        help: ArgumentHelp(
            """
            A file with the token, which is the secret alone. The variable BRIGHTNESS_TOKEN has the token itself. \
            [env: BRIGHTNESS_TOKEN_FILE]
            """,
            valueName: "path"
        )
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "CA certificates (PEM) used to verify an https server, in place of the system's. [env: BRIGHTNESS_CA_FILE]",
            valueName: "path"
        )
    )
    var caFile: String?

    @Flag(help: "Print the daemon's answer as JSON.")
    var json = false
}

extension Option {
    /// A text, which may begin with a minus.
    ///
    /// - Parameter form: The name of the value in the help.
    init(_ form: String, _ help: String, name: NameSpecification = .long) where Value == String? {
        self.init(name: name, parsing: .unconditional, help: ArgumentHelp(help, valueName: form))
    }

    /// As above, for a text that is required.
    init(_ form: String, _ help: String) where Value == String {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: form))
    }
}
