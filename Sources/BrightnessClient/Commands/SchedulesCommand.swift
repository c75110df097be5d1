// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct SchedulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedules",
        abstract: "Lists and edits schedules: what the daemon does at a time of the day.",
        discussion: """
            Times are local times of the daemon's machine. Sunrise and sunset need its place:

              brightness schedules set night --from 22:00 --to 07:00 --dim 20%
              brightness schedules set dusk --from sunset-00:30 --to 23:00 --brightness 40
              brightness schedules set shut --from 18:00 --to 08:00 --days mon-fri --sleep
              brightness schedules pause night
              brightness schedules resume night
              brightness schedules remove night
              brightness schedules location 52.52,13.40
            """,
        subcommands: [
            ListSchedulesCommand.self, SetScheduleCommand.self, PauseScheduleCommand.self, ResumeScheduleCommand.self,
            RemoveScheduleCommand.self, LocationCommand.self,
        ],
        defaultSubcommand: ListSchedulesCommand.self
    )
}

struct ListSchedulesCommand: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the schedules.")

    @OptionGroup var options: ClientOptions

    func run(_ session: CommandSession) throws {
        let answer = try session.client.send(ClientRequest("GET", "/v1/schedules"))
        if session.printsJSON { return try session.terminal.print(answer.text) }
        guard let report = ScheduleReport(reading: answer.json) else { throw session.client.server.notBrightnessdError }
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

struct SetScheduleCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Adds or replaces a schedule.",
        discussion: "Without --display it is for every display of the daemon's machine."
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "Its name.")
    var name: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("When it begins: 22:00, 10pm, sunset or sunset-00:30.", valueName: "time")
    )
    var from: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("When it ends: 07:00, 7am, sunrise or sunrise+01:00.", valueName: "time")
    )
    var to: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "On which days it begins, such as mon,tue or mon-fri, weekdays or weekend. [default: every day]",
            valueName: "days"
        )
    )
    var days: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("How bright at most: 20% or 0.2.", valueName: "level"))
    var dim: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("How bright at least.", valueName: "level"))
    var boost: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The brightness to set once, at the beginning.", valueName: "level")
    )
    var brightness: String?

    @Flag(help: "Switch the displays off.")
    var sleep = false

    @Option(parsing: .unconditional, help: ArgumentHelp("How long each change takes: 5, 90s, 5m.", valueName: "time"))
    var transition: String?

    func run(_ session: CommandSession) throws {
        let (from, to) = (try time(from, of: "--from"), try time(to, of: "--to"))
        guard from != to else { throw ClientError.usage("--from and --to are the same time: a schedule has a length.") }
        var members: [ClientRequest.Member] = [("from", .text(from)), ("to", .text(to))]
        if let days {
            guard let list = Weekday.list(days) else {
                throw ClientError.usage(
                    "\"\(days.shown)\" is not a list of days: write mon,tue, mon-fri, weekdays or weekend."
                )
            }
            members.append(("days", .list(list.map(\.rawValue))))
        }
        let effects = [dim != nil, boost != nil, brightness != nil, sleep].filter { $0 }.count
        guard effects == 1 else {
            throw ClientError.usage(
                "A schedule does one thing: give --dim 20%, --boost 80%, --brightness 40% or --sleep."
            )
        }
        if let displays = try session.target.scheduleDisplays { members.append(("displays", .list(displays))) }
        for (member, text) in [("dim", dim), ("boost", boost), ("brightness", brightness)] {
            if let text { members.append((member, .number(try fraction(text, for: "a schedule")))) }
        }
        if sleep { members.append(("sleep", .bool(true))) }
        if let transition {
            members.append(("transition", .number(try span(transition, of: "--transition", orZero: true).seconds)))
        }
        let path = "/v1/schedules/\(name.percentEncoded())"
        let answer = try session.client.send(ClientRequest("PUT", path, members))
        if session.printsJSON { return try session.terminal.print(answer.text) }
        try session.printSchedule(in: answer)
        if let warning = answer.json["warning"]?.string?.plain(upTo: 1_024) { session.terminal.warn(warning) }
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
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Ends what a schedule does, and keeps the schedule for later."
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "Its name.")
    var name: String

    func run(_ session: CommandSession) throws { try session.pauseSchedule(name, true) }
}

struct ResumeScheduleCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Continues a paused schedule: inside its interval at once."
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "Its name.")
    var name: String

    func run(_ session: CommandSession) throws { try session.pauseSchedule(name, false) }
}

extension CommandSession {
    fileprivate func pauseSchedule(_ name: String, _ isPaused: Bool) throws {
        let path = "/v1/schedules/\(name.percentEncoded())"
        let answer = try client.send(ClientRequest("PATCH", path, [("paused", .bool(isPaused))]))
        if printsJSON { return try terminal.print(answer.text) }
        try printSchedule(in: answer)
    }

    /// Prints the schedule of an answer with the daemon's times.
    fileprivate func printSchedule(in answer: Client.Answer) throws {
        let all = try client.send(ClientRequest("GET", "/v1/schedules"))
        guard let schedule = ScheduleState(reading: answer.json), let report = ScheduleReport(reading: all.json) else {
            throw client.server.notBrightnessdError
        }
        try print(schedule, of: report)
    }

    fileprivate func print(_ schedule: ScheduleState, of report: ScheduleReport) throws {
        try terminal.print(schedule.line(terminal.style, at: .now, utcOffset: report.day.utcOffset))
    }
}

struct RemoveScheduleCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a schedule and ends what it does.",
        aliases: ["rm"]
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "Its name.")
    var name: String

    func run(_ session: CommandSession) throws {
        _ = try session.client.send(ClientRequest("DELETE", "/v1/schedules/\(name.percentEncoded())"))
    }
}
