// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Documents

/// An action of Home Assistant, such as `esphome.lobby_boost`. An empty text, and a number of 0, stand for the default.
enum HomeAssistantAction: String, CaseIterable {
    case boost, dim, wake, sleep, restore

    private enum Argument: String {
        /// The id of a display, or `all`; empty for the default display.
        case display
        case percent, ttl, holder, reason

        var kind: ActionArgument.Kind { self == .percent || self == .ttl ? .number : .text }
    }

    private var order: [Argument] {
        switch self {
        case .boost, .dim: [.display, .percent, .ttl, .holder, .reason]
        case .wake, .sleep: [.display, .ttl, .holder, .reason]
        case .restore: [.display, .holder]
        }
    }

    var key: UInt32 { EntityTable.number(of: "action/\(rawValue)") { _ in true } }

    init?(key: UInt32) {
        guard let action = Self.allCases.first(where: { $0.key == key }) else { return nil }
        self = action
    }

    var listing: OutgoingMessage {
        .listAction(rawValue, key: key, order.map { ActionArgument(name: $0.rawValue, kind: $0.kind) })
    }

    /// The command method, which also reads and limits the body.
    var method: CommandMethod {
        switch self {
        case .boost: .lease(.boost)
        case .dim: .lease(.dim)
        case .wake: .lease(.wake)
        case .sleep: .lease(.sleep)
        case .restore: .restore
        }
    }

    /// Returns the display, and the body of the request.
    func request(_ values: [ActionValue]) -> (display: String, body: [String: JSONValue]) {
        var display = ""
        var body: [String: JSONValue] = ["holder": .string(HomeAssistantEntity.holder)]
        for (argument, value) in zip(order, values) {
            let number = Double(value.number)
            switch argument {
            case .display: display = value.text
            // A dim to 0 % is a wish, and a boost to 0 % is none.
            case .percent: if number != 0 || self == .dim { body["percent"] = .number(number) }
            case .ttl: if number != 0 { body["ttl"] = .number(number) }
            case .holder: if !value.text.isEmpty { body["holder"] = .string(value.text) }
            case .reason: if !value.text.isEmpty { body["reason"] = .string(value.text) }
            }
        }
        return (display, body)
    }
}
