// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The leases of a display, and those of one kind. A POST grants one on one display, or on each.
    static let leases =
        collection("leases", of: nil) + collection("boosts", of: .boost)
        + LeaseKind.allCases.map { kind in
            Resource("/v1/\(kind.rawValue)", .post { context throws(Problem) in try grant(kind, context) })
        }
}

/// A collection of leases and its elements: `boosts` is `leases` without the other kinds.
private func collection(_ name: String, of kind: LeaseKind?) -> [Resource] {
    [
        Resource(
            "/v1/displays/{id}/\(name)",
            .get { context throws(Problem) in try list(kind, context) },
            .post { context throws(Problem) in try grant(kind, context) }
        ),
        Resource("/v1/displays/all/\(name)", .post { context throws(Problem) in try grant(kind, context) }),
        Resource(
            "/v1/displays/{id}/\(name)/{lease}",
            .get { context throws(Problem) in try read(kind, context) },
            .patch { context throws(Problem) in
                try context.perform(.renew(find(kind, context).id, from: context.body()), answering: .lease)
            },
            .delete { context throws(Problem) in try context.perform(Command(.release(find(kind, context).id))) }
        ),
    ]
}

private func list(_ kind: LeaseKind?, _ context: RequestContext) throws(Problem) -> Reply {
    let backend = context.backend
    let id = try backend.commands.state(of: context.target).id
    let table = backend.service.leases(of: id) ?? LeaseTable(display: id)
    return .now(.json(kind == nil ? table.json : table.boostsJSON))
}

private func grant(_ kind: LeaseKind?, _ context: RequestContext) throws(Problem) -> Reply {
    try context.perform(.lease(kind, from: context.body(isOptional: kind != nil)), answering: .lease)
}

private func read(_ kind: LeaseKind?, _ context: RequestContext) throws(Problem) -> Reply {
    let lease = try find(kind, context)
    let state = try context.backend.commands.state(of: context.target)
    return .now(.json(lease.json(limitedBy: state.limits(on: lease.kind))))
}

/// Returns the lease of the path, which the caller may use.
///
/// - Parameter kind: The kind of the collection; `nil` for every kind.
private func find(_ kind: LeaseKind?, _ context: RequestContext) throws(Problem) -> Lease {
    let id = try context.backend.commands.state(of: context.target).id
    do throws(LeaseError) {
        let table = context.backend.service.leases(of: id) ?? LeaseTable(display: id)
        let lease = try table.lease(LeaseID(context.parameter("lease") ?? ""), for: context.caller.asker)
        guard lease.kind == kind ?? lease.kind else { throw .unknown }
        return lease
    } catch {
        throw Problem(.lease(error), display: id)
    }
}

extension Resource {
    /// Releases the caller's leases, or with the scope `admin` every lease.
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
