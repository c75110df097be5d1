// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct LocationCommand: ClientCommand {
    static let word = "location"
    static let abstract = "Prints or sets the location of the daemon's machine, for sunrise and sunset."
    static let discussion = "It is stored to about 1 km. A token needs the scope admin."

    @Argument(help: "Degrees north and east, such as 52.52,13.40 or -33.87,151.21.")
    var location: [String] = []

    @Flag(help: "Forget the location that was set. Then the daemon's option --location counts again.")
    var forget = false

    func run(_ session: CommandSession) throws {
        if forget, !location.isEmpty { throw ClientError.usage("Send either a location or --forget.") }
        if forget { _ = try session.client.send(ClientRequest("DELETE", "/v1/location")) }
        try session.send(request(), reading: LocationDocument.init(reading:)) { document in
            guard let known = document.location else {
                return session.terminal.warn(
                    "The daemon does not know its location: brightness location 52.52,13.40 sets it."
                )
            }
            let source = known.isChosen ? "" : "  by --location"
            try session.terminal.print("\(known.location.latitude),\(known.location.longitude)\(source)")
        }
    }

    private func request() throws(ClientError) -> ClientRequest {
        if self.location.isEmpty { return ClientRequest("GET", "/v1/location") }
        let text = self.location.joined(separator: " ")
        guard let location = Location(text) else {
            throw .usage(
                """
                "\(text.shown)" is not a location: write degrees north (at most 90) and east (at most 180), such as \
                52.52,13.40.
                """
            )
        }
        return ClientRequest("PUT", "/v1/location") { json in
            json.member("latitude", decimal: location.latitude)
            json.member("longitude", decimal: location.longitude)
        }
    }
}
