// SPDX-License-Identifier: Apache-2.0

/// The step that a screen dimmer may have saved while leases raised the panel, and what belongs to it.
///
/// An idle dimmer (`brightnessctl --save set 10%`, then `--restore`) saves the raised step, since that is what it reads.
/// Its restore is not a wish for that step: it returns to the state in which it was saved.
struct RestorePoint: Sendable {
    /// The raised step, as a program read it.
    let step: Int
    /// The baseline below it. Follows what people ask for through the daemon.
    var baseline: Brightness
    var baselineStep: Int
    /// The end of the hold of automatic brightness then.
    let heldUntil: Moment?
}
