// SPDX-License-Identifier: Apache-2.0

extension DisplayModel {
    /// Whether the action sets the panel's target, even if the panel was already moving there.
    func isAimed(by action: Command.Action) -> Bool {
        switch action {
        case .set, .adjust: leased == nil
        case .grant(let request):
            request.brightness.map { leased == (request.kind == .dim ? max($0, range.dimmest) : granted($0)) } ?? false
        case .setPower, .renew, .release, .restore, .restoreAll, .setAutomatic, .follow, .tick, .refresh, .clockSet:
            false
        }
    }
}
