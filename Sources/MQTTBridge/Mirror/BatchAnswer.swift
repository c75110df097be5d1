// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The answer of a node to a command for several of its displays: the state, lease or problem of each.
struct BatchAnswer {
    /// The longest answer, in bytes, that is parsed.
    static let longest = 262_144

    private var results: [DisplayID: Result<JSONNode, CommandError>] = [:]

    /// An invalid answer, or a part of one, has no results.
    init(_ json: [UInt8]) {
        guard let root = JSONDocument(parsing: json, upTo: Self.longest)?.root,
            let entries = DisplayResult.all(in: root)
        else { return }
        for entry in entries.prefix(Mirror.displaysPerMessage) {
            switch entry.part {
            case .state, .lease: results[entry.display] = .success(entry.content)
            case .problem:
                guard let problem = ProblemDocument(reading: entry.content) else { continue }
                results[entry.display] = .failure(CommandError(problem))
            }
        }
    }

    /// The result of a display, by its name at the node; `nil` without one.
    subscript(name: DisplayID) -> Result<JSONNode, CommandError>? { results[name] }
}
