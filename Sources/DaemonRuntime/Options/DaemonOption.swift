// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// One option of the daemon: its flag and variable, its entry in `--help`, its default, and how its text is read.
package struct DaemonOption<Value: Sendable>: DeclaredOption {
    package let entry: OptionEntry
    private let read: @Sendable (OptionTexts, OptionEntry) throws(OptionError) -> Value

    /// - Parameters:
    ///   - read: Reads the option from the texts that were given.
    init(_ entry: OptionEntry, read: @escaping @Sendable (OptionTexts, OptionEntry) throws(OptionError) -> Value) {
        (self.entry, self.read) = (entry, read)
    }

    /// An option that always has a value.
    ///
    /// - Parameters:
    ///   - form: The form of the value in `--help`.
    ///   - values: The valid values, for the message about an invalid one; `nil` where `form` names them.
    ///   - read: Returns `nil` for a text that is not valid.
    init(
        _ name: String,
        _ meaning: String,
        form: String,
        values: String? = nil,
        default text: String,
        note: String? = nil,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(name, meaning, form: form, values: values, default: read(text)!, stated: text, note: note, read: read)
    }

    /// An option whose default is described in words.
    ///
    /// - Parameter stated: The default, for people.
    init(
        _ name: String,
        _ meaning: String,
        form: String,
        values: String? = nil,
        default value: Value,
        stated: String,
        note: String? = nil,
        read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(OptionEntry(name, meaning, form: form, values: values, default: stated, note: note)) {
            texts,
            entry throws(OptionError) in
            try texts.value(of: entry, read: read) ?? value
        }
    }

    /// An option that may have no value.
    ///
    /// - Parameter stated: What is done without it, for people.
    init<Wrapped>(
        _ name: String,
        _ meaning: String,
        form: String,
        values: String? = nil,
        stated: String? = nil,
        read: @escaping @Sendable (String) -> Wrapped?
    ) where Value == Wrapped? {
        self.init(OptionEntry(name, meaning, form: form, values: values, default: stated)) {
            texts,
            entry throws(OptionError) in
            try texts.value(of: entry, read: read)
        }
    }

    /// A repeatable option; its variable separates the values by commas.
    ///
    /// - Parameter stated: What is done without it, for people.
    init<Element>(
        list name: String,
        _ meaning: String,
        form: String,
        values: String? = nil,
        stated: String? = nil,
        separatedBy separate: @escaping @Sendable (String) -> [String] = {
            $0.split(separator: ",").map { String($0) }
        },
        read: @escaping @Sendable (String) -> Element?
    ) where Value == [Element] {
        self.init(OptionEntry(name, meaning, form: form, values: values, default: stated, isList: true)) {
            texts,
            entry throws(OptionError) in
            try texts.values(of: entry, separatedBy: separate, read: read)
        }
    }

    /// The option whose value is this one's after `change`, which may reject it.
    func map<New>(_ change: @escaping @Sendable (Value) throws(OptionError) -> New) -> DaemonOption<New> {
        DaemonOption<New>(entry) { [read] texts, entry throws(OptionError) in try change(try read(texts, entry)) }
    }

    /// The value on the command line, else in the environment, else the default.
    package func value(in texts: OptionTexts) throws(OptionError) -> Value { try read(texts, entry) }
}

/// An option with a value of any type.
package protocol DeclaredOption: Sendable {
    associatedtype Value: Sendable
    var entry: OptionEntry { get }
    func value(in texts: OptionTexts) throws(OptionError) -> Value
}

/// An option's part of `--help`.
package struct OptionEntry: Sendable {
    /// The flag without its dashes, such as `token-file`.
    package let name: String
    /// The environment variable, such as `BRIGHTNESSD_TOKEN_FILE`.
    let variable: String
    package let meaning: String
    package let form: String
    /// The valid values, for the message about an invalid one.
    let values: String
    /// The default, for people; `nil` for none.
    let defaultText: String?
    package let note: String?
    package let isList: Bool
    /// The variable and the default, for the end of the help.
    package let origin: String

    init(
        _ name: String,
        _ meaning: String,
        form: String,
        values: String?,
        default stated: String?,
        note: String? = nil,
        isList: Bool = false
    ) {
        (self.name, self.meaning, self.form, self.values) = (name, meaning, form, values ?? form)
        (defaultText, self.note, self.isList) = (stated, note, isList)
        variable = "BRIGHTNESSD_\(name.uppercased().replacing("-", with: "_"))"
        origin = "[env: \(variable)\(isList ? ", with commas" : "")\(stated.map { "; default: \($0)" } ?? "")]"
    }
}

/// The forms that several options have.
extension DaemonOption {
    /// Any text but an empty one.
    static func text(_ name: String, _ meaning: String, form: String, stated: String? = nil) -> Self
    where Value == String? {
        Self(name, meaning, form: form, stated: stated) { $0.isEmpty ? nil : $0 }
    }

    /// A brightness from 0 to 1.
    static func fraction(_ name: String, _ meaning: String, default text: String) -> Self where Value == Brightness {
        Self(name, meaning, form: "fraction", values: "a number from 0 to 1", default: text) { text in
            Double(text).flatMap { Brightness(fraction: $0) }
        }
    }

    /// A duration that is given in seconds.
    static func seconds(
        _ name: String,
        _ meaning: String,
        in range: ClosedRange<Double>,
        default text: String
    ) -> Self where Value == Duration {
        Self(name, meaning, form: "seconds", values: range.asValues, default: text) { .seconds($0, in: range) }
    }

    static func seconds(_ name: String, _ meaning: String, in range: ClosedRange<Double>) -> Self
    where Value == Duration? {
        Self(name, meaning, form: "seconds", values: range.asValues) { .seconds($0, in: range) }
    }
}

extension ClosedRange<Double> {
    fileprivate var asValues: String { "a number from \(Int(lowerBound)) to \(Int(upperBound))" }
}

extension String {
    /// The texts before and after the only separator; `nil` without one, or with more.
    func halves(at separator: Character) -> (Substring, Substring)? {
        let parts = split(separator: separator, omittingEmptySubsequences: false)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
}

extension Duration {
    static func seconds(_ text: some StringProtocol, in range: ClosedRange<Double>) -> Duration? {
        Double(text).flatMap { range.contains($0) ? .seconds($0) : nil }
    }
}

extension Int {
    init?(_ text: some StringProtocol, in range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number) else { return nil }
        self = number
    }
}
