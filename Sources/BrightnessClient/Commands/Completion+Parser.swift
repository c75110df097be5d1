// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

extension ParsableCommand {
    /// The long names of its options, and those of every command.
    static var optionNames: [String] {
        let help = Array(_dumpHelp().utf8)
        let arguments = JSONDocument(parsing: help, upTo: help.count)?.root["command"]?["arguments"]?.elements
        let names = arguments?.flatMap { $0["names"]?.elements.map { Array($0) } ?? [] } ?? []
        return names.filter { $0["kind"]?.text == "long" }.compactMap { $0["name"]?.text.map { "--\($0)" } }
    }
}
