// SPDX-License-Identifier: Apache-2.0

/// What is known of the step that a panel shows: which steps it was told, and what it makes of them.
///
/// A step that is read and that none of this explains was set by somebody else.
struct ShownStep: Sendable {
    private let range: BrightnessRange
    /// Whether the panel may read back another step than it was told.
    private let rounds: Bool
    /// What the panel was last told or seen to show.
    private(set) var step: Int
    /// The step that the panel reports after `step` was written.
    private var readBack: Int?
    /// `step` was written and not read back yet.
    private var mayRound = false
    /// Steps whose writes failed, though the panel may have taken them: kernels differ. Until a write succeeds, nobody
    /// knows what it shows, and these steps are not mistaken for somebody else's doing.
    private(set) var unconfirmed: Set<Int> = []

    init(_ step: Int, on panel: any Panel) {
        self.step = step
        range = panel.range
        rounds = panel.rounds
    }

    /// What the panel reports while it shows `step`.
    var reported: Int { readBack ?? step }

    var isCertain: Bool { unconfirmed.isEmpty }

    /// Whether `other` may be what the panel itself makes of a written `step`.
    func isOwn(_ other: Int, of step: Int) -> Bool { rounds ? range.isRounding(of: step, other) : other == step }

    /// The panel was read. Returns whether what it was told explains that; if not, call `take`.
    mutating func confirm(_ read: Int) -> Bool {
        defer { mayRound = false }
        if unconfirmed.contains(where: { isOwn(read, of: $0) }) {
            step = read
        } else if mayRound, isOwn(read, of: step) {
            readBack = read
        } else {
            return read == step || read == readBack
        }
        return true
    }

    /// The panel was read after it was gone: whatever it shows is nobody's wish.
    mutating func found(_ read: Int) {
        step = read
        mayRound = false
    }

    /// Somebody else set the panel.
    mutating func take(_ read: Int) { (step, readBack, unconfirmed) = (read, nil, []) }

    /// The panel took a step, and now reports `readBack`, if it was asked.
    mutating func wrote(_ written: Int, readBack: Int?) {
        step = written
        self.readBack = readBack
        mayRound = readBack == nil
        unconfirmed = []
    }

    /// A write failed; the panel may show the step all the same.
    mutating func doubt(_ refused: Int) { unconfirmed.insert(refused) }
}
