// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Devices
package import HTTPServer
import Journal
import LightDevices
import WebAPI

/// The parsed and validated options.
package struct Settings: Sendable {
    enum OnExit: String, Sendable {
        case restore, keep
    }

    package static let defaultAddress = ListenAddress("127.0.0.1:8787")!

    /// The address to listen on, unless the service manager passed a socket.
    let address: ListenAddress
    /// The path of the Unix socket; `nil` for none.
    let unixPath: String?
    let inherited: [InheritedSocket]
    /// Whether other machines cannot connect.
    let isOnLoopback: Bool
    /// The access without a token; `nil` for none.
    let anonymous: AccessPolicy.Anonymous?
    let tokenFile: TokenFile?
    let displays: [DisplaySelection]
    let excluded: Set<DisplayID>
    let defaultDisplay: DisplayID?
    let groups: DisplayGroups
    let minimum: Brightness
    let cap: Brightness
    let transition: Duration
    let writesPerDay: Int
    let switchableMonitors: Set<DisplayID>
    let automatic: AutomaticRules
    /// The light sensors that are read by URL.
    let lightSensors: [LightDeviceURL]
    /// The time zone of schedules; `nil` for the system's.
    let timeZone: String?
    /// The place for sunrise and sunset; `nil` if it is unknown.
    let location: Location?
    /// What happens to displays while nobody uses the machine.
    let idle: IdleRules
    /// How long displays stay on after somebody was near; `nil` without presence.
    let presenceWake: Duration?
    let onExit: OnExit
    /// `nil` keeps state in memory only.
    let stateDirectory: String?
    let hosts: [String]
    let origins: [String]
    let shards: Int?
    let streamLimit: ClientLimit
    /// `nil` derives the limit from the available descriptors.
    let connectionLimit: ClientLimit?
    let connectLimit: ClientLimit
    let writeLimit: ClientLimit
    /// The quota for the commands of all clients of the broker together; `nil` without a limit.
    var commandQuota: WriteQuota? { writeLimit.count < .max ? WriteQuota(perSecond: writeLimit.count) : nil }
    let sysfsRoot: String
    /// `nil` without a broker.
    let broker: BrokerSettings?
    let logLevel: Logger.Level
    let logFormat: LogFormat

    init(_ options: OptionValues, inherited: [InheritedSocket] = []) throws(OptionError) {
        self.inherited = inherited
        address = try options.value(.listen) { ListenAddress($0) } ?? Self.defaultAddress
        unixPath = try options.text(.unix)
        let anonymous = try options.value(.anonymous) { AccessPolicy.Anonymous(rawValue: $0) }
        tokenFile = try options.value(.tokenFile) { $0.isEmpty ? nil : TokenFile($0) }
        displays = try options.values(.display) { DisplaySelection($0) }
        excluded = Set(try options.values(.excludeDisplay, read: Self.id(of:)))
        defaultDisplay = try options.value(.defaultDisplay) { DisplayID($0) }
        groups = try Self.groups(options)
        minimum = try options.value(.minBrightness, read: Self.brightness) ?? Self.dimmest
        cap = try options.value(.boostCap, read: Self.brightness) ?? .full
        transition = try options.value(.transition, read: Self.duration) ?? .zero
        switchableMonitors = Set(try options.values(.ddcPower) { DisplayID($0) })
        writesPerDay = try options.value(.ddcWritesPerDay, read: Self.count) ?? MonitorSource.defaultWritesPerDay
        automatic = AutomaticRules(
            isDefault: try options.value(.auto) { Self.switches[$0] } ?? false,
            hold: try options.value(.autoHold, read: Self.hold) ?? AutomaticRules.defaultHold,
            curve: try options.value(.autoCurve) { BrightnessCurve($0) } ?? .default
        )
        lightSensors = try Self.lightSensors(options)
        timeZone = try options.value(.timeZone) { LocalTime.exists($0) ? $0 : nil }
        location = try Self.location(options)
        idle = IdleRules(
            dim: try options.value(.idleDim, read: Self.idleDim),
            sleepAfter: try options.value(.idleSleep) { Self.seconds($0, upTo: 86_400) }
        )
        presenceWake = try options.value(.presenceWake) { text in
            Self.seconds(text, upTo: Double(LeaseKind.wake.longestTTL.components.seconds))
        }
        onExit = try options.value(.onExit) { OnExit(rawValue: $0) } ?? .restore
        let state = try options.text(.stateDirectory)
        stateDirectory = state == "none" ? nil : state ?? StateDirectory.default
        hosts = try options.values(.allowHost) { $0.isEmpty ? nil : $0 }
        origins = try options.values(.allowOrigin, read: Self.origin)
        shards = try options.value(.shards) { Int($0).flatMap { (1...256).contains($0) ? $0 : nil } }
        streamLimit = try options.value(.streamsPerClient, read: Self.limit) ?? .defaultStreams
        connectionLimit = try options.value(.connectionsPerClient, read: Self.limit)
        connectLimit = try options.value(.connectsPerSecond, read: Self.limit) ?? .defaultConnects
        writeLimit = try options.value(.writesPerSecond, read: Self.limit) ?? .defaultWrites
        sysfsRoot = try options.text(.sysfsRoot) ?? "/sys"
        broker = try BrokerSettings(options)
        logLevel = try options.value(.logLevel) { Logger.Level(rawValue: $0) } ?? .info
        logFormat = try options.value(.logFormat) { LogFormat(rawValue: $0) } ?? .ofThisProcess

        let addresses = inherited.compactMap { if case .network(let address) = $0.place { address } else { nil } }
        let reachable = (addresses.isEmpty ? [address] : addresses).first { !$0.isLoopback }
        isOnLoopback = reachable == nil
        if let reachable, anonymous == nil, tokenFile == nil {
            throw OptionError(
                """
                \(reachable) can be reached from other machines, and clients would need no token. Issue tokens with \
                --token-file, or choose --anonymous read (every client may read) or --anonymous write (every client \
                may change the brightness and end every boost), or listen on 127.0.0.1.
                """
            )
        }
        self.anonymous = anonymous ?? (tokenFile == nil ? .write : nil)
    }

    var server: Server.Configuration {
        Server.Configuration(
            address: address,
            unixPath: unixPath,
            inherited: inherited,
            shards: shards,
            clientLimit: streamLimit,
            clientConnections: connectionLimit,
            clientConnects: connectLimit
        )
    }

    func access(for tokens: TokenStore?) -> AccessPolicy {
        AccessPolicy(
            hosts: hosts,
            origins: origins,
            anonymous: anonymous,
            tokens: tokens,
            isOnLoopback: isOnLoopback
        )
    }

    /// The variable contains the groups with commas, as their patterns: a part with `=` begins a group.
    private static func groups(_ options: OptionValues) throws(OptionError) -> DisplayGroups {
        let groups = try options.values(
            .group,
            separatedBy: { text in
                text.split(separator: ",").reduce(into: []) { groups, part in
                    if part.contains("=") || groups.isEmpty {
                        groups.append(String(part))
                    } else {
                        groups[groups.count - 1] += ",\(part.split(separator: " ").joined())"
                    }
                }
            },
            read: { DisplayGroup($0) }
        )
        do {
            return try DisplayGroups(groups)
        } catch {
            switch error {
            case .tooMany: throw OptionError("at most \(DisplayGroups.limit) groups are possible (--group)")
            case .twice(let name): throw OptionError("the group \(name.text) is there twice (--group)")
            }
        }
    }

    private static let dimmest = Brightness(clamping: 0)

    private static let switches = ["on": true, "off": false]

    /// Accepts an id, or the kernel's name from which the id is derived.
    private static func id(of text: String) -> DisplayID? { KernelName(text).map { DisplayID(deviceName: $0.text) } }

    /// Accepts an origin as browsers send it, and with a slash at the end. Browsers send it without, in lower case.
    private static func origin(_ text: String) -> String? {
        guard let scheme = text.firstRange(of: "://"), scheme.lowerBound > text.startIndex else { return nil }
        var host = text[scheme.upperBound...]
        if host.hasSuffix("/") { host.removeLast() }
        guard !host.isEmpty, !host.contains(where: { "/?#@* ".contains($0) }) else { return nil }
        return "\(text[..<scheme.upperBound])\(host)".lowercased()
    }

    /// Accepts numbers from 1 on.
    private static func count(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

    private static func limit(_ text: String) -> ClientLimit? {
        if text == "none" { return ClientLimit(.max) }
        return count(text).flatMap { $0 <= ClientLimit.largest ? ClientLimit($0) : nil }
    }

    private static func hold(_ text: String) -> Duration? {
        let longest = Double(AutomaticRules.longestHold.components.seconds)
        return Double(text).flatMap { (0...longest).contains($0) ? .seconds($0) : nil }
    }

    /// The variable contains a comma, as lists do.
    private static func location(_ options: OptionValues) throws(OptionError) -> Location? {
        try options.value(.location) { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
                .map { Double($0.split(separator: " ").joined()) }
            guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
            return Location(latitude: latitude, longitude: longitude)
        }
    }

    private static func lightSensors(_ options: OptionValues) throws(OptionError) -> [LightDeviceURL] {
        let urls = try options.values(.lightSensor) { LightDeviceURL($0) }
        guard Set(urls).count == urls.count else { throw OptionError("--light-sensor has the same URL twice") }
        guard urls.count <= LightDeviceURL.limit else {
            throw OptionError("--light-sensor accepts at most \(LightDeviceURL.limit) URLs")
        }
        return urls
    }

    /// Accepts `SECONDS:FRACTION`.
    private static func idleDim(_ text: String) -> IdleRules.Dim? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 2, let after = seconds(parts[0], upTo: 86_400), let fraction = brightness(parts[1]) else {
            return nil
        }
        return IdleRules.Dim(after: after, brightness: fraction)
    }

    private static func seconds(_ text: String, upTo most: Double) -> Duration? {
        Double(text).flatMap { (1...most).contains($0) ? .seconds($0) : nil }
    }

    private static func duration(_ text: String) -> Duration? {
        Double(text).flatMap { (0...3_600).contains($0) ? .seconds($0) : nil }
    }

    private static func brightness(_ text: String) -> Brightness? {
        Double(text).flatMap { Brightness(fraction: $0) }
    }
}
