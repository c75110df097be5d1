// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// Where an option comes from: the command line, else the variable `BRIGHTNESSD_…` of the same name, else a default.
struct Environment {
    /// One value; `nil` if it is set nowhere. An empty variable counts as not set.
    ///
    /// - Throws: A message that names the place the bad value came from.
    func value<Value>(
        _ name: String,
        _ flag: String?,
        read: (String) -> Value?
    ) throws -> Value? {
        if let flag { return try parse(flag, from: "--\(name)", read) }
        let variable = Self.variable(name)
        guard let text = Self.text(of: variable), !text.isEmpty else { return nil }
        return try parse(text, from: variable, read)
    }

    /// Several values: a repeated flag, or one variable with commas.
    func values<Value>(_ name: String, _ flags: [String], read: (String) -> Value?) throws -> [Value] {
        if !flags.isEmpty { return try flags.map { try parse($0, from: "--\(name)", read) } }
        let variable = Self.variable(name)
        return try (Self.text(of: variable) ?? "").split(separator: ",").map {
            try parse($0.split(separator: " ").joined(separator: " "), from: variable, read)
        }
    }

    private func parse<Value>(_ text: String, from place: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = read(text) else {
            throw ValidationError("\"\(text)\" is no value for \(place); see brightnessd serve --help")
        }
        return value
    }

    private static func text(of variable: String) -> String? { getenv(variable).map { String(cString: $0) } }

    private static func variable(_ name: String) -> String {
        "BRIGHTNESSD_" + name.uppercased().replacing("-", with: "_")
    }
}
