// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime

/// The flags of `serve` as text: for each `DaemonOption` a property of the same name.
struct ServeOptions: ParsableArguments {
    @Option(.listen) var listen: String?
    @Option(.unix) var unix: String?
    @Option(.tokenFile) var tokenFile: String?
    @Option(.anonymous) var anonymous: String?
    @Option(.display) var display: [String]
    @Option(.excludeDisplay) var excludeDisplay: [String]
    @Option(.defaultDisplay) var defaultDisplay: String?
    @Option(.group) var group: [String]
    @Option(.minBrightness) var minBrightness: String?
    @Option(.boostCap) var boostCap: String?
    @Option(.ddcWritesPerDay) var ddcWritesPerDay: String?
    @Option(.ddcPower) var ddcPower: [String]
    @Option(.transition) var transition: String?
    @Option(.auto) var auto: String?
    @Option(.autoHold) var autoHold: String?
    @Option(.autoCurve) var autoCurve: String?
    @Option(.lightSensor) var lightSensor: [String]
    @Option(.timeZone) var timeZone: String?
    @Option(.location) var location: String?
    @Option(.idleDim) var idleDim: String?
    @Option(.idleSleep) var idleSleep: String?
    @Option(.presenceWake) var presenceWake: String?
    @Option(.onExit) var onExit: String?
    @Option(.stateDirectory) var stateDirectory: String?
    @Option(.allowHost) var allowHost: [String]
    @Option(.allowOrigin) var allowOrigin: [String]
    @Option(.mqtt) var mqtt: String?
    @Option(.mqttPasswordFile) var mqttPasswordFile: String?
    @Option(.mqttCaFile) var mqttCaFile: String?
    @Option(.mqttDiscovery) var mqttDiscovery: String?
    @Option(.mirror) var mirror: [String]
    @Option(.mirrorLimit) var mirrorLimit: String?
    @Option(.shards) var shards: String?
    @Option(.streamsPerClient) var streamsPerClient: String?
    @Option(.connectionsPerClient) var connectionsPerClient: String?
    @Option(.connectsPerSecond) var connectsPerSecond: String?
    @Option(.writesPerSecond) var writesPerSecond: String?
    @Option(.sysfsRoot) var sysfsRoot: String?
    @Option(.logLevel) var logLevel: String?
    @Option(.logFormat) var logFormat: String?

    /// The values on the command line. Every option must have a property.
    var given: [DaemonOption: [String]] {
        var given: [DaemonOption: [String]] = [:]
        for case (let label?, let value) in Mirror(reflecting: self).children {
            // The stored name of a wrapped property starts with an underscore.
            guard let option = DaemonOption(rawValue: String(label.dropFirst())) else { continue }
            switch value {
            case let one as Option<String?>: given[option] = one.wrappedValue.map { [$0] } ?? []
            case let several as Option<[String]>: given[option] = several.wrappedValue
            default: continue
            }
        }
        precondition(given.count == DaemonOption.allCases.count, "an option lacks a property in ServeOptions")
        return given
    }
}

extension Option where Value == String? {
    /// An option of the daemon.
    ///
    /// - Parameter meaning: The help text for this command; `nil` for that of `serve`.
    init(_ option: DaemonOption, _ meaning: String? = nil) {
        self.init(name: .customLong(option.name), help: ArgumentHelp(option, meaning))
    }
}

extension Option where Value == [String] {
    /// A repeatable option of the daemon.
    init(_ option: DaemonOption) {
        self.init(wrappedValue: [], name: .customLong(option.name), help: ArgumentHelp(option, nil))
    }
}

extension ArgumentHelp {
    fileprivate init(_ option: DaemonOption, _ meaning: String?) {
        let help = option.help
        self.init(
            "\(meaning ?? help.meaning) \(help.origin)",
            discussion: meaning == nil ? help.note : nil,
            valueName: help.form
        )
    }
}

extension ParsableCommand {
    /// The value of an option: the command line's, else the environment's.
    func value<Value>(of option: DaemonOption, _ text: String?, read: (String) -> Value?) throws -> Value? {
        do throws(OptionError) {
            return try OptionValues([option: text.map { [$0] } ?? []]).value(option, read: read)
        } catch {
            throw error.exit
        }
    }
}
