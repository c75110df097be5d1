// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// All of a run, as it is written to `results/`.
struct Report: Codable, Sendable {
    let at: String
    let hardware: Hardware
    let disturbance: Disturbance
    let plan: Plan
    /// Whether the server and this client each had a processor of their own.
    let isPinned: Bool
    /// The commands that were compared.
    let commands: [[String]]
    let rows: [Row]
    /// Every single sample, for whoever doubts the medians.
    let fanOut: Rounds<FanOut.Sample>?
    let get: Rounds<StateGet.Sample>?
    let boosts: Rounds<BoostPairs.Sample>?

    /// Writes the report into the directory, under the time of the run.
    ///
    /// - Returns: The file's path.
    func write(to directory: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let path = directory + "/" + at.replacing(":", with: "") + ".json"
        try encoder.encode(self).write(to: URL(filePath: path))
        return path
    }
}
