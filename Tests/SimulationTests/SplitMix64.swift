// SPDX-License-Identifier: Apache-2.0

/// Random numbers that are the same everywhere for the same seed.
///
/// - SeeAlso: Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014)
struct SplitMix64 {
    private var state: UInt64

    /// The numbers of one step of a run: they stay the same when other steps are left out.
    init(seed: UInt64, step: Int) {
        state = seed
        state = next() ^ UInt64(bitPattern: Int64(step))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func chance(_ percent: Int) -> Bool { next() % 100 < UInt64(percent) }

    mutating func one<Element>(of choices: [Element]) -> Element { choices[number(0...choices.count - 1)] }

    mutating func fraction() -> Double { Double(number(0...1_000)) / 1_000 }
}
