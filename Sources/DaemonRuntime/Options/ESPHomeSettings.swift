// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import ESPHome
package import HTTPServer
import WebAPI

/// A value of `--esphome`.
package enum ESPHomeAddress: Hashable, Sendable {
    case port(UInt16)
    case address(ListenAddress)

    private static let defaultPort: UInt16 = 6_053

    init?(_ text: String) {
        if let port = UInt16(text) {
            self = .port(port)
        } else if let address = ListenAddress(text, defaultPort: Self.defaultPort) {
            self = .address(address)
        } else {
            return nil
        }
    }
}

/// The server for ESPHome clients.
struct ESPHomeSettings {
    let address: ListenAddress
    /// The key of `--esphome-key-file`; `nil` without that file.
    let key: NoiseKey?
    /// The file of the key that a client makes; `nil` without a state directory, and with `--esphome-key-file`.
    let keyFile: KeyFile?
    let identity: Identity
    let scope: ClientScope

    /// Returns `nil` without `--esphome`.
    ///
    /// - Parameter groups: The groups that `--esphome-scope` may name.
    init?(_ options: OptionValues, _ groups: DisplayGroups) throws(OptionError) {
        guard let listener = options.esphome else {
            let pushed = options.homeAssistantLight + options.homeAssistantPresence
            guard options.esphomeKeyFile == nil, options.esphomeScope == nil, pushed.isEmpty else {
                throw OptionError("the options for Home Assistant require a port: --esphome 6053")
            }
            return nil
        }
        try Self.check(options)
        key = try options.esphomeKeyFile.map { path throws(OptionError) in try Self.key(in: path) }
        keyFile = key == nil ? options.stateDirectory.map { KeyFile(in: $0) } : nil
        address =
            switch listener {
            case .port(let port): ListenAddress(host: key == nil ? "127.0.0.1" : "0.0.0.0", port: port)
            case .address(let address): address
            }
        guard key != nil || keyFile != nil || address.isLoopback else {
            throw OptionError(
                """
                \(address) can be reached from other machines, which could switch the displays. Make a key with \
                openssl rand -base64 32 > FILE and add --esphome-key-file FILE; or let Home Assistant make it, for \
                which the daemon needs a --state-directory; or listen on loopback: --esphome \(address.port)
                """
            )
        }
        identity = Identity(machine: Machine.name, id: Machine.id)
        scope = try options.esphomeScope.map { text throws(OptionError) in try Self.scope(text, groups) } ?? .write
    }

    private static func scope(_ text: String, _ groups: DisplayGroups) throws(OptionError) -> ClientScope {
        guard let scope = try? LimitedScope(text, groups), scope.scope < .admin else {
            throw OptionError(
                """
                --esphome-scope is neither read nor write, nor write with patterns of displays or group:NAME of \
                --group in brackets, such as write[hall-*,group:lobby]
                """
            )
        }
        return ClientScope(mayWrite: scope.scope == .write, limit: scope.limit)
    }

    private static func check(_ options: OptionValues) throws(OptionError) {
        let pushed = options.homeAssistantLight + options.homeAssistantPresence
        guard Set(pushed).count == pushed.count else {
            throw OptionError("--home-assistant-light and --home-assistant-presence have the same entity twice")
        }
        guard pushed.count <= PushedSensors.limit else {
            throw OptionError("at most \(PushedSensors.limit) entities of Home Assistant are possible")
        }
        guard options.homeAssistantPresence.isEmpty || options.presenceWake != nil else {
            throw OptionError("--home-assistant-presence requires --presence-wake, the time for which displays stay on")
        }
    }

    private static func key(in path: String) throws(OptionError) -> NoiseKey {
        let text = try SecretFile.firstLine(of: path, "--esphome-key-file", "key")
        guard let key = NoiseKey(base64: text) else {
            throw OptionError(
                "the file of --esphome-key-file contains no key: 32 bytes in base64, such as openssl rand -base64 32 "
                    + "prints"
            )
        }
        return key
    }
}
