// SPDX-License-Identifier: Apache-2.0

/// The authenticated identity of a client, which owns its leases. A client never chooses it, unlike a holder's name.
///
/// ```
///   kiosk-3      the name of a token            uid:1000   a user of this machine, on the Unix socket
///   anonymous    all clients without a token    mqtt       all clients of the broker
///   brightnessd  the daemon itself              esphome    all clients of the ESPHome server
///   PREFIX/hall/NAME   a principal of the mirrored daemon `hall`
/// ```
///
/// A token's name contains neither `:` nor `/` and is not a reserved word, so all principals differ.
package struct Principal: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static let anonymous = Principal("anonymous")
    package static let mqtt = Principal("mqtt")
    package static let esphome = Principal("esphome")
    package static let daemon = Principal("brightnessd")

    package static func user(_ number: UInt32) -> Principal { Principal("uid:\(number)") }

    /// Names that no token may have.
    package static let reserved: Set<String> = [anonymous.text, mqtt.text, esphome.text, daemon.text]
}

/// The sender of a command, and whether it may use other principals' leases.
package struct Requester: Hashable, Sendable {
    let principal: Principal
    let isAdmin: Bool

    package init(_ principal: Principal, isAdmin: Bool) {
        self.principal = principal
        self.isAdmin = isAdmin
    }
}

/// Names of holders that only the daemon may use.
package enum ReservedHolder {
    /// Dims displays, and switches them off, while nobody uses the machine.
    package static let idle = "idle"
    /// Keeps displays on while a sensor has somebody near.
    package static let presence = "presence"

    private static let schedulePrefix = "schedule:"

    /// Changes displays by the clock.
    static func schedule(_ name: String) -> String { schedulePrefix + name }

    package static func schedule(of holder: String) -> Substring? {
        holder.hasPrefix(schedulePrefix) ? holder.dropFirst(schedulePrefix.count) : nil
    }

    package static func includes(_ name: String) -> Bool {
        name == idle || name == presence || schedule(of: name) != nil
    }
}

enum PresetHolder {
    /// The holder for a request that names none.
    static let anonymous = "preset"
    private static let prefix = "preset:"

    /// The holder of a preset's leases for a request of this holder.
    static func name(for holder: String?) -> String? { holder.map { prefix + $0 } }

    static func includes(_ holder: String?) -> Bool { holder.map { $0 == anonymous || $0.hasPrefix(prefix) } ?? false }
}
