// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The complete results of a run, as written to `results/`.
struct Report: Codable, Sendable {
    // How variants of the daemon are called among the samples.
    static let daemon = "brightnessd"
    static let noJournal = "no state file"
    static let oneDisplay = "1 display"
    static let manyDisplays = "1,000 displays"
    static let allRead = "all read"
    static let oneStalled = "one stalled"

    let at: String
    let seconds: Double
    let hardware: Hardware
    let disturbance: Disturbance
    let plan: Plan
    /// Whether the server and this client each had a processor of their own.
    let isPinned: Bool
    let commands: [[String]]
    let results: Results

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

    static func read(_ path: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: path)))
    }

    var isQuick: Bool { plan.fanOutRounds < Plan.full.fanOutRounds }

    /// The circumstances of the run, for readers of the figures.
    var circumstances: String {
        "\(at), \(fixed(seconds, 0)) s\(isQuick ? " (short rounds)" : ""); \(hardware.text); other load: "
            + disturbance.text
    }
}

/// Every sample, for readers who doubt the medians. Skipped measurements are absent.
struct Results: Codable, Sendable {
    var events: Rounds<FanOut.Sample>?
    var webSockets: Rounds<FanOut.Sample>?
    var gets: Rounds<RequestRate.Sample>?
    var puts: Rounds<RequestRate.Sample>?
    var displays: Rounds<RequestRate.Sample>?
    var boosts: Rounds<RequestRate.Sample>?
    var openLoop: Rounds<OpenLoop.Sample>?
    var stalled: Rounds<OpenLoop.Sample>?
    var starts: [Idleness.Start]?
    var calls: SystemCalls.Sample?
    var idleStreams: Idleness.Streams?
    var commands: Commands.Sample?
}
