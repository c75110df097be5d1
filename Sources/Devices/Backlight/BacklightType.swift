// SPDX-License-Identifier: Apache-2.0

/// How a backlight is driven, best first: when one panel has several, the kernel's documents prefer `firmware` to
/// `platform` and `platform` to `raw`.
///
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`, `type`
package enum BacklightType: Hashable, Sendable, Comparable, CaseIterable {
    /// By the firmware, such as ACPI.
    case firmware
    /// By the platform's own controller.
    case platform
    /// By the registers of the graphics chip or of the panel.
    case raw
    /// The kernel does not say.
    case unknown

    init(_ text: String) {
        switch text {
        case "firmware": self = .firmware
        case "platform": self = .platform
        case "raw": self = .raw
        default: self = .unknown
        }
    }
}
