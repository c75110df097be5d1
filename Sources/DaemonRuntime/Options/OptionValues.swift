// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the options are set to: by the command line, else by the environment.
package struct OptionValues: Sendable {
    private let given: [DaemonOption: [String]]
    private let environment: @Sendable (String) -> String?

    /// - Parameters:
    ///   - given: What the command line sets.
    ///   - environment: Reads a variable; the process's by default.
    package init(
        _ given: [DaemonOption: [String]] = [:],
        environment: @escaping @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) {
        self.given = given
        self.environment = environment
    }

    /// A variable; `nil` if it is not set or empty.
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// One value; `nil` if it is set nowhere.
    ///
    /// - Throws: A message that names the place the bad value came from. A variable's value is not in it: the message goes to
    ///   a log, and somebody may have put a secret into the wrong variable.
    package func value<Value>(
        _ option: DaemonOption,
        read: (String) -> Value?
    ) throws(OptionError) -> Value? {
        if let text = given[option]?.last { return try parse(text, ofFlag: option, read) }
        return try variable(option.variable).map { text throws(OptionError) in
            try parse(text, ofVariable: option, read)
        }
    }

    /// A value that is any text.
    func text(_ option: DaemonOption) throws(OptionError) -> String? { try value(option) { $0.isEmpty ? nil : $0 } }

    /// Several values: a repeated flag, or one variable with commas.
    func values<Value>(_ option: DaemonOption, read: (String) -> Value?) throws(OptionError) -> [Value] {
        if let texts = given[option], !texts.isEmpty {
            return try texts.map { text throws(OptionError) in try parse(text, ofFlag: option, read) }
        }
        return try (variable(option.variable) ?? "").split(separator: ",").map { text throws(OptionError) in
            try parse(text.split(separator: " ").joined(separator: " "), ofVariable: option, read)
        }
    }

    private func parse<Value>(
        _ text: String,
        ofFlag option: DaemonOption,
        _ read: (String) -> Value?
    ) throws(OptionError) -> Value {
        guard let value = read(text) else {
            throw OptionError("\"\(text)\" is no value for --\(option.name); see brightnessd serve --help")
        }
        return value
    }

    private func parse<Value>(
        _ text: String,
        ofVariable option: DaemonOption,
        _ read: (String) -> Value?
    ) throws(OptionError) -> Value {
        guard let value = read(text) else {
            throw OptionError("what \(option.variable) says is no value for it; see brightnessd serve --help")
        }
        return value
    }
}

/// What is wrong with the options, for people.
package struct OptionError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
