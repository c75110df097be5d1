// SPDX-License-Identifier: Apache-2.0

/// The value of every option; each has the name that the option has in `DaemonOptions`.
@dynamicMemberLookup
struct OptionValues: Sendable {
    /// By the options' names.
    private let values: [String: any Sendable]

    init(_ texts: OptionTexts) throws(OptionError) {
        var values: [String: any Sendable] = [:]
        for option in DaemonOptions.all { values[option.entry.name] = try option.value(in: texts) }
        self.values = values
    }

    subscript<Value>(dynamicMember option: KeyPath<DaemonOptions, DaemonOption<Value>>) -> Value {
        values[DaemonOptions.declared[keyPath: option].entry.name] as! Value
    }
}
