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
/// One declaration gives an option its flag and its variable, both made of the case's name, its line in `--help`, and its row in
/// `docs/reference/command-line.md`, which `make document` makes of `--help`.
package enum DaemonOption: String, CaseIterable, Sendable {
    case listen, unix, tokenFile, anonymous
    case display, excludeDisplay, defaultDisplay, minBrightness, boostCap, ddcWritesPerDay, transition
    case auto, autoHold, autoCurve
    case onExit, stateDirectory
    case allowHost, allowOrigin
    case mqtt, mqttPasswordFile, mqttCaFile, mqttDiscovery, mirror
    case shards, streamsPerClient, connectionsPerClient, connectsPerSecond, writesPerSecond
    case sysfsRoot, logLevel

    /// The flag without its dashes, such as `token-file`.
    package var name: String { texts.name }

    /// The environment variable, such as `BRIGHTNESSD_TOKEN_FILE`.
    package var variable: String { texts.variable }

    package var help: Help { texts.help }

    /// What `--help` shows of an option.
    package struct Help: Sendable {
        package let meaning: String
        /// The value's form.
        package let form: String
        /// What holds without the option, for people; `nil` for nothing.
        var defaultText: String?
        package var note: String?
        /// Whether it may be given more than once.
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

    /// Made once: the parser of the command line asks for them dozens of times at each start.
    private static let texts = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Texts($0)) })

    private var texts: Texts { Self.texts[self]! }

    private var declaration: Help {
        switch self {
        case .listen:
            Help(
                meaning: "The address to listen on. Port 0 takes a free one.",
                form: "host:port",
                defaultText: "\(Settings.defaultAddress)",
                note: "Beyond loopback only together with --token-file or --anonymous."
            )
        case .unix:
            Help(
                meaning: """
                    A Unix socket to listen on, too. The owner of its file may do everything, its group may change things, others \
                    may look.
                    """,
                form: "path"
            )
        case .tokenFile:
            Help(
                meaning: """
                    Who may do what: one name:scopes:secret a line, scopes of read, write, admin; sha256:DIGEST may stand for a \
                    secret. Read again at SIGHUP.
                    """,
                form: "path"
            )
        case .anonymous:
            Help(
                meaning: "What somebody without a token may do: read or write.",
                form: "read|write",
                defaultText: "write on loopback, nothing with --token-file"
            )
        case .display:
            Help(
                meaning: """
                    A display to serve; repeatable. auto: the machine's backlights, also those that come later, and monitors, or \
                    a simulated display while there is none. none: only those of other daemons, see --mirror. brightnessd probe \
                    lists what there is. NAME is the kernel's name or the display's id.
                    """,
                form: "auto|backlight:NAME|led:NAME|ddc:ID|simulated[:NAME]|none",
                defaultText: "auto",
                isList: true
            )
        case .excludeDisplay:
            Help(
                meaning: "A display that auto does not take, by its id or its kernel name; repeatable.",
                form: "id",
                isList: true
            )
        case .defaultDisplay:
            Help(
                meaning: "The display that /v1/brightness, /v1/boost and /v1/restore mean.",
                form: "id",
                defaultText: "the first"
            )
        case .minBrightness:
            Help(
                meaning: """
                    The dimmest that is ever set, 0 to 1; at least one step, so that no screen goes dark. LEDs may be off.
                    """,
                form: "fraction",
                defaultText: "0"
            )
        case .boostCap:
            Help(meaning: "The brightest that a boost sets, 0 to 1.", form: "fraction", defaultText: "1")
        case .ddcWritesPerDay:
            Help(
                meaning: "How often a monitor may be written in a day, since that wears it.",
                form: "count",
                defaultText: "\(MonitorSource.defaultWritesPerDay)"
            )
        case .transition:
            Help(
                meaning: "How long a display takes to change where a request does not say.",
                form: "seconds",
                defaultText: "0"
            )
        case .auto:
            Help(
                meaning: """
                    Automatic brightness for displays whose automatic mode was never set: on or off. A display that was switched \
                    keeps its mode.
                    """,
                form: "on|off",
                defaultText: "off"
            )
        case .autoHold:
            Help(
                meaning: "For how many seconds automatic brightness leaves a display alone after somebody has set it.",
                form: "seconds",
                defaultText: "\(AutomaticRules.defaultHold.components.seconds)"
            )
        case .autoCurve:
            Help(
                meaning: """
                    How bright automatic brightness makes a display in how much light, before it has learned anything: more \
                    light, and never dimmer.
                    """,
                form: "lux:fraction,…",
                defaultText: BrightnessCurve.defaultText
            )
        case .onExit:
            Help(
                meaning: "What to do with boosted displays at the end: restore or keep.",
                form: "restore|keep",
                defaultText: "restore"
            )
        case .stateDirectory:
            Help(
                meaning: """
                    Where baselines, boosts and the history are kept, so that they survive a crash; none keeps them in memory.
                    """,
                form: "directory|none",
                defaultText: StateDirectory.default ?? "none"
            )
        case .allowHost:
            Help(
                meaning: "A host name to serve beside IP addresses and localhost; repeatable.",
                form: "name",
                isList: true
            )
        case .allowOrigin:
            Help(
                meaning: """
                    An origin whose pages may change and watch, such as https://kiosk.example; repeatable. On loopback, pages \
                    of other local servers may anyway.
                    """,
                form: "origin",
                isList: true
            )
        case .mqtt:
            Help(
                meaning: """
                    MQTT broker URL. Publishes display state and accepts commands; the path is the prefix of the topics. mqtts uses \
                    TLS.
                    """,
                form: "mqtt[s]://[user@]host[:port][/prefix][?node=name]",
                defaultText: "none; of the path: \(BrokerURL.usualPrefix); of node: the machine's name"
            )
        case .mqttPasswordFile:
            Help(
                meaning: """
                    A file whose first line is the password of the URL's user. \(BrokerSettings.passwordVariable) may hold the \
                    password itself.
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
                meaning: "The prefix of the topics by which Home Assistant finds devices.",
                form: "prefix|none",
                defaultText: Discovery.defaultPrefix
            )
        case .mirror:
            Help(
                meaning: """
                    Another daemon at the broker whose displays are shown here, too, or every one of a prefix; repeatable.
                    """,
                form: "prefix/node|prefix/+",
                isList: true
            )
        case .shards:
            Help(meaning: "Threads that serve.", form: "count", defaultText: "one a core")
        case .streamsPerClient:
            Help(
                meaning: "How many event streams and WebSockets one address may hold; none is no limit.",
                form: "count|none",
                defaultText: "\(ClientLimit.usualStreams.count), and no limit on loopback"
            )
        case .connectionsPerClient:
            Help(
                meaning: """
                    How many connections one address may have, streams and WebSockets not counted; none is no limit.
                    """,
                form: "count|none",
                defaultText: "1024, at most half of what a thread has room for, and no limit on loopback"
            )
        case .connectsPerSecond:
            Help(
                meaning: """
                    How often one address may connect a second, at most \(ClientLimit.largest); twice as many may come at once; \
                    none is no limit.
                    """,
                form: "count|none",
                defaultText: "\(ClientLimit.usualConnects.count), and no limit on loopback"
            )
        case .writesPerSecond:
            Help(
                meaning: """
                    Changes per second that one client (by its token, else its address) may make, at most \
                    \(ClientLimit.largest); twice as many may come at once; none is no limit. All who ask over MQTT are one client.
                    """,
                form: "count|none",
                defaultText: "\(ClientLimit.defaultWrites.count), and no limit on loopback but for MQTT"
            )
        case .sysfsRoot:
            Help(meaning: "Where sysfs is mounted.", form: "directory", defaultText: "/sys")
        case .logLevel:
            Help(
                meaning: "What to log: trace, debug, info, notice, warning, error, critical.",
                form: "level",
                defaultText: "info"
            )
        }
    }
}
