// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer

extension Resource {
    /// The location of the daemon's machine, for schedules by the sun.
    static let location = Resource("/v1/location", .get(read), .edit(.put, put), .edit(.delete, remove))
}

/// Only for administrators: the others see when the sun rises and sets.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    return context.tagged(LocationDocument(context.holderService.location).json)
}

/// It is in force, and stored, before the response.
private func put(_ context: RequestContext) throws(Problem) -> Reply {
    let service = context.holderService
    let location = try Location(from: context.body())
    let deferred = Deferred.stored("It is in force")
    service.setLocation(location, if: context.condition(on: service)) {
        deferred.complete($0 ? .tagged(LocationDocument(service.location).json) : Problem.changedSince.response)
    }
    return .later(deferred)
}

private func remove(_ context: RequestContext) throws(Problem) -> Reply {
    let service = context.holderService
    let deferred = Deferred.stored("It is forgotten")
    service.setLocation(nil, if: context.condition(on: service)) {
        deferred.complete($0 ? .noContent : Problem.changedSince.response)
    }
    return .later(deferred)
}

extension RequestContext {
    /// Whether the request's condition holds for the location, at its turn.
    fileprivate func condition(on service: HolderService) -> @Sendable () -> Bool {
        let condition = precondition
        return { condition.holds(for: LocationDocument(service.location).json) }
    }
}
