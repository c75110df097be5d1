// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Support

/// The texts that were given for the options, on the command line or else in the environment.
package struct OptionTexts: Sendable {
    private let given: [String: [String]]
    private let environment: @Sendable (String) -> String?

    /// - Parameters:
    ///   - given: The values on the command line, by the names of the options.
    ///   - environment: Reads a variable; the process's by default.
    package init(
        _ given: [String: [String]] = [:],
        environment: @escaping @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) {
        self.given = given
        self.environment = environment
    }

    /// The value of a variable; `nil` if it is not set or empty.
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }

    func has(_ option: OptionEntry) -> Bool { given[option.name] != nil || variable(option.variable) != nil }

    /// The value of an option; `nil` if it is not set.
    ///
    /// - Throws: A message that names the flag or the variable. It does not contain a variable's value, because the
    ///   message is logged, and a secret may be in the wrong variable.
    func value<Value>(of option: OptionEntry, read: (String) -> Value?) throws(OptionError) -> Value? {
        if let text = given[option.name]?.last { return try Self.valid(read(text), of: option, given: text) }
        return try variable(option.variable).map { text throws(OptionError) in try Self.valid(read(text), of: option) }
    }

    /// The values of a repeatable option: a repeated flag, or one variable.
    func values<Value>(
        of option: OptionEntry,
        separatedBy separate: (String) -> [String],
        read: (String) -> Value?
    ) throws(OptionError) -> [Value] {
        if let texts = given[option.name], !texts.isEmpty {
            return try texts.map { text throws(OptionError) in try Self.valid(read(text), of: option, given: text) }
        }
        return try separate(variable(option.variable) ?? "").map { text throws(OptionError) in
            try Self.valid(read(text.split(separator: " ").joined(separator: " ")), of: option)
        }
    }

    /// - Parameter text: The value on the command line; `nil` for a variable's, which is not shown.
    private static func valid<Value>(
        _ value: Value?,
        of option: OptionEntry,
        given text: String? = nil
    ) throws(OptionError) -> Value {
        if let value { return value }
        let source = text.map { "for --\(option.name): \"\($0)\"" } ?? "in \(option.variable)"
        throw OptionError("invalid value \(source); expected \(option.values) (see brightnessd serve --help)")
    }

    /// The names of this process's variables; none if `/proc` cannot be read.
    static var variableNames: [String] {
        let bytes = (try? RegularFile.read("/proc/self/environ", upTo: 1).bytes) ?? []
        return bytes.split(separator: 0).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
    }

    /// Warnings about variables that look like options and are none: a mistyped one must not be ignored silently. They
    /// contain no values.
    ///
    /// - Parameter names: The names of the process's variables.
    static func warnings(about names: some Sequence<String>) -> [String] {
        let known = DaemonOptions.all.map(\.entry.variable) + [BrokerSettings.passwordVariable]
        let prefix = "BRIGHTNESSD_"
        let unknown = names.filter { $0.hasPrefix(prefix) && !known.contains($0) }
        // Without the prefix, which all of them share.
        let words = known.map { String($0.dropFirst(prefix.count)) }
        return unknown.sorted().map { name in
            let nearest = Suggestion.nearest(to: String(name.dropFirst(prefix.count)), among: words)
            let question = nearest.map { ". Did you mean \(prefix)\($0)?" } ?? ""
            return "unknown variable \(name.plain(upTo: 64))\(question)"
        }
    }
}

package struct OptionError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
