// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct LightCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "light",
        abstract: "Prints the light in the room, and what each sensor reads."
    )

    @OptionGroup var options: ClientOptions

    func run(_ session: CommandSession) throws {
        try session.show(ClientRequest("GET", "/v1/ambient"), Ambient.init(reading:)) { light in
            try session.terminal.print(light.description(session.terminal.style))
        }
    }
}
