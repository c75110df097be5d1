// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

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
        guard let lease = try table?.lease(context.lease, for: context.authority.asker) else { throw .unknown }
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
