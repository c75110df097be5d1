// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore
import Devices
import HTTPServer
import Journal
import MQTT
import MQTTBridge
import WebAPI

/// The flags of `serve`, as text. `Settings` reads them, together with the environment.
struct ServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address to listen on. Port 0 takes a free one. [env: BRIGHTNESSD_LISTEN; default: 127.0.0.1:8787]",
            discussion: "Beyond loopback only together with --token-file or --anonymous.",
            valueName: "host:port"
        )
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            """
            A Unix socket to listen on, too. The owner of its file may do everything, its group may change things, others may \
            look. [env: BRIGHTNESSD_UNIX]
            """,
            valueName: "path"
        )
    )
    var unix: String?

    @Option(
        help: ArgumentHelp(
            """
            Who may do what: one name:scopes:secret a line, scopes of read, write, admin; sha256:DIGEST may stand for a \
            secret. Read again at SIGHUP. [env: BRIGHTNESSD_TOKEN_FILE]
            """,
            valueName: "path"
        )
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            """
            What somebody without a token may do: read or write. [env: BRIGHTNESSD_ANONYMOUS; default: write on \
            loopback, nothing with --token-file]
            """,
            valueName: "read|write"
        )
    )
    var anonymous: String?

    @Option(
        help: ArgumentHelp(
            """
            A display to serve; repeatable. auto: the machine's backlights, also those that come later, and monitors, or \
            a simulated display while there is none. none: only those of other daemons, see --mirror. brightnessd probe \
            lists what there is. NAME is the kernel's name or the display's id. [env: BRIGHTNESSD_DISPLAY, with commas; default: auto]
            """,
            valueName: "auto|backlight:NAME|led:NAME|ddc:ID|simulated[:NAME]|none"
        )
    )
    var display: [String] = []

    @Option(
        help: ArgumentHelp(
            "A display that auto does not take, by its id or its kernel name; repeatable. [env: BRIGHTNESSD_EXCLUDE_DISPLAY, with commas]",
            valueName: "id"
        )
    )
    var excludeDisplay: [String] = []

    @Option(
        help: ArgumentHelp(
            "The display that /v1/brightness, /v1/boost and /v1/restore mean. [env: BRIGHTNESSD_DEFAULT_DISPLAY; default: the first]",
            valueName: "id"
        )
    )
    var defaultDisplay: String?

    @Option(
        help: ArgumentHelp(
            "The dimmest that is ever set, 0 to 1; at least one step, so that no screen goes dark. LEDs may be off. [env: BRIGHTNESSD_MIN_BRIGHTNESS; default: 0]",
            valueName: "fraction"
        )
    )
    var minBrightness: String?

    @Option(
        help: ArgumentHelp(
            "The brightest that a boost sets, 0 to 1. [env: BRIGHTNESSD_BOOST_CAP; default: 1]",
            valueName: "fraction"
        )
    )
    var boostCap: String?

    @Option(
        help: ArgumentHelp(
            "How often a monitor may be written in a day, since that wears it. [env: BRIGHTNESSD_DDC_WRITES_PER_DAY; default: \(MonitorSource.usualWritesPerDay)]",
            valueName: "count"
        )
    )
    var ddcWritesPerDay: String?

    @Option(
        help: ArgumentHelp(
            "How long a display takes to change where a request does not say. [env: BRIGHTNESSD_TRANSITION; default: 0]",
            valueName: "seconds"
        )
    )
    var transition: String?

    @Option(
        help: ArgumentHelp(
            """
            Automatic brightness for displays whose automatic mode was never set: on or off. A display that was switched \
            keeps its mode. [env: BRIGHTNESSD_AUTO; default: off]
            """,
            valueName: "on|off"
        )
    )
    var auto: String?

    @Option(
        help: ArgumentHelp(
            """
            For how many seconds automatic brightness leaves a display alone after somebody has set it. \
            [env: BRIGHTNESSD_AUTO_HOLD; default: 1800]
            """,
            valueName: "seconds"
        )
    )
    var autoHold: String?

    @Option(
        help: ArgumentHelp(
            """
            How bright automatic brightness makes a display in how much light, before it has learned anything: more \
            light, and never dimmer. [env: BRIGHTNESSD_AUTO_CURVE; default: \(BrightnessCurve.usualText)]
            """,
            valueName: "lux:fraction,…"
        )
    )
    var autoCurve: String?

    @Option(
        help: ArgumentHelp(
            "What to do with boosted displays at the end: restore or keep. [env: BRIGHTNESSD_ON_EXIT; default: restore]",
            valueName: "restore|keep"
        )
    )
    var onExit: String?

    @Option(
        help: ArgumentHelp(
            """
            Where baselines, boosts and the history are kept, so that they survive a crash; none keeps them in memory. \
            [env: BRIGHTNESSD_STATE_DIRECTORY; default: \(StateDirectory.usual ?? "none")]
            """,
            valueName: "directory|none"
        )
    )
    var stateDirectory: String?

    @Option(
        help: ArgumentHelp(
            "A host name to serve beside IP addresses and localhost; repeatable. [env: BRIGHTNESSD_ALLOW_HOST, with commas]",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            An origin whose pages may change and watch, such as https://kiosk.example; repeatable. On loopback, pages \
            of other local servers may anyway. [env: BRIGHTNESSD_ALLOW_ORIGIN, with commas]
            """,
            valueName: "origin"
        )
    )
    var allowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            MQTT broker URL. Publishes display state and accepts commands; the path is the prefix of the topics. mqtts uses \
            TLS. [env: BRIGHTNESSD_MQTT; default: none; of the path: \(BrokerURL.usualPrefix); of node: the \
            machine's name]
            """,
            valueName: "mqtt[s]://[user@]host[:port][/prefix][?node=name]"
        )
    )
    var mqtt: String?

    @Option(
        help: ArgumentHelp(
            """
            A file whose first line is the password of the URL's user. BRIGHTNESSD_MQTT_PASSWORD may hold the password \
            itself. [env: BRIGHTNESSD_MQTT_PASSWORD_FILE]
            """,
            valueName: "path"
        )
    )
    var mqttPasswordFile: String?

    @Option(
        help: ArgumentHelp(
            """
            CA certificates (PEM) used to verify the broker. [env: BRIGHTNESSD_MQTT_CA_FILE; default: the system's]
            """,
            valueName: "path"
        )
    )
    var mqttCaFile: String?

    @Option(
        help: ArgumentHelp(
            """
            The prefix of the topics by which Home Assistant finds devices. \
            [env: BRIGHTNESSD_MQTT_DISCOVERY; default: \(Discovery.usualPrefix)]
            """,
            valueName: "prefix|none"
        )
    )
    var mqttDiscovery: String?

    @Option(
        help: ArgumentHelp(
            """
            Another daemon at the broker whose displays are shown here, too, or every one of a prefix; repeatable. \
            [env: BRIGHTNESSD_MIRROR, with commas]
            """,
            valueName: "prefix/node|prefix/+"
        )
    )
    var mirror: [String] = []

    @Option(
        help: ArgumentHelp(
            "Threads that serve. [env: BRIGHTNESSD_SHARDS; default: one a core]",
            valueName: "count"
        )
    )
    var shards: String?

    @Option(
        help: ArgumentHelp(
            """
            How many event streams and WebSockets one address may hold; none is no limit. \
            [env: BRIGHTNESSD_STREAMS_PER_CLIENT; default: \(ClientLimit.usualStreams.count), and no limit on loopback]
            """,
            valueName: "count|none"
        )
    )
    var streamsPerClient: String?

    @Option(
        help: ArgumentHelp(
            """
            How many connections one address may have, streams and WebSockets not counted; none is no limit. \
            [env: BRIGHTNESSD_CONNECTIONS_PER_CLIENT; default: 1024, at most half of what a thread has room for, and no limit on \
            loopback]
            """,
            valueName: "count|none"
        )
    )
    var connectionsPerClient: String?

    @Option(
        help: ArgumentHelp(
            """
            How often one address may connect a second, at most \(ClientLimit.largest); twice as many may come at once; \
            none is no limit. \
            [env: BRIGHTNESSD_CONNECTS_PER_SECOND; default: \(ClientLimit.usualConnects.count), and no limit on loopback]
            """,
            valueName: "count|none"
        )
    )
    var connectsPerSecond: String?

    @Option(
        help: ArgumentHelp(
            """
            Changes per second that one client (by its token, else its address) may make, at most \
            \(ClientLimit.largest); twice as many may come at once; none is no limit. All who ask over MQTT are one client. [env: BRIGHTNESSD_WRITES_PER_SECOND; \
            default: \(ClientLimit.usualWrites.count), and no limit on loopback but for MQTT]
            """,
            valueName: "count|none"
        )
    )
    var writesPerSecond: String?

    @Option(
        help: ArgumentHelp(
            "Where sysfs is mounted. [env: BRIGHTNESSD_SYSFS_ROOT; default: /sys]",
            valueName: "directory"
        )
    )
    var sysfsRoot: String?

    @Option(
        help: ArgumentHelp(
            "What to log: trace, debug, info, notice, warning, error, critical. [env: BRIGHTNESSD_LOG_LEVEL; default: info]",
            valueName: "level"
        )
    )
    var logLevel: String?
}
