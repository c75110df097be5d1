// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct SchedulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedules",
        abstract: "Lists and edits schedules: what the daemon does at a time of the day.",
        discussion: """
            Times are local times of the daemon's machine. Sunrise and sunset need its location:

              brightness schedules set night --from 22:00 --to 07:00 --dim 20%
              brightness schedules set dusk --from sunset-00:30 --to 23:00 --brightness 40
              brightness schedules set shut --from 18:00 --to 08:00 --days mon-fri --sleep
              brightness schedules pause night
              brightness schedules resume night
              brightness schedules remove night
              brightness schedules location 52.52,13.40
            """,
        subcommands: [
            ListSchedulesCommand.command, SetScheduleCommand.command, PauseScheduleCommand.command,
            ResumeScheduleCommand.command, RemoveScheduleCommand.command, LocationCommand.command,
        ],
        defaultSubcommand: ListSchedulesCommand.command
    )
}

struct ListSchedulesCommand: ClientCommand {
    static let word = "list"
    static let abstract = "Lists the schedules."

    func run(_ session: CommandSession) throws {
        try session.send(ClientRequest("GET", "/v1/schedules"), reading: ScheduleReport.init(reading:)) { report in
            if report.schedules.isEmpty {
                session.terminal.warn("There is no schedule: brightness help schedules shows how to add one.")
            }
            for schedule in report.schedules { try session.print(schedule, of: report) }
            if !report.isClockSet {
                session.terminal.warn("The daemon's clock is not set. No schedule is in force until it is.")
            } else if report.day.sun == nil, report.schedules.contains(where: \.schedule.needsLocation) {
                session.terminal.warn(ProblemDocument.locationAdvice)
            }
        }
    }
}

struct SetScheduleCommand: ClientCommand {
    static let word = "set"
    static let abstract = "Adds or replaces a schedule."
    static let discussion = "Without --display and BRIGHTNESS_DISPLAY it is for every display of the daemon's machine."

    @Argument(help: "The name of the schedule.")
    var name: String

    @Option("time", "When it begins: 22:00, 10pm, sunset or sunset-00:30.") var from: String

    @Option("time", "When it ends: 07:00, 7am, sunrise or sunrise+01:00.") var to: String

    @Option("days", "On which days it begins, such as mon,tue or mon-fri, weekdays or weekend. [default: every day]")
    var days: String?

    @Option("level", "How bright at most: 20% or 0.2.") var dim: String?

    @Option("level", "How bright at least.") var boost: String?

    @Option("level", "The brightness to set once, at the beginning.") var brightness: String?

    @Flag(help: "Switch the displays off.")
    var sleep = false

    @Option("time", "How long each change takes: 5, 90s, 5m.") var transition: String?

    func run(_ session: CommandSession) throws {
        let (from, to) = (try time(from, of: "--from"), try time(to, of: "--to"))
        guard from != to else { throw ClientError.usage("--from and --to must differ.") }
        let list = try days.map { days in
            guard let list = Weekday.list(days) else {
                throw ClientError.usage(
                    "\"\(days.shown)\" is not a list of days: write mon,tue, mon-fri, weekdays or weekend."
                )
            }
            return list
        }
        let effects = [dim != nil, boost != nil, brightness != nil, sleep].filter { $0 }.count
        guard effects == 1 else {
            throw ClientError.usage(
                "A schedule does one thing: give --dim 20%, --boost 80%, --brightness 40% or --sleep."
            )
        }
        let displays = try session.target.scheduleDisplays
        let level = try (dim ?? boost ?? brightness).map { try fraction($0, for: "a schedule").fraction }
        let transition = try BrightnessClient.transition(transition)
        let request = ClientRequest("PUT", session.path(of: name)) { json in
            json.member("from", from)
            json.member("to", to)
            for (name, words) in [("days" as StaticString, list?.map(\.rawValue)), ("displays", displays)] {
                guard let words else { continue }
                json.member(name, each: words) { $0.string($1) }
            }
            if let level { json.member(dim != nil ? "dim" : boost != nil ? "boost" : "brightness", decimal: level) }
            if sleep { json.member("sleep", true) }
            if let transition { json.member("transition", decimal: transition / .seconds(1)) }
        }
        try session.sendSchedule(request)
    }

    private func time(_ text: String, of option: String) throws(ClientError) -> String {
        guard let time = ScheduleTime(ClockTime(text)?.text ?? text) else {
            throw .usage(
                """
                "\(text.shown)" is not a time for \(option): write 22:00, 10pm, sunset, or sunset-00:30 with at most \
                12 hours.
                """
            )
        }
        return time.text
    }
}

struct PauseScheduleCommand: ClientCommand {
    static let word = "pause"
    static let abstract = "Ends what a schedule does, and keeps the schedule for later."

    @Argument(help: "The name of the schedule.")
    var name: String

    func run(_ session: CommandSession) throws { try session.pauseSchedule(name, true) }
}

struct ResumeScheduleCommand: ClientCommand {
    static let word = "resume"
    static let abstract = "Continues a paused schedule, inside its interval at once."

    @Argument(help: "The name of the schedule.")
    var name: String

    func run(_ session: CommandSession) throws { try session.pauseSchedule(name, false) }
}

extension CommandSession {
    fileprivate func path(of name: String) -> String { "/v1/schedules/\(name.percentEncoded())" }

    fileprivate func pauseSchedule(_ name: String, _ isPaused: Bool) throws {
        try sendSchedule(ClientRequest("PATCH", path(of: name)) { $0.member("paused", isPaused) })
    }

    /// Sends a change of a schedule, and prints the schedule with the daemon's times.
    fileprivate func sendSchedule(_ request: ClientRequest) throws {
        try send(request) { node in
            ScheduleState(reading: node).map { ($0, node["warning"]?.string) }
        } print: { schedule, warning in
            let all = try client.send(ClientRequest("GET", "/v1/schedules"))
            guard let report = ScheduleReport(reading: all.json) else { throw client.server.notBrightnessdError }
            try print(schedule, of: report)
            if let warning { terminal.warn(warning.plain(upTo: 1_024)) }
        }
    }

    fileprivate func print(_ schedule: ScheduleState, of report: ScheduleReport) throws {
        try terminal.print(schedule.line(terminal.style, at: .now, utcOffset: report.day.utcOffset))
    }
}

struct RemoveScheduleCommand: ClientCommand {
    static let word = "remove"
    static let abstract = "Removes a schedule and ends what it does."
    static let aliases = ["rm"]

    @Argument(help: "The name of the schedule.")
    var name: String

    func run(_ session: CommandSession) throws {
        try session.remove(name, at: session.path(of: name))
    }
}
