// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessAPI
import BrightnessCore
import Devices
import HTTPServer
import Journal
import Logging
import WebAPI

/// What the daemon was told, read and checked.
struct Settings {
    enum OnExit: String {
        case restore, keep
    }

    static let usualAddress = ListenAddress("127.0.0.1:8787")!

    /// Where to listen, if no address was inherited.
    let address: ListenAddress
    /// Where a Unix socket is to be; `nil` for none.
    let unixPath: String?
    let inherited: [InheritedSocket]
    /// No other machine can reach it.
    let isOnLoopback: Bool
    /// `nil` for nothing.
    let anonymous: AccessPolicy.Anonymous?
    let tokenFile: TokenFile?
    let displays: [DisplaySelection]
    let excluded: Set<DisplayID>
    let defaultDisplay: DisplayID?
    let minimum: Brightness
    let cap: Brightness
    let transition: Duration
    let writesPerDay: Int
    let automatic: AutomaticRules
    let onExit: OnExit
    /// `nil` for memory only.
    let stateDirectory: String?
    let hosts: [String]
    let origins: [String]
    let shards: Int?
    let streamLimit: ClientLimit
    /// `nil` for what suits the descriptors.
    let connectionLimit: ClientLimit?
    let connectLimit: ClientLimit
    let writeLimit: ClientLimit
    /// Of the commands of all the broker's clients together; `nil` for any number.
    var commandQuota: WriteQuota? { writeLimit.count < .max ? WriteQuota(perSecond: writeLimit.count) : nil }
    let sysfsRoot: String
    /// `nil` for none.
    let broker: BrokerSettings?
    let logLevel: Logger.Level

    init(
        _ options: ServeOptions,
        _ environment: Environment = Environment(),
        inherited: [InheritedSocket] = []
    ) throws {
        self.inherited = inherited
        address = try environment.value("listen", options.listen) { ListenAddress($0) } ?? Self.usualAddress
        unixPath = try environment.value("unix", options.unix) { $0.isEmpty ? nil : $0 }
        let anonymous = try environment.value("anonymous", options.anonymous) { AccessPolicy.Anonymous(rawValue: $0) }
        tokenFile = try environment.value("token-file", options.tokenFile) { $0.isEmpty ? nil : TokenFile($0) }
        displays = try environment.values("display", options.display) { DisplaySelection($0) }
        excluded = Set(try environment.values("exclude-display", options.excludeDisplay, read: Self.id(of:)))
        defaultDisplay = try environment.value("default-display", options.defaultDisplay) { DisplayID($0) }
        minimum = try environment.value("min-brightness", options.minBrightness, read: Self.brightness) ?? Self.dimmest
        cap = try environment.value("boost-cap", options.boostCap, read: Self.brightness) ?? .full
        transition = try environment.value("transition", options.transition, read: Self.duration) ?? .zero
        writesPerDay =
            try environment.value("ddc-writes-per-day", options.ddcWritesPerDay, read: Self.count)
            ?? MonitorSource.usualWritesPerDay
        automatic = AutomaticRules(
            isUsual: try environment.value("auto", options.auto) { Self.switches[$0] } ?? false,
            hold: try environment.value("auto-hold", options.autoHold, read: Self.hold) ?? AutomaticRules.usualHold,
            curve: try environment.value("auto-curve", options.autoCurve) { BrightnessCurve($0) } ?? .usual
        )
        onExit = try environment.value("on-exit", options.onExit) { OnExit(rawValue: $0) } ?? .restore
        let state = try environment.value("state-directory", options.stateDirectory) { $0.isEmpty ? nil : $0 }
        stateDirectory = state == "none" ? nil : state ?? StateDirectory.usual
        hosts = try environment.values("allow-host", options.allowHost) { $0.isEmpty ? nil : $0 }
        origins = try environment.values("allow-origin", options.allowOrigin) { $0.contains("://") ? $0 : nil }
        shards = try environment.value("shards", options.shards) {
            Int($0).flatMap { (1...256).contains($0) ? $0 : nil }
        }
        streamLimit =
            try environment.value("streams-per-client", options.streamsPerClient, read: Self.limit) ?? .usualStreams
        connectionLimit = try environment.value(
            "connections-per-client",
            options.connectionsPerClient,
            read: Self.limit
        )
        connectLimit =
            try environment.value("connects-per-second", options.connectsPerSecond, read: Self.limit) ?? .usualConnects
        writeLimit =
            try environment.value("writes-per-second", options.writesPerSecond, read: Self.limit) ?? .usualWrites
        sysfsRoot = try environment.value("sysfs-root", options.sysfsRoot) { $0.isEmpty ? nil : $0 } ?? "/sys"
        broker = try BrokerSettings(options, environment)
        logLevel = try environment.value("log-level", options.logLevel) { Logger.Level(rawValue: $0) } ?? .info

        let addresses = inherited.compactMap { if case .network(let address) = $0.place { address } else { nil } }
        let reachable = (addresses.isEmpty ? [address] : addresses).first { !$0.isLoopback }
        isOnLoopback = reachable == nil
        if let reachable, anonymous == nil, tokenFile == nil {
            throw ValidationError(
                """
                \(reachable) can be reached from other machines, and nobody would be asked who they are. Give out tokens \
                with --token-file, or say --anonymous read (everybody may look) or --anonymous write (everybody may \
                change the brightness), or listen on 127.0.0.1.
                """
            )
        }
        self.anonymous = anonymous ?? (tokenFile == nil ? .write : nil)
    }

    private static let dimmest = Brightness(clamping: 0)

    private static let switches = ["on": true, "off": false]

    /// An id, or the kernel's name that it is made of.
    private static func id(of text: String) -> DisplayID? { KernelName(text).map { DisplayID(deviceName: $0.text) } }

    /// At least 1.
    private static func count(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

    private static func limit(_ text: String) -> ClientLimit? {
        if text == "none" { return ClientLimit(.max) }
        return count(text).flatMap { $0 <= ClientLimit.largest ? ClientLimit($0) : nil }
    }

    private static func hold(_ text: String) -> Duration? {
        let longest = Double(AutomaticRules.longestHold.components.seconds)
        return Double(text).flatMap { (0...longest).contains($0) ? .seconds($0) : nil }
    }

    private static func duration(_ text: String) -> Duration? {
        Double(text).flatMap { (0...3_600).contains($0) ? .seconds($0) : nil }
    }

    private static func brightness(_ text: String) -> Brightness? {
        Double(text).flatMap { Brightness(fraction: $0) }
    }
}
