// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import HTTPServer

extension Resource {
    /// The end of the caller's lease, or with the scope `admin` of every lease.
    static let restore = [
        Resource("/v1/restore", .post(release)),
        Resource("/v1/displays/{id}/restore", .post(release)),
        Resource("/v1/displays/all/restore", .post(release)),
    ]
}

private func release(_ context: RequestContext) throws(Problem) -> Reply {
    let command = try Command.restore(from: context.body(isOptional: true))
    try context.authority.require(command.scope)
    return try context.perform(command)
}
