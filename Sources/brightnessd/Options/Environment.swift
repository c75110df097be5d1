// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// Where an option comes from: the command line, else the variable `BRIGHTNESSD_…` of the same name, else a default.
struct Environment {
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
        guard let text = Self.text(of: name), !text.isEmpty else { return nil }
        return try parse(text, ofVariable: name, read)
    }

    /// Several values: a repeated flag, or one variable with commas.
    func values<Value>(_ name: String, _ flags: [String], read: (String) -> Value?) throws -> [Value] {
        if !flags.isEmpty { return try flags.map { try parse($0, ofFlag: name, read) } }
        return try (Self.text(of: name) ?? "").split(separator: ",").map {
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

    private static func text(of name: String) -> String? { getenv(variable(name)).map { String(cString: $0) } }

    private static func variable(_ name: String) -> String {
        "BRIGHTNESSD_" + name.uppercased().replacing("-", with: "_")
    }
}
