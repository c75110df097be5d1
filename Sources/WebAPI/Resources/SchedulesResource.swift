// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

extension Resource {
    static let schedules = [
        Resource("/v1/schedules", .get { $0.tagged($0.holderService.scheduleReport.json) }),
        Resource("/v1/schedules/{name}", .get(read), .edit(.put, put), .edit(.patch, pause), .edit(.delete, remove)),
    ]
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let name = context.parameter("name") ?? ""
    let known = context.holderService.scheduleReport.schedules
    guard let state = known.first(where: { $0.schedule.name.text == name }) else {
        throw .unknownSchedule(name, among: known)
    }
    return context.tagged(state.json)
}

private func put(_ context: RequestContext) throws(Problem) -> Reply {
    let name = try ResourceName(path: context.parameter("name") ?? "", of: "A schedule")
    let schedule = try Schedule(name, from: context.body())
    let warning = try schedule.warning(among: context.backend.service)
    return context.edit(.put(schedule), "It is in force", warning: warning)
}

private func pause(_ context: RequestContext) throws(Problem) -> Reply {
    let name = try ResourceName(path: context.parameter("name") ?? "", of: "A schedule")
    let isPaused = try Schedule.isPaused(in: context.body())
    return context.edit(.pause(name, isPaused), "It is \(isPaused ? "paused" : "resumed")")
}

private func remove(_ context: RequestContext) throws(Problem) -> Reply {
    let text = context.parameter("name") ?? ""
    guard let name = ResourceName(text) else {
        throw .unknownSchedule(text, among: context.holderService.scheduleReport.schedules)
    }
    return context.edit(.remove(name), "It is removed")
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
    /// Changes a schedule, if the request's condition holds for it at its turn. That is executed, and stored, before
    /// the response.
    fileprivate func edit(_ edit: Schedules.Edit, _ effect: String, warning: String? = nil) -> Reply {
        let (service, condition, name) = (holderService, precondition, edit.name)
        @Sendable func state() -> ScheduleState? {
            service.scheduleReport.schedules.first { $0.schedule.name == name }
        }
        let deferred = Deferred.stored(effect)
        service.edit(edit, if: { condition.holds(for: state()?.json) }) { result in
            switch (result, edit) {
            case (.success, .remove): deferred.complete(.noContent)
            case (.success(let isNew), _):
                guard let state = state() else {
                    // Removed since.
                    let known = service.scheduleReport.schedules
                    return deferred.complete(Problem.unknownSchedule(name.text, among: known).response)
                }
                var fields: [Response.Field] = [("ETag", Precondition.tag(of: state.json))]
                if isNew { fields.insert(("Location", "/v1/schedules/\(name.text.percentEncoded())"), at: 0) }
                deferred.complete(.json(state.json(warning: warning), status: isNew ? 201 : 200, fields: fields))
            case (.failure(let failure), _):
                deferred.complete(Problem(failure, name, among: service.scheduleReport.schedules).response)
            }
        }
        return .later(deferred)
    }

    var holderService: HolderService { backend.configuration.saved.holders }
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
