// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime

/// The flags of `serve` as text: one for each of the daemon's options.
///
/// The parser finds flags in the mirror of a type, and decodes each by its label; a list of properties would repeat
/// `DaemonOptions`.
struct ServeOptions: ParsableArguments, CustomReflectable {
    /// The values on the command line, by the options' names.
    private(set) var given: [String: [String]] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let flags = try decoder.container(keyedBy: Name.self)
        for option in DaemonOptions.all.map(\.entry) {
            let name = Name(stringValue: option.name)
            given[option.name] =
                option.isList
                ? try flags.decode(Option<[String]>.self, forKey: name).wrappedValue
                : try flags.decode(Option<String?>.self, forKey: name).wrappedValue.map { [$0] }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: DaemonOptions.all.map { Self.flag($0.entry) })
    }

    private static func flag(_ option: OptionEntry) -> Mirror.Child {
        if option.isList { return (option.name, Option<[String]>(option)) }
        return (option.name, Option<String?>(option))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

extension Option where Value == String? {
    /// An option of the daemon.
    ///
    /// - Parameter meaning: The help text for this command; `nil` for that of `serve`.
    init(_ option: OptionEntry, _ meaning: String? = nil) {
        self.init(name: .customLong(option.name), help: ArgumentHelp(option, meaning))
    }
}

extension Option where Value == [String] {
    /// A repeatable option of the daemon.
    init(_ option: OptionEntry) {
        self.init(wrappedValue: [], name: .customLong(option.name), help: ArgumentHelp(option, nil))
    }
}

extension ArgumentHelp {
    fileprivate init(_ option: OptionEntry, _ meaning: String?) {
        self.init(
            "\(meaning ?? option.meaning) \(option.origin)",
            discussion: meaning == nil ? option.note : nil,
            valueName: option.form
        )
    }
}

extension DaemonOption {
    /// The value for the command line's text, else the environment's, else the default.
    func value(given text: String?) throws -> Value {
        do throws(OptionError) {
            return try value(in: OptionTexts([entry.name: text.map { [$0] } ?? []]))
        } catch {
            throw error.exit
        }
    }
}
