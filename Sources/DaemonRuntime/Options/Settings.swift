// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import HTTPServer
import Support
import WebAPI

/// The options' values, and what follows from several of them.
@dynamicMemberLookup
struct Settings: Sendable {
    let options: OptionValues
    let inherited: [InheritedSocket]
    /// The address to open if none is inherited. With inherited sockets it is `nil`, unless an option names it.
    let address: ListenAddress?
    /// Whether other machines cannot connect.
    let isOnLoopback: Bool
    /// `nil` without a broker.
    let broker: BrokerSettings?
    /// `nil` without a server for ESPHome clients.
    let esphome: ESPHomeSettings?

    init(_ texts: OptionTexts, inherited: [InheritedSocket] = []) throws(OptionError) {
        self.inherited = inherited
        options = try OptionValues(texts)
        broker = try BrokerSettings(options, secret: texts.variable(BrokerSettings.passwordVariable))
        esphome = try ESPHomeSettings(options)

        let addresses = inherited.compactMap { if case .network(let address) = $0.address { address } else { nil } }
        let isAddressGiven = texts.has(DaemonOptions.declared.access.listen.entry)
        address = inherited.isEmpty || isAddressGiven ? options.access.listen : nil
        let reachable = (addresses.isEmpty ? [address].compactMap(\.self) : addresses).first { !$0.isLoopback }
        isOnLoopback = reachable == nil
        if let reachable, options.access.anonymous == nil, options.access.tokenFile == nil {
            throw OptionError(
                """
                \(reachable) can be reached from other machines, and clients would need no token. Issue tokens with \
                --token-file, or choose --anonymous read (every client may read) or --anonymous write (every client \
                may change the brightness and end every boost), or listen on 127.0.0.1.
                """
            )
        }
    }

    subscript<Section>(dynamicMember section: KeyPath<DaemonOptions, Section>) -> SectionValues<Section> {
        options[dynamicMember: section]
    }

    /// The access without a token; `nil` for none.
    var anonymous: AccessPolicy.Anonymous? {
        options.access.anonymous ?? (options.access.tokenFile == nil ? .write : nil)
    }

    var groups: DisplayGroups { options.displays.group }

    /// The leader of each display that follows another one.
    var leaders: [DisplayID: DisplayID] {
        Dictionary(uniqueKeysWithValues: options.displays.follow.map { ($0.id, $0.value) })
    }

    /// The rules for displays while nobody uses the machine.
    var idle: IdleRules { IdleRules(dim: options.presence.idleDim, sleepAfter: options.presence.idleSleep) }

    /// The quota of each display for commands over MQTT, and for those of ESPHome clients; `nil` without a limit.
    var commandQuota: WriteQuota? {
        let limit = options.load.limit.writes.count
        return limit < .max ? WriteQuota(perSecond: limit) : nil
    }

    var server: Server.Configuration {
        var server = Server.Configuration(address: address)
        (server.unixPath, server.inherited) = (options.access.unix, inherited)
        if let shards = options.load.shards { server.shards = shards }
        (server.clientLimit, server.clientConnections) = (options.load.limit.streams, options.load.limit.connections)
        server.clientConnects = options.load.limit.connects
        return server
    }

    func policy(for tokens: TokenStore?, refusedOrigins: RefusedOrigins? = nil) -> AccessPolicy {
        AccessPolicy(
            hosts: options.pages.allowHost + Machine.hostNames,
            origins: options.pages.allowOrigin,
            anonymous: anonymous,
            tokens: tokens,
            isOnLoopback: isOnLoopback,
            refusedOrigins: refusedOrigins
        )
    }
}

/// The values of the options, by the sections of `DaemonOptions`.
@dynamicMemberLookup
struct OptionValues: Sendable {
    private let values: [String: any Sendable]

    init(_ texts: OptionTexts) throws(OptionError) {
        var values: [String: any Sendable] = [:]
        for option in DaemonOptions.all { values[option.entry.name] = try option.value(in: texts) }
        self.values = values
    }

    subscript<Section>(dynamicMember section: KeyPath<DaemonOptions, Section>) -> SectionValues<Section> {
        SectionValues(section: DaemonOptions.declared[keyPath: section], values: values)
    }
}

/// The value of every option of a section; each has the name that the option has there.
@dynamicMemberLookup
struct SectionValues<Section: OptionSection>: Sendable {
    fileprivate let section: Section
    fileprivate let values: [String: any Sendable]

    subscript<Value>(dynamicMember option: KeyPath<Section, DaemonOption<Value>>) -> Value {
        values[section[keyPath: option].entry.name] as! Value
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
