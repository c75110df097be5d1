// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import ESPHome
package import HTTPServer
import Journal
import MQTT
import MQTTBridge
package import WebAPI

/// The options of the daemon, in the order of `--help`.
///
/// A property declares all there is of an option: flag, variable, form, default, help and type. `Settings` has a
/// property of the same name with its value; `make document` writes `docs/reference/command-line.md` from `--help`.
package struct DaemonOptions: Sendable {
    package static let declared = DaemonOptions()

    /// The options under the titles of `--help`.
    package static let sections: [(title: String, options: [any DeclaredOption])] = Mirror(reflecting: declared)
        .children
        .reduce(into: []) { sections, child in
            if let section = child.value as? OptionSection { sections.append((section.title, [])) }
            if let option = child.value as? any DeclaredOption { sections[sections.count - 1].options.append(option) }
        }

    package static let all = sections.flatMap(\.options)

    let accessSection = OptionSection("Access")

    package let listen = DaemonOption(
        "listen",
        "Address to listen on. Port 0 chooses a free port.",
        form: "host:port",
        default: "127.0.0.1:8787",
        note: "Addresses beyond loopback require --token-file or --anonymous."
    ) { ListenAddress($0) }

    let unix = DaemonOption.text(
        "unix",
        """
        Unix socket to listen on, in addition. The owner of its file has full access, its group may change the \
        brightness, other users may read.
        """,
        form: "path"
    )

    package let tokenFile = DaemonOption(
        "token-file",
        """
        File of tokens, one name:scopes:secret per line. Scopes are read, write and admin. sha256:DIGEST may replace a \
        secret. Reloaded at SIGHUP.
        """,
        form: "path"
    ) { $0.isEmpty ? nil : TokenFile($0) }

    let anonymous = DaemonOption(
        "anonymous",
        "Access of clients without a token: read or write. Without --token-file write includes the scope admin.",
        form: "read|write",
        stated: "write on loopback, none with --token-file"
    ) { AccessPolicy.Anonymous(rawValue: $0) }

    let displaysSection = OptionSection("Displays")

    let display = DaemonOption(
        list: "display",
        """
        Display to serve; repeatable. auto: the machine's backlights, also those connected later, and monitors; a \
        simulated display while there is none and no client provides one. cec:N: the television at /dev/cecN; \
        cec:auto: those at all CEC adapters. none: only displays of other daemons, see --mirror. \
        brightnessd probe lists the available ones. NAME is the kernel's name or the display's id.
        """,
        form: DisplaySelection.form,
        stated: "auto"
    ) { DisplaySelection($0) }

    let excludeDisplay = DaemonOption(
        list: "exclude-display",
        "Display that auto does not serve, by its id or its kernel name; repeatable.",
        form: "id"
    ) { text in KernelName(text).map { DisplayID(deviceName: $0.text) } }

    let pair = DaemonOption(
        list: "pair",
        """
        One display of two: the first has its brightness, the second its power, such as lobby=lobby-page+relay; \
        repeatable. A part is the id of a display, also of one that a client provides, or a value of --display. It is \
        not served by itself.
        """,
        form: "id=part+part",
        values: "id=part+part, such as lobby=lobby-page+relay or desk=led:desk+ddc:DEL-1"
    ) { DisplayPair($0) }

    let defaultDisplay = DaemonOption(
        "default-display",
        "Display for the paths without an id, such as /v1/brightness and /v1/boost.",
        form: "id",
        stated: "the first"
    ) { DisplayID($0) }

    let group = DaemonOption(
        list: "group",
        """
        Name for some displays, such as lobby=hall:*,lobby:*,tag:kiosk; repeatable. A pattern is the id of a display, \
        with * for any characters, or a tag of a node. Commands for a group are below /v1/groups/NAME.
        """,
        form: "name=pattern,…",
        values: "name=pattern,… with at most \(DisplaySelector.limit) patterns, such as lobby=hall:*",
        separatedBy: groups(in:)
    ) { DisplayGroup($0) }

    let minBrightness = DaemonOption.fraction(
        "min-brightness",
        "Minimum brightness, 0 to 1; at least one step, so that no screen goes dark. LEDs may be off.",
        default: "0"
    )

    let curve = DaemonOption(
        list: "curve",
        """
        How a display's brightness maps to its panel's range; repeatable. perceptual: percent as eyes see it, for \
        panels whose steps are linear in light. Points: percent of brightness to percent of the panel, both rising; \
        the first and the last are the range in use. PUT /v1/displays/ID/settings overrides it.
        """,
        form: "id=linear|perceptual|percent:percent,…",
        values: "id=linear, id=perceptual, or id=percent:percent,… such as DP-1=0:3,50:30,100:80",
        stated: "linear",
        separatedBy: groups(in:)
    ) { CurveOfDisplay($0) }
    .map { curves in Dictionary(curves.map { ($0.id, $0.curve) }) { _, last in last } }

    let follow = DaemonOption(
        list: "follow",
        """
        Display that gets another one's brightness, at the first start and whenever that changes, such as \
        DP-1=intel_backlight; repeatable.
        """,
        form: "id=leader",
        values: "id=leader, the ids of two displays of this machine, such as DP-1=intel_backlight"
    ) { Following($0) }

    let boostCap = DaemonOption.fraction("boost-cap", "Maximum brightness of a boost, 0 to 1.", default: "1")

    let ddcWritesPerDay = DaemonOption(
        "ddc-writes-per-day",
        "Maximum number of writes per monitor and day, because writes wear monitors.",
        form: "count",
        values: "a whole number from 1 on",
        default: "\(MonitorSource.defaultWritesPerDay)"
    ) { Int($0, in: 1...Int.max) }

    let ddcPower = DaemonOption(
        list: "ddc-power",
        """
        Monitor that may be switched off and on, by its id; repeatable. Try it by hand first: some monitors need a \
        press of their own button to wake.
        """,
        form: "id"
    ) { DisplayID($0) }

    let cecOff = DaemonOption(
        "cec-off",
        """
        How a television is switched off. standby: it goes to standby. inactive-source: it is left to itself, for one \
        that shows pictures in standby; whether it is off is then not known.
        """,
        form: "standby|inactive-source",
        default: "standby"
    ) { TelevisionOff(rawValue: $0) }

    let transition = DaemonOption.seconds(
        "transition",
        "Duration of a change, for requests without one.",
        in: 0...3_600,
        default: "0"
    )

    let automaticBrightnessSection = OptionSection("Automatic brightness")

    let auto = DaemonOption(
        "auto",
        """
        Automatic brightness for displays whose automatic mode was never set: on or off. A mode that a client has set \
        is kept.
        """,
        form: "on|off",
        default: "off"
    ) { ["on": true, "off": false][$0] }

    let autoHold = DaemonOption.seconds(
        "auto-hold",
        "Seconds for which automatic brightness does not change a display after a person has set it.",
        in: 0...Double(AutomaticRules.longestHold.components.seconds),
        default: "\(AutomaticRules.defaultHold.components.seconds)"
    )

    let autoCurve = DaemonOption(
        "auto-curve",
        """
        Brightness by ambient light for automatic brightness, before it has learned anything. Must not fall with more \
        light.
        """,
        form: "lux:fraction,…",
        default: BrightnessCurve.defaultText
    ) { BrightnessCurve($0) }

    let lightSensor = DaemonOption(
        list: "light-sensor",
        """
        URL of a light sensor in the room with a web server: ESPHome, lunarsensor or another brightnessd; repeatable. \
        The path is /events if there is none; #NAME names one of the device's sensors. Needs libcurl.
        """,
        form: "URL",
        values: "a URL like http://light.local or http://192.168.1.20/events#desk, without a password"
    ) { LightDeviceURL($0) }

    let schedulesAndPresenceSection = OptionSection("Schedules, idle and presence")

    let timeZone = DaemonOption(
        "time-zone",
        "Time zone of schedules, such as Europe/Berlin.",
        form: "name",
        values: "the name of a time zone that this machine knows, such as Europe/Berlin",
        stated: "the system's"
    ) { LocalTime.exists($0) ? $0 : nil }

    let location = DaemonOption(
        "location",
        """
        Location of the machine in degrees north and east, such as 52.52,13.40, for schedules by sunrise and sunset, \
        as long as nobody sets another one.
        """,
        form: "latitude,longitude",
        values: "latitude,longitude in degrees, such as 52.52,13.40",
        read: { Location($0) }
    )

    let idleDim = DaemonOption(
        "idle-dim",
        """
        Dims displays to a brightness after this many seconds without activity, such as 300:0.2. Activity is input on \
        the machine, a change by a client, or POST /v1/activity.
        """,
        form: "seconds:fraction",
        values: "seconds from 1 to 86400, a colon and a fraction from 0 to 1, such as 300:0.2",
        read: dim(in:)
    )

    let idleSleep = DaemonOption.seconds(
        "idle-sleep",
        """
        Switches displays off after this many seconds without activity, where they can be switched. See --ddc-power \
        for monitors.
        """,
        in: longestIdle
    )

    let presenceWake = DaemonOption.seconds(
        "presence-wake",
        "Keeps displays on while a proximity sensor reports somebody near, and for this many seconds afterwards.",
        in: 1...Double(LeaseKind.wake.longestTTL.components.seconds)
    )

    let keptSection = OptionSection("State")

    let onExit = DaemonOption(
        "on-exit",
        """
        Displays with leases after the daemon stops: restore the baseline, or keep boosts and dims. A sleep always \
        ends.
        """,
        form: "restore|keep",
        default: "restore"
    ) { Restoring(rawValue: $0) }

    let onBoot = DaemonOption(
        "on-boot",
        """
        Brightness after a restart of the machine: restore the baseline from before, or keep the value that the \
        firmware or the system has set.
        """,
        form: "restore|keep",
        default: "restore"
    ) { Restoring(rawValue: $0) }

    /// `nil` keeps state in memory only.
    package let stateDirectory = DaemonOption<String?>(
        "state-directory",
        """
        Directory for baselines, leases, schedules and the history, so that they survive a crash; none keeps them in \
        memory.
        """,
        form: "directory|none",
        default: StateDirectory.default,
        stated: "/var/lib/brightnessd for root, else ~/.local/state/brightnessd"
    ) { $0.isEmpty ? nil : .some($0 == "none" ? nil : $0) }

    let configuration = DaemonOption(
        "configuration",
        """
        File with the document of /v1/configuration: presets, schedules, settings of displays and the location. It \
        replaces what is stored, once after each change of the file. Read at the start and at SIGHUP.
        """,
        form: "path"
    ) { $0.isEmpty ? nil : ConfigurationFile(path: $0) }

    let pagesSection = OptionSection("Pages")

    let allowHost = DaemonOption(
        list: "allow-host",
        "Host name to serve in addition to IP addresses, localhost and this machine's name; repeatable.",
        form: "name"
    ) { $0.isEmpty ? nil : $0 }

    let allowOrigin = DaemonOption(
        list: "allow-origin",
        """
        Origin whose pages may change and watch displays, such as https://kiosk.example; repeatable. On loopback, \
        pages of other local servers always may.
        """,
        form: "origin",
        values: "scheme://host[:port] without a path, such as https://kiosk.example",
        read: origin(in:)
    )

    let brokerSection = OptionSection("MQTT broker")

    let mqtt = DaemonOption.text(
        "mqtt",
        """
        MQTT broker URL. Publishes display state and accepts commands; the path is the prefix of the topics. mqtts \
        uses TLS. &tags=floor1,kiosk adds tags to the displays of this machine.
        """,
        form: "mqtt[s]://[user@]host[:port][/prefix][?node=name]",
        stated: "none; path: \(BrokerURL.defaultPrefix); node: the machine's name"
    )

    let mqttPasswordFile = DaemonOption.text(
        "mqtt-password-file",
        """
        File whose first line is the password of the URL's user. Alternative: the password itself in \
        \(BrokerSettings.passwordVariable).
        """,
        form: "path"
    )

    let mqttCAFile = DaemonOption.text(
        "mqtt-ca-file",
        "CA certificates (PEM) used to verify the broker.",
        form: "path",
        stated: "the system's"
    )

    let mqttDiscovery = DaemonOption(
        "mqtt-discovery",
        "Prefix of Home Assistant's discovery topics.",
        form: "prefix|none",
        stated: Discovery.defaultPrefix
    ) { TopicName.isPrefix($0) ? $0 : nil }

    let mirror = DaemonOption(
        list: "mirror",
        "Another daemon at the broker whose displays are served here as well, or every daemon of a prefix; repeatable.",
        form: "prefix/node|prefix/+"
    ) { MirrorFilter($0) }

    let homeAssistantSection = OptionSection("Home Assistant without a broker")

    package let esphome = DaemonOption(
        "esphome",
        """
        Port for Home Assistant's ESPHome integration, usually 6053, or the address and the port. A port alone is on \
        every address with --esphome-key-file, else on loopback. Without a key other machines are refused.
        """,
        form: "[host:]port",
        values: "a port such as 6053, or an address and a port such as 192.168.1.20:6053"
    ) { ESPHomeAddress($0) }

    package let esphomeKeyFile = DaemonOption.text(
        "esphome-key-file",
        """
        File whose first line is the key that encrypts connections of ESPHome clients: 32 bytes in base64, such as \
        openssl rand -base64 32 prints. Without the file Home Assistant may make the key.
        """,
        form: "path"
    )

    let esphomeScope = DaemonOption.text(
        "esphome-scope",
        """
        Permissions of ESPHome clients: read, write, or write[PATTERN,…] with patterns of displays or group:NAME of \
        --group. Displays outside are not shown to them. Needs --esphome.
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

    let loadSection = OptionSection("Load")

    let shards = DaemonOption(
        "shards",
        "Number of threads that serve connections.",
        form: "count",
        values: "a whole number from 1 to 256",
        stated: "one per core"
    ) { Int($0, in: 1...256) }

    let limit = DaemonOption(
        list: "limit",
        "Maximum number of something, such as writes=20; repeatable. \(Limits.meaning)",
        form: "name=count|none",
        values: Limits.values,
        read: Limits.change(from:)
    ).map { changes in changes.reduce(into: Limits()) { limits, change in change(&limits) } }

    let systemSection = OptionSection("System")

    package let sysfsRoot = DaemonOption(
        "sysfs-root",
        "Mount point of sysfs.",
        form: "directory",
        default: "/sys"
    ) { $0.isEmpty ? nil : $0 }

    let logLevel = DaemonOption(
        "log-level",
        """
        Lowest level to log: trace, debug, info, notice, warning, error, critical. info reports who changed what, \
        debug why a request was refused.
        """,
        form: "level",
        values: "trace, debug, info, notice, warning, error or critical",
        default: "info"
    ) { Logger.Level(rawValue: $0) }

    let logFormat = DaemonOption(
        "log-format",
        """
        Form of the log: text with time stamps; json, one object per line; journal, with a priority and without time \
        stamps.
        """,
        form: "text|json|journal",
        default: LogFormat.ofThisProcess,
        stated: "journal under systemd, else text"
    ) { LogFormat(rawValue: $0) }
}

/// Whether displays return to their baselines after a restart of the machine, or when the daemon stops.
enum Restoring: String, Sendable {
    case restore, keep
}

private let longestIdle = 1.0...86_400.0

/// A variable contains the groups with commas, as their patterns: a part with `=` begins a group.
private func groups(in text: String) -> [String] {
    text.split(separator: ",").reduce(into: []) { groups, part in
        if part.contains("=") || groups.isEmpty {
            groups.append(String(part))
        } else {
            groups[groups.count - 1] += ",\(part.split(separator: " ").joined())"
        }
    }
}

/// Accepts `ID=CURVE`.
struct CurveOfDisplay: Sendable {
    let id: DisplayID
    let curve: PanelCurve

    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = DisplayID(own: parts[0]),
            let curve = PanelCurve(String(parts[1]))
        else { return nil }
        (self.id, self.curve) = (id, curve)
    }
}

/// Accepts `SECONDS:FRACTION`.
private func dim(in text: String) -> IdleRules.Dim? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count == 2, let after = Duration.seconds(parts[0], in: longestIdle),
        let brightness = Double(parts[1]).flatMap({ Brightness(fraction: $0) })
    else { return nil }
    return IdleRules.Dim(after: after, brightness: brightness)
}

/// Accepts an origin as browsers send it, and with a slash at the end. Browsers send it without, in lower case.
private func origin(in text: String) -> String? {
    guard let scheme = text.firstRange(of: "://"), scheme.lowerBound > text.startIndex else { return nil }
    var host = text[scheme.upperBound...]
    if host.hasSuffix("/") { host.removeLast() }
    guard !host.isEmpty, !host.contains(where: { "/?#@* ".contains($0) }) else { return nil }
    return "\(text[..<scheme.upperBound])\(host)".lowercased()
}

/// The title of the options that follow it.
struct OptionSection: Sendable {
    let title: String

    init(_ title: String) { self.title = title }
}
