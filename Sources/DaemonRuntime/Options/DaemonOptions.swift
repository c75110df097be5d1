// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
package import HTTPServer
import Journal
package import WebAPI

/// The options of the daemon, in the order of `--help`.
///
/// A property declares all there is of an option: flag, variable, form, default, help and type. `Settings` has sections
/// and properties of the same names with the values; `make document` writes `docs/reference/command-line.md` from
/// `--help`.
package struct DaemonOptions: Sendable {
    package static let declared = DaemonOptions()

    package static let sections: [(type: any OptionSection.Type, options: [any DeclaredOption])] =
        Mirror(reflecting: declared).children.compactMap { $0.value as? any OptionSection }.map { section in
            (type(of: section), Mirror(reflecting: section).children.compactMap { $0.value as? any DeclaredOption })
        }

    package static let all = sections.flatMap(\.options)

    package let access = AccessOptions()
    let displays = DisplayOptions()
    let automatic = AutomaticOptions()
    let presence = PresenceOptions()
    package let state = StateOptions()
    let pages = PageOptions()
    let mqtt = BrokerOptions()
    package let homeAssistant = HomeAssistantOptions()
    let load = LoadOptions()
    package let system = SystemOptions()
}

/// Options under one title of `--help`.
package protocol OptionSection: Sendable {
    static var title: String { get }
}

package struct AccessOptions: OptionSection {
    package static let title = "Access"

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
}

struct AutomaticOptions: OptionSection {
    static let title = "Automatic brightness"

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
    .map { sensors throws(OptionError) in
        guard Set(sensors).count == sensors.count else { throw OptionError("--light-sensor has the same URL twice") }
        guard sensors.count <= LightDeviceURL.limit else {
            throw OptionError("--light-sensor accepts at most \(LightDeviceURL.limit) URLs")
        }
        return sensors
    }
}

struct PresenceOptions: OptionSection {
    static let title = "Schedules, idle and presence"

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
        in: 1...86_400
    )

    let presenceWake = DaemonOption.seconds(
        "presence-wake",
        "Keeps displays on while a proximity sensor reports somebody near, and for this many seconds afterwards.",
        in: 1...Double(LeaseKind.wake.longestTTL.components.seconds)
    )
}

/// Accepts `SECONDS:FRACTION`.
private func dim(in text: String) -> IdleRules.Dim? {
    guard let (seconds, fraction) = text.halves(at: ":"), let after = Duration.seconds(seconds, in: 1...86_400),
        let brightness = Double(fraction).flatMap({ Brightness(fraction: $0) })
    else { return nil }
    return IdleRules.Dim(after: after, brightness: brightness)
}

package struct StateOptions: OptionSection {
    package static let title = "State"

    let onExit = DaemonOption(
        "on-exit",
        """
        State of displays with leases after the daemon stops: restore returns to the baseline, keep leaves boosts and \
        dims. A sleep always ends.
        """,
        form: "restore|keep",
        default: "restore"
    ) { Restoring(rawValue: $0) }

    let onBoot = DaemonOption(
        "on-boot",
        """
        Brightness after a restart of the machine: restore returns to the previous baseline, keep leaves the value \
        that the firmware or the system has set.
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
}

/// Whether displays return to their baselines after a restart of the machine, or when the daemon stops.
enum Restoring: String, Sendable {
    case restore, keep
}

struct PageOptions: OptionSection {
    static let title = "Pages"

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
}

/// Accepts an origin as browsers send it, and with a slash at the end. Browsers send it without, in lower case.
private func origin(in text: String) -> String? {
    guard let scheme = text.firstRange(of: "://"), scheme.lowerBound > text.startIndex else { return nil }
    var host = text[scheme.upperBound...]
    if host.hasSuffix("/") { host.removeLast() }
    guard !host.isEmpty, !host.contains(where: { "/?#@* ".contains($0) }) else { return nil }
    return "\(text[..<scheme.upperBound])\(host)".lowercased()
}

struct LoadOptions: OptionSection {
    static let title = "Load"

    let shards = DaemonOption(
        "shards",
        "Number of threads that serve connections.",
        form: "count",
        values: "a whole number from 1 to 256",
        stated: "one per core"
    ) { Int($0, in: 1...256) }

    let limit = DaemonOption(
        list: "limit",
        "Limit of clients or of mirrored displays, such as writes=20; repeatable. \(Limits.meaning)",
        form: "name=count|none",
        values: Limits.values,
        read: Limits.change(from:)
    ).map { changes in changes.reduce(into: Limits()) { limits, change in change(&limits) } }
}

package struct SystemOptions: OptionSection {
    package static let title = "System"

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
        debug why a request was rejected.
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
