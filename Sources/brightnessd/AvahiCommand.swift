// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime
import Support

struct AvahiCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "avahi",
        abstract: "Prints a service file for Avahi, by which Home Assistant finds the daemon.",
        discussion: "Write it to /etc/avahi/services/brightnessd.service. Avahi notices a change of the file by itself."
    )

    @Option(DaemonOptions.declared.homeAssistant.esphome.entry) var esphome: String?

    @Option(DaemonOptions.declared.homeAssistant.esphomeKeyFile.entry) var esphomeKeyFile: String?

    @Option(DaemonOptions.declared.state.stateDirectory.entry) var stateDirectory: String?

    func run() throws {
        let given = ["esphome": esphome, "esphome-key-file": esphomeKeyFile, "state-directory": stateDirectory]
        do throws(OptionError) {
            print(
                try AvahiService.text(
                    OptionTexts(given.compactMapValues { $0.map { [$0] } }),
                    version: ReleaseVersion.text
                )
            )
        } catch {
            throw error.exit
        }
    }
}
