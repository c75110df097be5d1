// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import HTTPServer
import Journal
import MQTT
import MQTTBridge
import WebAPI

/// The options of the daemon, in the order of `--help`.
///
/// One declaration defines an option's flag and variable, both derived from the case's name, its line in `--help`, and
/// its row in `docs/reference/command-line.md`, which `make document` generates from `--help`.
package enum DaemonOption: String, CaseIterable, Sendable {
    case listen, unix, tokenFile, anonymous
    case display, excludeDisplay, defaultDisplay, group, minBrightness, boostCap, ddcWritesPerDay, ddcPower, transition
    case auto, autoHold, autoCurve, lightSensor
    case timeZone, location
    case idleDim, idleSleep, presenceWake
    case onExit, stateDirectory
    case allowHost, allowOrigin
    case mqtt, mqttPasswordFile, mqttCaFile, mqttDiscovery, mirror, mirrorLimit
    case shards, streamsPerClient, connectionsPerClient, connectsPerSecond, writesPerSecond
    case sysfsRoot, logLevel, logFormat

    /// The flag without its dashes, such as `token-file`.
    package var name: String { texts.name }

    /// The environment variable, such as `BRIGHTNESSD_TOKEN_FILE`.
    package var variable: String { texts.variable }

    package var help: Help { texts.help }

    /// The entry of an option in `--help`.
    package struct Help: Sendable {
        package let meaning: String
        /// The form of the value.
        package let form: String
        /// The valid values, for the message about an invalid one; `nil` where `form` names them.
        var values: String?
        /// The default, for people; `nil` for none.
        var defaultText: String?
        package var note: String?
        /// Whether the option is repeatable.
        var isList = false
        /// The variable and the default.
        package fileprivate(set) var origin = ""
    }

    private struct Texts {
        let name: String
        let variable: String
        var help: Help

        init(_ option: DaemonOption) {
            name = option.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
            variable = "BRIGHTNESSD_\(name.uppercased().replacing("-", with: "_"))"
            help = option.declaration
            let list = help.isList ? ", with commas" : ""
            help.origin = "[env: \(variable)\(list)\(help.defaultText.map { "; default: \($0)" } ?? "")]"
        }
    }

    /// Created once: the parser of the command line reads them dozens of times at each start.
    private static let texts = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Texts($0)) })

    private var texts: Texts { Self.texts[self]! }

    private var declaration: Help {
        switch self {
        case .listen:
            Help(
                meaning: "Address to listen on. Port 0 chooses a free port.",
                form: "host:port",
                defaultText: "\(Settings.defaultAddress)",
                note: "Addresses beyond loopback require --token-file or --anonymous."
            )
        case .unix:
            Help(
                meaning: """
                    Unix socket to listen on, in addition. The owner of its file has full access, its group may \
                    change the brightness, other users may read.
                    """,
                form: "path"
            )
        case .tokenFile:
            Help(
                meaning: """
                    File of tokens, one name:scopes:secret per line. Scopes are read, write and admin. \
                    sha256:DIGEST may replace a secret. Reloaded at SIGHUP.
                    """,
                form: "path"
            )
        case .anonymous:
            Help(
                meaning: "Access of clients without a token: read or write.",
                form: "read|write",
                defaultText: "write on loopback, none with --token-file"
            )
        case .display:
            Help(
                meaning: """
                    Display to serve; repeatable. auto: the machine's backlights, also those connected later, and \
                    monitors, or a simulated display while there is neither. none: only displays of other daemons, \
                    see --mirror. brightnessd probe lists the available ones. NAME is the kernel's name or the \
                    display's id.
                    """,
                form: "auto|backlight:NAME|led:NAME|ddc:ID|simulated[:NAME]|none",
                defaultText: "auto",
                isList: true
            )
        case .excludeDisplay:
            Help(
                meaning: "Display that auto does not serve, by its id or its kernel name; repeatable.",
                form: "id",
                isList: true
            )
        case .defaultDisplay:
            Help(
                meaning: "Display for the paths without an id, such as /v1/brightness and /v1/boost.",
                form: "id",
                defaultText: "the first"
            )
        case .group:
            Help(
                meaning: """
                    Name for some displays, such as lobby=hall:*,lobby:*,tag:kiosk; repeatable. A pattern is the id \
                    of a display, with * for any characters, or a tag of a node. Commands for a group are below \
                    /v1/groups/NAME.
                    """,
                form: "name=pattern,…",
                values: "name=pattern,… with at most \(DisplaySelector.limit) patterns, such as lobby=hall:*",
                isList: true
            )
        case .minBrightness:
            Help(
                meaning: """
                    Minimum brightness, 0 to 1; at least one step, so that no screen goes dark. LEDs may be off.
                    """,
                form: "fraction",
                values: "a number from 0 to 1",
                defaultText: "0"
            )
        case .boostCap:
            Help(
                meaning: "Maximum brightness of a boost, 0 to 1.",
                form: "fraction",
                values: "a number from 0 to 1",
                defaultText: "1"
            )
        case .ddcWritesPerDay:
            Help(
                meaning: "Maximum number of writes per monitor and day, because writes wear monitors.",
                form: "count",
                defaultText: "\(MonitorSource.defaultWritesPerDay)"
            )
        case .ddcPower:
            Help(
                meaning: """
                    Monitor that may be switched off and on, by its id; repeatable. Try it by hand first: some \
                    monitors need a press of their own button to wake.
                    """,
                form: "id",
                isList: true
            )
        case .transition:
            Help(
                meaning: "Duration of a change, for requests without one.",
                form: "seconds",
                defaultText: "0"
            )
        case .auto:
            Help(
                meaning: """
                    Automatic brightness for displays whose automatic mode was never set: on or off. A mode that a \
                    client has set is kept.
                    """,
                form: "on|off",
                defaultText: "off"
            )
        case .autoHold:
            Help(
                meaning: """
                    Seconds for which automatic brightness does not change a display after a person has set it.
                    """,
                form: "seconds",
                defaultText: "\(AutomaticRules.defaultHold.components.seconds)"
            )
        case .autoCurve:
            Help(
                meaning: """
                    Brightness by ambient light for automatic brightness, before it has learned anything. Must not \
                    fall with more light.
                    """,
                form: "lux:fraction,…",
                defaultText: BrightnessCurve.defaultText
            )
        case .lightSensor:
            Help(
                meaning: """
                    URL of a light sensor in the room with a web server: ESPHome, lunarsensor or another brightnessd; \
                    repeatable. The path is /events if there is none; #NAME names one of the device's sensors. Needs \
                    libcurl.
                    """,
                form: "URL",
                values: "a URL like http://light.local or http://192.168.1.20/events#desk, without a password",
                isList: true
            )
        case .timeZone:
            Help(
                meaning: "Time zone of schedules, such as Europe/Berlin.",
                form: "name",
                values: "the name of a time zone that this machine knows, such as Europe/Berlin",
                defaultText: "the system's"
            )
        case .location:
            Help(
                meaning: """
                    Place of the machine in degrees north and east, such as 52.52,13.40, for schedules by sunrise \
                    and sunset. It is never published.
                    """,
                form: "latitude,longitude",
                values: "latitude,longitude in degrees, such as 52.52,13.40"
            )
        case .idleDim:
            Help(
                meaning: """
                    Dims displays to a brightness after this many seconds without activity, such as 300:0.2. Activity \
                    is input on the machine, a change by a client, or POST /v1/activity.
                    """,
                form: "seconds:fraction",
                values: "seconds from 1 to 86400, a colon and a fraction from 0 to 1, such as 300:0.2"
            )
        case .idleSleep:
            Help(
                meaning: """
                    Switches displays off after this many seconds without activity, where they can be switched. See \
                    --ddc-power for monitors.
                    """,
                form: "seconds",
                values: "a number from 1 to 86400"
            )
        case .presenceWake:
            Help(
                meaning: """
                    Keeps displays on while a proximity sensor has somebody near, and for this many seconds afterwards.
                    """,
                form: "seconds",
                values: "a number from 1 to 3600"
            )
        case .onExit:
            Help(
                meaning: """
                    Displays with leases after the daemon stops: restore the baseline, or keep boosts and dims. A \
                    sleep always ends.
                    """,
                form: "restore|keep",
                defaultText: "restore"
            )
        case .stateDirectory:
            Help(
                meaning: """
                    Directory for baselines, boosts and the history, so that they survive a crash; none keeps them \
                    in memory.
                    """,
                form: "directory|none",
                defaultText: StateDirectory.default ?? "none"
            )
        case .allowHost:
            Help(
                meaning: "Host name to serve in addition to IP addresses and localhost; repeatable.",
                form: "name",
                isList: true
            )
        case .allowOrigin:
            Help(
                meaning: """
                    Origin whose pages may change and watch displays, such as https://kiosk.example; repeatable. \
                    On loopback, pages of other local servers always may.
                    """,
                form: "origin",
                values:
                    "scheme://host[:port] without a path, such as https://kiosk.example",
                isList: true
            )
        case .mqtt:
            Help(
                meaning: """
                    MQTT broker URL. Publishes display state and accepts commands; the path is the prefix of the \
                    topics. mqtts uses TLS. &tags=floor1,kiosk adds words for the displays of this machine.
                    """,
                form: "mqtt[s]://[user@]host[:port][/prefix][?node=name]",
                defaultText: "none; path: \(BrokerURL.defaultPrefix); node: the machine's name"
            )
        case .mqttPasswordFile:
            Help(
                meaning: """
                    File whose first line is the password of the URL's user. Alternative: the password itself in \
                    \(BrokerSettings.passwordVariable).
                    """,
                form: "path"
            )
        case .mqttCaFile:
            Help(
                meaning: "CA certificates (PEM) used to verify the broker.",
                form: "path",
                defaultText: "the system's"
            )
        case .mqttDiscovery:
            Help(
                meaning: "Prefix of Home Assistant's discovery topics.",
                form: "prefix|none",
                defaultText: Discovery.defaultPrefix
            )
        case .mirror:
            Help(
                meaning: """
                    Another daemon at the broker whose displays are shown here, too, or every daemon of a prefix; \
                    repeatable.
                    """,
                form: "prefix/node|prefix/+",
                isList: true
            )
        case .mirrorLimit:
            Help(
                meaning: """
                    Maximum number of displays of other daemons, and of those daemons; each display takes memory.
                    """,
                form: "count",
                values: "a whole number from 1 to 100000",
                defaultText: "\(Bridge.defaultMirrorLimit)"
            )
        case .shards:
            Help(
                meaning: "Number of threads that serve connections.",
                form: "count",
                values: "a whole number from 1 to 256",
                defaultText: "one per core"
            )
        case .streamsPerClient:
            Help(
                meaning: """
                    Maximum number of event streams and WebSockets per client address; none disables the limit.
                    """,
                form: "count|none",
                defaultText: "\(ClientLimit.defaultStreams.count), and no limit on loopback"
            )
        case .connectionsPerClient:
            Help(
                meaning: """
                    Maximum number of connections per client address, without streams and WebSockets; none \
                    disables the limit.
                    """,
                form: "count|none",
                defaultText: "1024, at most half of a thread's capacity, and no limit on loopback"
            )
        case .connectsPerSecond:
            Help(
                meaning: """
                    Maximum number of new connections per second and client address, at most \
                    \(ClientLimit.largest). Bursts may be twice as large; none disables the limit.
                    """,
                form: "count|none",
                defaultText: "\(ClientLimit.defaultConnects.count), and no limit on loopback"
            )
        case .writesPerSecond:
            Help(
                meaning: """
                    Maximum number of changes per second and client (its token, else its address), at most \
                    \(ClientLimit.largest). Bursts may be twice as large; none disables the limit. All MQTT \
                    clients count as one.
                    """,
                form: "count|none",
                defaultText: "\(ClientLimit.defaultWrites.count), and no limit on loopback except for MQTT"
            )
        case .sysfsRoot:
            Help(meaning: "Mount point of sysfs.", form: "directory", defaultText: "/sys")
        case .logLevel:
            Help(
                meaning: """
                    Lowest level to log: trace, debug, info, notice, warning, error, critical. info reports who \
                    changed what, debug why a request was refused.
                    """,
                form: "level",
                values: "trace, debug, info, notice, warning, error or critical",
                defaultText: "info"
            )
        case .logFormat:
            Help(
                meaning: """
                    Form of the log: text with time stamps; json, one object per line; journal, with a priority and \
                    without time stamps.
                    """,
                form: "text|json|journal",
                defaultText: "journal under systemd, else text"
            )
        }
    }
}
