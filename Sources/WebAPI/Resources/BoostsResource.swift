// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The leases of a display. A POST grants one on one display, or on each.
    static let boosts = [
        Resource("/v1/boost", .post(boost)),
        Resource("/v1/displays/{id}/boosts", .get(list), .post(boost)),
        Resource("/v1/displays/all/boosts", .post(boost)),
    ]
}

private func list(_ context: RequestContext) throws(Problem) -> Reply {
    let backend = context.backend
    let id = try backend.commands.state(of: context.target).id
    return .now(.json((backend.service.boosts(of: id) ?? LeaseTable(display: id)).json))
}

private func boost(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.boost(from: context.body(isOptional: true)), answering: .lease)
}

extension Resource {
    /// One lease of a display.
    static let lease = Resource("/v1/displays/{id}/boosts/{lease}", .get(read), .patch(renew), .delete(release))
}

extension RequestContext {
    fileprivate var lease: LeaseID { LeaseID(parameter("lease") ?? "") }
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let id = try context.backend.commands.state(of: context.target).id
    do throws(LeaseError) {
        let table = context.backend.service.boosts(of: id)
        guard let lease = try table?.lease(context.lease, for: context.caller.asker) else { throw .unknown }
        return .now(.json(lease.json))
    } catch {
        throw Problem(.lease(error), display: id)
    }
}

private func renew(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.renew(context.lease, from: context.body()), answering: .lease)
}

private func release(_ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(Command(.release(context.lease)))
}

extension Resource {
    /// Releases the caller's lease, or with the scope `admin` every lease.
    static let restore = [
        Resource("/v1/restore", .post(releaseLeases)),
        Resource("/v1/displays/{id}/restore", .post(releaseLeases)),
        Resource("/v1/displays/all/restore", .post(releaseLeases)),
    ]
}

private func releaseLeases(_ context: RequestContext) throws(Problem) -> Reply {
    let command = try Command.restore(from: context.body(isOptional: true))
    try context.caller.require(command.scope)
    return try context.perform(command)
}
