// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import HTTPServer
import Support
import WebAPI

/// The options' values, and what follows from several of them.
@dynamicMemberLookup
struct Settings: Sendable {
    let options: OptionValues
    let inherited: [InheritedSocket]
    /// The address to listen on. With sockets from the service manager no other is opened unless an option names it.
    let address: ListenAddress?
    /// Whether other machines cannot connect.
    let isOnLoopback: Bool
    let groups: DisplayGroups
    /// The leader of each display that follows another one.
    let leaders: [DisplayID: DisplayID]
    /// `nil` without a broker.
    let broker: BrokerSettings?
    /// `nil` without a server for ESPHome clients.
    let esphome: ESPHomeSettings?

    init(_ texts: OptionTexts, inherited: [InheritedSocket] = []) throws(OptionError) {
        self.inherited = inherited
        options = try OptionValues(texts)
        groups = try Self.groups(options.group)
        leaders = try Self.leaders(options.follow)
        try Self.check(options.lightSensor)
        broker = try BrokerSettings(options, secret: texts.variable(BrokerSettings.passwordVariable))
        esphome = try ESPHomeSettings(options, groups)

        let addresses = inherited.compactMap { if case .network(let address) = $0.place { address } else { nil } }
        address = inherited.isEmpty || texts.has(DaemonOptions().listen.entry) ? options.listen : nil
        let reachable = (addresses.isEmpty ? [address].compactMap(\.self) : addresses).first { !$0.isLoopback }
        isOnLoopback = reachable == nil
        if let reachable, options.anonymous == nil, options.tokenFile == nil {
            throw OptionError(
                """
                \(reachable) can be reached from other machines, and clients would need no token. Issue tokens with \
                --token-file, or choose --anonymous read (every client may read) or --anonymous write (every client \
                may change the brightness and end every boost), or listen on 127.0.0.1.
                """
            )
        }
    }

    subscript<Value>(dynamicMember option: KeyPath<DaemonOptions, DaemonOption<Value>>) -> Value {
        options[dynamicMember: option]
    }

    /// The access without a token; `nil` for none.
    var anonymous: AccessPolicy.Anonymous? { options.anonymous ?? (options.tokenFile == nil ? .write : nil) }

    /// The rules for displays while nobody uses the machine.
    var idle: IdleRules { IdleRules(dim: options.idleDim, sleepAfter: options.idleSleep) }

    /// The quota of each display for commands over MQTT, and for those of ESPHome clients; `nil` without a limit.
    var commandQuota: WriteQuota? {
        let limit = options.limit.writes.count
        return limit < .max ? WriteQuota(perSecond: limit) : nil
    }

    var server: Server.Configuration {
        var server = Server.Configuration(address: address)
        (server.unixPath, server.inherited) = (options.unix, inherited)
        if let shards = options.shards { server.shards = shards }
        (server.clientLimit, server.clientConnections) = (options.limit.streams, options.limit.connections)
        server.clientConnects = options.limit.connects
        return server
    }

    func access(for tokens: TokenStore?, refusedOrigins: RefusedOrigins? = nil) -> AccessPolicy {
        AccessPolicy(
            hosts: options.allowHost + Machine.hostNames,
            origins: options.allowOrigin,
            anonymous: anonymous,
            tokens: tokens,
            isOnLoopback: isOnLoopback,
            refusedOrigins: refusedOrigins
        )
    }

    private static func groups(_ groups: [DisplayGroup]) throws(OptionError) -> DisplayGroups {
        do {
            return try DisplayGroups(groups)
        } catch {
            switch error {
            case .tooMany: throw OptionError("at most \(DisplayGroups.limit) groups are possible (--group)")
            case .twice(let name): throw OptionError("the group \(name.text) is there twice (--group)")
            }
        }
    }

    private static func leaders(_ all: [Following]) throws(OptionError) -> [DisplayID: DisplayID] {
        var leaders: [DisplayID: DisplayID] = [:]
        for pair in all where leaders.updateValue(pair.leader, forKey: pair.id) != nil {
            throw OptionError("\(pair.id) can follow one display only (--follow)")
        }
        for pair in all where leaders[pair.leader] != nil {
            throw OptionError(
                "\(pair.id) cannot follow \(pair.leader), which is a follower itself: let all follow one (--follow)"
            )
        }
        return leaders
    }

    private static func check(_ sensors: [LightDeviceURL]) throws(OptionError) {
        guard Set(sensors).count == sensors.count else { throw OptionError("--light-sensor has the same URL twice") }
        guard sensors.count <= LightDeviceURL.limit else {
            throw OptionError("--light-sensor accepts at most \(LightDeviceURL.limit) URLs")
        }
    }
}

/// A display that follows another one. Accepts `ID=LEADER`.
struct Following: Sendable {
    let id: DisplayID
    let leader: DisplayID

    init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = DisplayID(own: parts[0]), let leader = DisplayID(own: parts[1]), id != leader
        else { return nil }
        (self.id, self.leader) = (id, leader)
    }
}

/// The value of every option; each has the name that the option has in `DaemonOptions`.
@dynamicMemberLookup
struct OptionValues: Sendable {
    private let values: [String: any Sendable]

    init(_ texts: OptionTexts) throws(OptionError) {
        var values: [String: any Sendable] = [:]
        for option in DaemonOptions.all { values[option.entry.name] = try option.value(in: texts) }
        self.values = values
    }

    subscript<Value>(dynamicMember option: KeyPath<DaemonOptions, DaemonOption<Value>>) -> Value {
        values[DaemonOptions.declared[keyPath: option].entry.name] as! Value
    }
}

/// The machine's own names.
enum Machine {
    static var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The names by which other machines reach this one: its own, as it is and as Avahi announces it.
    static var hostNames: [String] {
        let first = name.prefix { $0 != "." }
        return first.isEmpty ? [] : [name, String(first), "\(first).local"]
    }

    /// The random id of the installation; `nil` where there is none, as in some containers. It must not be published.
    ///
    /// - SeeAlso: machine-id(5)
    static var id: String? {
        guard let bytes = try? RegularFile.read("/etc/machine-id", upTo: 1).bytes, bytes.count >= 32 else { return nil }
        return String(decoding: bytes.prefix(32), as: UTF8.self)
    }
}
