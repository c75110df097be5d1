// SPDX-License-Identifier: Apache-2.0

/// The knowledge about the step that a panel shows: the written steps, and how the panel rounds them.
///
/// A step that was read and that no write explains was set by another program or a person.
struct ShownStep: Sendable {
    private let range: BrightnessRange
    /// Whether the panel may read back another step than the written one.
    private let rounds: Bool
    /// The step that was last written or read.
    private(set) var step: Int
    /// The step that the panel reports after a write of `step`.
    private(set) var readBack: Int?
    /// Whether `step` was written, and the next read may differ from it by rounding.
    private(set) var awaitsReadBack = false
    /// Steps whose writes failed, although the panel may have accepted them: kernels differ. Until a write succeeds,
    /// the shown step is unknown, and none of these counts as a change by others.
    private(set) var unconfirmed: Set<Int> = []

    init(_ step: Int, on panel: any Panel) {
        self.step = step
        range = panel.range
        rounds = panel.rounds
    }

    /// The step that the device shows in place of the written one, if rounding does not explain it.
    var substitute: Int? { readBack.flatMap { isOwn($0, of: step) ? nil : $0 } }

    /// Every step that the panel may report.
    var possible: Set<Int> { unconfirmed.union([readBack ?? step]) }

    var isCertain: Bool { unconfirmed.isEmpty }

    /// Whether the panel may read back `other` after a write of `step`.
    func isOwn(_ other: Int, of step: Int) -> Bool { rounds ? range.isRounding(of: step, other) : other == step }

    /// Reports a read step. Returns whether the writes explain it; if not, call `adopt`.
    mutating func confirm(_ read: Int) -> Bool {
        defer { awaitsReadBack = false }
        if unconfirmed.contains(where: { isOwn(read, of: $0) }) {
            step = read
        } else if awaitsReadBack, isOwn(read, of: step) {
            readBack = read
        } else if read == step {
            // A device that shows a substitute may take the written one later.
            readBack = nil
        } else {
            return read == readBack
        }
        return true
    }

    /// Reports the first read after the panel was gone. The step is not a change by others.
    mutating func found(_ read: Int) {
        (step, readBack, awaitsReadBack) = (read, nil, false)
    }

    mutating func adopt(_ read: Int) { (step, readBack, unconfirmed) = (read, nil, []) }

    /// Reports that the panel accepted a step and now reads `readBack`; `nil` if it was not read.
    mutating func wrote(_ written: Int, readBack: Int?) {
        step = written
        self.readBack = readBack
        awaitsReadBack = readBack == nil
        unconfirmed = []
    }

    /// Reports a failed write. The panel may show the step nevertheless.
    mutating func markUnconfirmed(_ refused: Int) { unconfirmed.insert(refused) }
}

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
