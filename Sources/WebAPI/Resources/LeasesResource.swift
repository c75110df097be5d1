// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import Support

extension Resource {
    /// The leases of a display: all at `leases`, or those of one kind at its name. A POST grants one on one display, or
    /// on each.
    static let leases =
        LeaseKind.allCases.flatMap { kind in ofDisplays(kind.rawValue, list(kind), .command(.lease(kind))) }
        + ofDisplays("leases", list(nil), .write(.post, of: .displays, grant)) + [lease]

    /// Releases the caller's leases, or with the scope `admin` every lease.
    static let restore = ofDisplays("restore", .command(.restore))
}

private let lease = Resource(
    "/v1/displays/{id}/leases/{lease}",
    .get(read),
    .write(.patch, of: .displays) { context throws(Problem) in
        let body = try context.body()
        return try context.execute(.renew(find(context).id, from: body))
    },
    .write(.delete, of: .displays) { context throws(Problem) in
        try context.execute(Command(.release(find(context).id)))
    }
)

/// - Parameter kind: The kind of the path; `nil` for the one of `?kind=`, and without it every kind.
private func list(_ kind: LeaseKind?) -> Operation {
    .get { context throws(Problem) in
        let kind = if let kind { kind } else { try context.leaseKind() }
        // Made on another thread even for two displays, each of which may have a thousand leases.
        return try context.document(beyond: 1, kind?.rawValue ?? "") { displays, service in
            LeaseTable.json(of: displays.states.compactMap { service.leases(of: $0.id) }, kind)
        }
    }
}

extension RequestContext {
    /// `?kind=boost`.
    fileprivate func leaseKind() throws(Problem) -> LeaseKind? {
        guard let name = request.query("kind") else { return nil }
        if let kind = LeaseKind(rawValue: name) { return kind }
        let kinds = Suggestion.list(LeaseKind.allCases.map(\.rawValue), "or")
        throw Problem(.invalidRequest, "kind must be \(kinds), not \"\(name.plain(upTo: 64))\".")
    }
}

private func grant(_ context: RequestContext) throws(Problem) -> Reply {
    try context.execute(.lease(from: context.body()))
}

private func read(_ context: RequestContext) throws(Problem) -> Reply {
    let lease = try find(context)
    let state = try context.backend.commands.state(of: context.target)
    return .now(.json(lease.json(limitedBy: state.limits(on: lease.kind))))
}

/// Returns the lease of the path, which the caller may use.
private func find(_ context: RequestContext) throws(Problem) -> Lease {
    let id = try context.backend.commands.state(of: context.target).id
    let lease = LeaseID(context.parameter("lease") ?? "")
    return try Result { () throws(LeaseError) in
        try context.backend.service.lease(lease, of: id, for: context.caller.requester)
    }.mapError { Problem(.lease($0), display: id) }.get()
}
