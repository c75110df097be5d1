// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// An action of Home Assistant, such as `esphome.lobby_boost`: a kind of lease, or `restore`. An empty text, and a
/// number of 0, stand for the default, except for the percentage of a dim.
struct HomeAssistantAction: Equatable {
    static let all = LeaseKind.allCases.map { Self(kind: $0) } + [Self(kind: nil)]

    /// The kind of the lease that it grants; `nil` for `restore`.
    let kind: LeaseKind?

    private enum Argument: String {
        /// The id of a display, or `all`; empty for the default display.
        case display
        case percent, ttl, holder, reason

        /// SERVICE_ARG_TYPE_FLOAT, SERVICE_ARG_TYPE_STRING
        var type: UInt32 { self == .percent || self == .ttl ? 2 : 3 }
    }

    private var order: [Argument] {
        guard let kind else { return [.display, .holder] }
        return [.display] + (kind.defaultBrightness == nil ? [] : [.percent]) + [.ttl, .holder, .reason]
    }

    private var name: String { kind?.rawValue ?? "restore" }

    var key: UInt32 { EntityTable.number(of: "action/\(name)") }

    var listing: OutgoingMessage {
        .listAction(name, key: key, order.map { ($0.rawValue, $0.type) })
    }

    /// The command method, which also reads and limits the body.
    var method: CommandMethod { kind.map { .lease($0) } ?? .restore }

    func request(_ values: [ActionValue]) -> (display: String, body: [String: JSONValue]) {
        var display = ""
        var body: [String: JSONValue] = ["holder": .string(HomeAssistantEntity.holder)]
        for (argument, value) in zip(order, values) {
            let number = Double(value.number)
            switch argument {
            case .display: display = value.text
            // Of a dim, 0 is the brightness; of a boost, the default.
            case .percent: if number != 0 || kind?.demand == .atMost { body["percent"] = .number(number) }
            case .ttl: if number != 0 { body["ttl"] = .number(number) }
            case .holder: if !value.text.isEmpty { body["holder"] = .string(value.text) }
            case .reason: if !value.text.isEmpty { body["reason"] = .string(value.text) }
            }
        }
        return (display, body)
    }
}
