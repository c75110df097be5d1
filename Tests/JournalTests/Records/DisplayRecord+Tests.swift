// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore

extension DisplayRecord {
    /// A display of 1,000 steps, which its leases raise to the highest.
    init(of id: DisplayID, _ leases: [Lease], baselineStep: Int) {
        self.init(
            id: id,
            maximum: 1_000,
            baseline: Brightness(clamping: Double(baselineStep) / 1_000),
            baselineStep: baselineStep,
            floor: leases.isEmpty ? nil : baselineStep,
            ceiling: leases.isEmpty ? nil : 1_000,
            leases: leases
        )
    }
}
