// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The leases of a display: all, or those of one kind. A POST grants one on one display, or on each.
    ///
    /// Each kind has its word. `boosts` is `boost` with the leases' own URLs below it, as `leases` has them.
    static let leases =
        LeaseKind.allCases.flatMap { kind in ofDisplays(kind.rawValue, list(kind), grant(kind)) }
        + ofDisplays("leases", list(nil), grant(nil)) + [lease("leases", of: nil)]
        + [
            Resource("/v1/displays/{id}/boosts", list(.boost), grant(.boost)),
            Resource("/v1/displays/all/boosts", list(.boost), grant(.boost)),
            Resource("/v1/groups/{group}/boosts", list(.boost), grant(.boost)),
            lease("boosts", of: .boost),
        ]
}

/// One lease of a collection.
private func lease(_ name: String, of kind: LeaseKind?) -> Resource {
    Resource(
        "/v1/displays/{id}/\(name)/{lease}",
        .get { context throws(Problem) in try read(kind, context) },
        .patch(of: .displays) { context throws(Problem) in
            let body = try context.body()
            return try context.perform(.renew(find(kind, context).id, from: body), answering: .lease)
        },
        .delete(of: .displays) { context throws(Problem) in
            try context.perform(Command(.release(find(kind, context).id)))
        }
    )
}

private func list(_ kind: LeaseKind?) -> Operation {
    .get { context throws(Problem) in
        // A display may have a thousand of them.
        try context.document(beyond: 1) { displays, service in
            let tables = displays.states.compactMap { service.leases(of: $0.id) }
            return LeaseTable.json(of: tables, kind, as: kind == .boost ? "boosts" : "leases")
        }
    }
}

private func grant(_ kind: LeaseKind?) -> Operation {
    .post(of: .displays) { context throws(Problem) in try grant(kind, context) }
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
    static let restore = ofDisplays("restore", .post(of: .displays, releaseLeases))
}

private func releaseLeases(_ context: RequestContext) throws(Problem) -> Reply {
    let command = try Command.restore(from: context.body(isOptional: true))
    try context.caller.require(command.scope)
    return try context.perform(command, answering: .restored)
}
