// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct NameCommand: SettingCommand {
    static let setting = "name"

    static let configuration = CommandConfiguration(
        commandName: setting,
        abstract: "Gives a display a name in your own words.",
        discussion: """
            brightness name DP-1 "Left" names the display with the id DP-1; brightness name DP-1 prints its name. The \
            name is what the dashboard and Home Assistant show. The id stays. A token needs the scope admin.
            """
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "The name: 1 to 64 characters.")
    var name: String?

    @Flag(help: "Give the display the device's own name again.")
    var reset = false

    var value: ClientRequest.Value? { name.map { .text($0) } }

    func text(of state: DisplayState) -> String { state.name }
}
