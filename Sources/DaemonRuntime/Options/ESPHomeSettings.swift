// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import ESPHome
package import HTTPServer
import WebAPI

package struct HomeAssistantOptions: OptionSection {
    package static let title = "Home Assistant without a broker"

    package let esphome = DaemonOption(
        "esphome",
        """
        Port, or address and port, for Home Assistant's ESPHome integration; usually 6053. A port alone is on every \
        address with --esphome-key-file, else on loopback. Without a key other machines are refused.
        """,
        form: "[host:]port",
        values: "a port such as 6053, or an address and a port such as 192.168.1.20:6053"
    ) { text in
        // Without a host, the settings choose it.
        UInt16(text).map { ListenAddress(host: "", port: $0) } ?? ListenAddress(text, defaultPort: 6_053)
    }

    package let esphomeKeyFile = DaemonOption.text(
        "esphome-key-file",
        """
        File whose first line is the key that encrypts connections of ESPHome clients: 32 bytes in base64, such as \
        openssl rand -base64 32 prints. Without the file Home Assistant may set the key.
        """,
        form: "path"
    )

    let esphomeScope = DaemonOption.text(
        "esphome-scope",
        """
        Permissions of ESPHome clients: read, write, or write[PATTERN,…] with patterns of displays or group:NAME of \
        --group. Other displays are hidden from them. Needs --esphome.
        """,
        form: "scope",
        stated: "write"
    )

    let homeAssistantLight = DaemonOption(
        list: "home-assistant-light",
        """
        Entity of Home Assistant whose state is the light in the room in lux, such as sensor.desk_illuminance; \
        repeatable. It counts as a light sensor. Needs --esphome.
        """,
        form: "entity",
        values: "the id of an entity, such as sensor.desk_illuminance"
    ) { PushedEntity($0) }

    let homeAssistantPresence = DaemonOption(
        list: "home-assistant-presence",
        """
        Entity of Home Assistant whose state is on while somebody is there, such as binary_sensor.lobby_motion; \
        repeatable. It counts as a proximity sensor of --presence-wake. Needs --esphome.
        """,
        form: "entity",
        values: "the id of an entity, such as binary_sensor.lobby_motion"
    ) { PushedEntity($0) }
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
    /// - Parameter all: Also the groups that `--esphome-scope` may name.
    init?(_ all: OptionValues) throws(OptionError) {
        let options = all.homeAssistant
        let pushed = options.homeAssistantLight + options.homeAssistantPresence
        guard let listener = options.esphome else {
            guard options.esphomeKeyFile == nil, options.esphomeScope == nil, pushed.isEmpty else {
                throw OptionError("the options for Home Assistant require a port: --esphome 6053")
            }
            return nil
        }
        guard Set(pushed).count == pushed.count else {
            throw OptionError("--home-assistant-light and --home-assistant-presence have the same entity twice")
        }
        guard pushed.count <= PushedSensors.limit else {
            throw OptionError("at most \(PushedSensors.limit) entities of Home Assistant are possible")
        }
        guard options.homeAssistantPresence.isEmpty || all.presence.presenceWake != nil else {
            throw OptionError("--home-assistant-presence requires --presence-wake, the time for which displays stay on")
        }
        key = try options.esphomeKeyFile.map { path throws(OptionError) in try Self.key(in: path) }
        keyFile = key == nil ? all.state.stateDirectory.map { KeyFile(in: $0) } : nil
        let host = key == nil ? "127.0.0.1" : "0.0.0.0"
        address = listener.host.isEmpty ? ListenAddress(host: host, port: listener.port) : listener
        guard key != nil || keyFile != nil || address.isLoopback else {
            throw OptionError(
                """
                \(address) can be reached from other machines, which could switch the displays. Generate a key with \
                openssl rand -base64 32 > FILE and add --esphome-key-file FILE; or let Home Assistant set it, for \
                which the daemon needs a --state-directory; or listen on loopback: --esphome \(address.port)
                """
            )
        }
        identity = Identity(machine: Machine.name, id: Machine.id)
        let groups = all.displays.group
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
