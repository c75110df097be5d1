// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Configuration

/// Where an option comes from: the command line, else the variable `BRIGHTNESSD_…` of the same name, else a default.
struct Environment {
    private let variables: ConfigReader

    /// - Parameter provider: The process's environment; a test passes its own.
    init(_ provider: some ConfigProvider = EnvironmentVariablesProvider()) {
        variables = ConfigReader(provider: provider).scoped(to: "brightnessd")
    }

    /// One value; `nil` if it is set nowhere. An empty variable counts as not set.
    ///
    /// - Throws: A message that names the place the bad value came from. A variable's value is not in it: the message goes to
    ///   a log, and somebody may have put a secret into the wrong variable.
    func value<Value>(
        _ name: String,
        _ flag: String?,
        read: (String) -> Value?
    ) throws -> Value? {
        if let flag { return try parse(flag, ofFlag: name, read) }
        guard let text = variables.string(forKey: Self.key(name)), !text.isEmpty else { return nil }
        return try parse(text, ofVariable: name, read)
    }

    /// Several values: a repeated flag, or one variable with commas.
    func values<Value>(_ name: String, _ flags: [String], read: (String) -> Value?) throws -> [Value] {
        if !flags.isEmpty { return try flags.map { try parse($0, ofFlag: name, read) } }
        let list = variables.string(forKey: Self.key(name)) ?? ""
        return try list.split(separator: ",").map {
            try parse($0.split(separator: " ").joined(separator: " "), ofVariable: name, read)
        }
    }

    private func parse<Value>(_ text: String, ofFlag name: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = read(text) else {
            throw ValidationError("\"\(text)\" is no value for --\(name); see brightnessd serve --help")
        }
        return value
    }

    private func parse<Value>(_ text: String, ofVariable name: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = read(text) else {
            throw ValidationError("what \(Self.variable(name)) says is no value for it; see brightnessd serve --help")
        }
        return value
    }

    private static func key(_ name: String) -> ConfigKey { ConfigKey([name]) }

    private static func variable(_ name: String) -> String {
        "BRIGHTNESSD_" + name.uppercased().replacing("-", with: "_")
    }
}
