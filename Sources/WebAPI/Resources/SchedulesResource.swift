// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

extension Resource {
    /// The schedules: one path for all, and one for each.
    static let schedules = [
        Resource("/v1/schedules", .get(list)),
        Resource(
            "/v1/schedules/{name}",
            .get(read),
            .put(isConditional: true, put),
            .patch(isConditional: true, pause),
            .delete(isConditional: true, remove)
        ),
    ]
}

private func list(_ context: RequestContext) throws(Problem) -> Reply {
    context.tagged(try context.holderService.scheduleReport.json)
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let name = context.parameter("name") ?? ""
    let known = try context.holderService.scheduleReport.schedules
    guard let state = known.first(where: { $0.schedule.name.text == name }) else {
        throw .unknownSchedule(name, among: known)
    }
    return context.tagged(state.json)
}

/// Adds or replaces a schedule. It is carried out, and stored, before the response.
private func put(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    let name = try ResourceName(path: context.parameter("name") ?? "", of: "A schedule")
    let schedule = try Schedule(name, from: context.body())
    let service = try context.holderService
    let warning = try schedule.warning(among: context.backend.service)
    let deferred = Deferred.stored("It is in force")
    service.put(schedule, if: context.condition(on: name, service)) { result in
        let fields: [Response.Field] = [("Location", "/v1/schedules/\(name.text.percentEncoded())")]
        deferred.complete(
            service.response(to: result.map { $0 ? (201, fields) : (200, []) }, about: name, warning: warning)
        )
    }
    return .later(deferred)
}

/// Pauses or resumes a schedule. That is carried out, and stored, before the response.
private func pause(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    let service = try context.holderService
    let name = try ResourceName(path: context.parameter("name") ?? "", of: "A schedule")
    let isPaused = try Schedule.isPaused(in: context.body())
    let deferred = Deferred.stored("It is \(isPaused ? "paused" : "resumed")")
    service.pause(name, isPaused, if: context.condition(on: name, service)) { result in
        deferred.complete(service.response(to: result.map { _ in (200, []) }, about: name))
    }
    return .later(deferred)
}

private func remove(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    let service = try context.holderService
    let text = context.parameter("name") ?? ""
    guard let name = ResourceName(text) else {
        throw .unknownSchedule(text, among: service.scheduleReport.schedules)
    }
    let deferred = Deferred.stored("It is removed")
    service.remove(name, if: context.condition(on: name, service)) { result in
        switch result {
        case .success: deferred.complete(.noContent)
        case .failure(let failure):
            deferred.complete(Problem(failure, name, among: service.scheduleReport.schedules).response)
        }
    }
    return .later(deferred)
}

extension HolderService {
    /// Returns the response to a change of a schedule, with its state.
    fileprivate func response(
        to result: Result<(status: Int, fields: [Response.Field]), Schedules.Failure>,
        about name: ResourceName,
        warning: String? = nil
    ) -> Response {
        let known = scheduleReport.schedules
        switch result {
        case .success(let success):
            guard let state = known.first(where: { $0.schedule.name == name }) else {
                // Removed since.
                return Problem.unknownSchedule(name.text, among: known).response
            }
            let fields = success.fields + [("ETag", Precondition.tag(of: state.json))]
            return .json(state.json(warning: warning), status: success.status, fields: fields)
        case .failure(let failure):
            return Problem(failure, name, among: known).response
        }
    }
}

extension Schedule {
    /// Returns a warning about displays that are not there now.
    ///
    /// - Throws: For ids that a display of this machine cannot get: those of other daemons, groups and tags.
    fileprivate func warning(among displays: DisplayService) throws(Problem) -> String? {
        guard case .named(let ids) = self.displays else {
            guard displays.own.isEmpty else { return nil }
            return
                "This machine has no display of its own now. The schedule includes each once it is connected, and none "
                + "of other daemons."
        }
        var absent: [String] = []
        for id in ids {
            guard let state = displays.state(of: id) else {
                guard case .id? = DisplayPattern(id.text) else {
                    throw RequestBody.invalid(
                        "displays",
                        "\(id) is not a display: a schedule names displays, not groups or tags. Nothing was changed."
                    )
                }
                absent.append(id.text)
                continue
            }
            if state.kind == .remote {
                throw RequestBody.invalid(
                    "displays",
                    "\(id) is a display of another daemon. Put the schedule there. Nothing was changed."
                )
            }
        }
        guard !absent.isEmpty else { return nil }
        return "This machine has no display \(absent.joined(separator: ", ")) now. The schedule includes it once it is "
            + "connected."
    }
}

extension RequestContext {
    /// Whether the request's condition holds for a schedule, at its turn.
    fileprivate func condition(on name: ResourceName, _ service: HolderService) -> @Sendable () -> Bool {
        let condition = precondition
        return { condition.holds(for: service.scheduleReport.schedules.first { $0.schedule.name == name }?.json) }
    }

    var holderService: HolderService {
        get throws(Problem) {
            guard let holders = backend.configuration.holders else {
                throw Problem(.notFound, "This daemon has no schedules.")
            }
            return holders
        }
    }
}

extension Problem {
    fileprivate static func unknownSchedule(_ name: String, among known: [ScheduleState]) -> Problem {
        .unknown("schedule", name, among: known.map(\.schedule.name.text))
    }

    fileprivate init(_ failure: Schedules.Failure, _ name: ResourceName, among known: [ScheduleState]) {
        switch failure {
        case .tooMany:
            self = .retry(
                .serverLimitReached,
                "The daemon has \(Schedules.limit) schedules, the maximum. Remove one. Nothing was changed.",
                after: 60
            )
        case .noLocation:
            self = RequestBody.invalid(
                "from",
                """
                Sunrise and sunset require the daemon's location: set it by brightness location 52.52,13.40, on the \
                dashboard or at /v1/location.
                """
            )
        case .unknown: self = .unknownSchedule(name.text, among: known)
        case .changed: self = .changedSince
        }
    }
}
