// SPDX-License-Identifier: Apache-2.0

extension DisplayModel {
    /// Whether the action sets the panel's target, even if the panel was already moving there.
    func isAimed(by action: Command.Action) -> Bool {
        switch action {
        case .set, .adjust: leased == nil
        case .grant(let request):
            request.brightness.map { leased == attainable($0, by: request.kind) } ?? false
        case .setPower, .renew, .release, .restore, .restoreAll, .setAutomatic, .follow, .tick, .refresh, .clockSet:
            false
        }
    }

    /// Returns the brightness that a lease alone can reach here.
    func attainable(_ brightness: Brightness, by kind: LeaseKind) -> Brightness {
        switch kind.demand {
        case .atLeast: granted(brightness)
        case .atMost: max(brightness, range.dimmest)
        case .on, .off: brightness
        }
    }
}
