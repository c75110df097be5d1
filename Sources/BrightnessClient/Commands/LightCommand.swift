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
        let answer = try session.client.send(ClientRequest("GET", "/v1/ambient"))
        if session.printsJSON { return try session.terminal.print(answer.text) }
        guard let light = Ambient(reading: answer.json) else { throw session.client.server.notBrightnessdError }
        try session.terminal.print(light.description(session.terminal.style))
    }
}
