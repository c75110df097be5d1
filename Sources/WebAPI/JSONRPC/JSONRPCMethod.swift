// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI

/// What a client may call over a WebSocket. The params are the bodies of the REST resources, with `display` next to them.
enum JSONRPCMethod {
    case get
    case command(CommandMethod)
    case subscribe

    init?(_ name: String) {
        switch name {
        case "get": self = .get
        case "subscribe": self = .subscribe
        case let name:
            guard let method = CommandMethod(rawValue: name) else { return nil }
            self = .command(method)
        }
    }

    static let names = ["get"] + CommandMethod.allCases.map(\.rawValue) + ["subscribe"]
}
