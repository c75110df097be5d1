// SPDX-License-Identifier: Apache-2.0

/// Numbers that are the same in every run.
struct SplitMix {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) }

    /// At least 0, and below 1.
    mutating func fraction() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }

    mutating func number(below limit: Int) -> Int { Int(fraction() * Double(limit)) }
}
