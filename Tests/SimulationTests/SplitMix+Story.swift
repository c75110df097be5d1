// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension SplitMix {
    /// The random numbers of one step of a story: they stay the same when other steps are left out.
    init(seed: UInt64, step: Int) {
        self.init(seed: seed)
        self.init(seed: next() ^ UInt64(bitPattern: Int64(step)))
    }

    mutating func chance(_ percent: Int) -> Bool { next() % 100 < UInt64(percent) }

    mutating func one<Element>(of choices: [Element]) -> Element { choices[number(0...choices.count - 1)] }

    /// In 0…1, both included; few enough that some repeat.
    mutating func thousandths() -> Double { Double(number(0...1_000)) / 1_000 }
}
