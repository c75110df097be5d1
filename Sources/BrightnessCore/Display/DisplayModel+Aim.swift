// SPDX-License-Identifier: Apache-2.0

extension DisplayModel {
    /// Whether the action sets the panel's target, even if the panel was already moving there.
    func isAimed(by action: Command.Action) -> Bool {
        switch action {
        case .set, .move: leased == nil
        case .grant(let request): isAimed(by: request.kind, at: request.level?.brightness)
        case .renew(let id, let change):
            leases.all.first { $0.id == id }.map { isAimed(by: $0.kind, at: change.level?.brightness) } ?? false
        case .apply(let request): request.value(of: id)?.brightness != nil && leased == nil
        default: false
        }
    }

    private func isAimed(by kind: LeaseKind, at brightness: Brightness?) -> Bool {
        brightness.map { leased == attainable($0, by: kind) } ?? false
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
