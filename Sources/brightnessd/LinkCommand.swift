// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessClient
import DaemonRuntime
import Glibc

struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Prints a link that signs a browser in to the dashboard, and its QR code for a phone.",
        discussion: """
            Run it as a user that may read the token file. Everybody who has the link has the token, so show it only \
            to its users. The browser stays signed in until somebody signs out. The QR code needs the program qrencode.
            """
    )

    @Argument(help: "The token's name.")
    var name: String

    @Option(DaemonOptions.declared.access.tokenFile.entry) var tokenFile: String?
    @Option(DaemonOptions.declared.access.listen.entry, "The address of the daemon.") var listen: String?

    @Option(help: ArgumentHelp("The dashboard's URL, if a proxy serves it.", valueName: "url"))
    var url: String?

    func run() throws {
        let file = try DaemonOptions.declared.access.tokenFile.value(given: tokenFile)
        let address = try DaemonOptions.declared.access.listen.value(given: listen)
        let link: SignInLink
        do throws(SignInLink.Failure) {
            link = try SignInLink(for: name, in: file, at: address, base: url)
        } catch {
            warn("\(error)")
            throw ExitCode.failure
        }
        print(link.text)
        if link.isLocal { warn("only this machine can open this link; --listen or --url names an address for others") }
        if isatty(STDOUT_FILENO) == 1, !Self.printCode(of: link.text) {
            warn("install the package qrencode to see the link as a QR code")
        }
    }

    /// Has qrencode print a QR code. The link is not an argument of it, since every user of the machine sees arguments.
    private static func printCode(of text: String) -> Bool {
        fflush(nil)
        guard let program = popen("qrencode -t ANSIUTF8 2>/dev/null", "w") else { return false }
        fputs(text, program)
        return pclose(program) == 0
    }

    private func warn(_ text: String) { Terminal.printError("brightnessd: \(text)") }
}
