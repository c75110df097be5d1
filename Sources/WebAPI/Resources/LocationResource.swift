// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Documents
import HTTPServer

extension Resource {
    /// The place of the daemon's machine, for schedules by the sun.
    static let location = Resource("/v1/location", .get(read), .put(put), .delete(remove))
}

/// Only for administrators: the others see when the sun rises and sets.
private func read(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    return .now(.json(LocationDocument(try context.holderService.location).json))
}

/// It is in force, and stored, before the response.
private func put(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    let service = try context.holderService
    let location = try Location(from: context.body())
    let deferred = Deferred.stored("It is in force")
    service.place(at: location) { deferred.complete(.json(LocationDocument(service.location).json)) }
    return .later(deferred)
}

private func remove(_ context: RequestContext) throws(Problem) -> Reply {
    try context.caller.require(.admin)
    let deferred = Deferred.stored("It is forgotten")
    try context.holderService.place(at: nil) { deferred.complete(.noContent) }
    return .later(deferred)
}
