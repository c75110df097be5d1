// SPDX-License-Identifier: Apache-2.0

/// The step that a screen dimmer may have saved while leases changed the panel, and the state to restore with it.
///
/// An idle dimmer (`brightnessctl --save set 10%`, then `--restore`) saves the boosted or dimmed step, because it reads
/// that. Its restore does not request that step: it returns the display to the state in which it was saved.
struct RestorePoint: Sendable {
    /// The step that a program read. Several after failed writes that the panel may have stored.
    let steps: Set<Int>
    /// The baseline at that time. Follows changes made through the daemon.
    var baseline: Brightness
    var baselineStep: Int
    /// The leases that the dimmer has overridden.
    let overridden: Set<LeaseID>
    /// The end of the hold of automatic brightness at that time.
    let heldUntil: Moment?
}
