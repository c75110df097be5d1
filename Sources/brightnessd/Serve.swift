// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DaemonRuntime
import Support

/// The daemon, with its options under the titles that it declares.
///
/// The parser finds groups and options in the mirror of a type, and decodes each by its label; a list of properties
/// would repeat `DaemonOptions`. There is one level of groups only: a debug build of the parser makes all options four
/// times for each.
struct Serve: ParsableCommand, CustomReflectable {
    static let configuration = CommandConfiguration(
        abstract: "Serves until SIGTERM or SIGINT. Then restores displays as --on-exit states, and ends every stream.",
        usage: "brightnessd serve [<options>]"
    )

    /// The values on the command line, by the options' names.
    private var given: [String: [String]] = [:]
    private var check = Flag(
        wrappedValue: false,
        name: .customLong("check"),
        help: "Check the options and the files they name, but no device, port or lock. Exits with 0 if all are valid."
    )

    init() {}

    init(from decoder: any Decoder) throws {
        let groups = try decoder.container(keyedBy: OptionKey.self)
        check = try groups.decode(Flag<Bool>.self, forKey: OptionKey(stringValue: "check"))
        for section in DaemonOptions.sections { try read(section.type, in: groups) }
    }

    func run() throws {
        do {
            if check.wrappedValue { return try Daemon.check(OptionTexts(given)) }
            try Daemon.run(OptionTexts(given), version: ReleaseVersion.text)
        } catch let error as OptionError {
            throw error.exit
        } catch is Daemon.StartFailure {
            throw ExitCode.failure
        }
    }

    var customMirror: Mirror {
        var children: [Mirror.Child] = [("check", check)]
        for section in DaemonOptions.sections { children.append(Self.group(of: section.type)) }
        return Mirror(self, children: children)
    }

    private static func group<Section: OptionSection>(of _: Section.Type) -> Mirror.Child {
        (Section.title, OptionGroup<OptionsOfSection<Section>>(title: Section.title))
    }

    private mutating func read<Section: OptionSection>(
        _: Section.Type,
        in groups: KeyedDecodingContainer<OptionKey>
    ) throws {
        let group = OptionGroup<OptionsOfSection<Section>>.self
        let values = try groups.decode(group, forKey: OptionKey(stringValue: Section.title))
        given.merge(values.wrappedValue.given) { first, _ in first }
    }
}

/// The options of a section as the parser requires them: a type for each group.
private struct OptionsOfSection<Section: OptionSection>: ParsableArguments, CustomReflectable {
    private(set) var given: [String: [String]] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let flags = try decoder.container(keyedBy: OptionKey.self)
        for option in Self.options {
            let key = OptionKey(stringValue: option.name)
            given[option.name] =
                option.isList
                ? try flags.decode(Option<[String]>.self, forKey: key).wrappedValue
                : try flags.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] }
        }
    }

    var customMirror: Mirror {
        Mirror(
            self,
            children: Self.options.map { option -> Mirror.Child in
                (option.name, option.isList ? Option<[String]>(option) : Option<String?>(option))
            }
        )
    }

    private static var options: [OptionEntry] {
        DaemonOptions.sections.first { $0.type == Section.self }?.options.map(\.entry) ?? []
    }
}

private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
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
