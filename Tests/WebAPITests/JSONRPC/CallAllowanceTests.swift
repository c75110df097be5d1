// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import WebAPI

@Suite struct CallAllowanceTests {
    @Test(arguments: [
        ([Int](repeating: 0, count: 65), [Bool](repeating: true, count: 64) + [false]),  // calls for one display
        ([0, 3_000, 3_000, 0], [true, true, false, true]),  // the first for all fits however many there are
        ([100, 100, 100, 56, 1], [true, true, false, true, false]),
    ])
    func `pending calls are limited by their number of displays`(displays: [Int], fit: [Bool]) {
        var allowance = CallAllowance()
        #expect(displays.map { allowance.spend($0) } == fit)
    }

    @Test func `an answered call frees its allowance`() {
        var allowance = CallAllowance()
        for displays in [Int](repeating: 0, count: 63) + [3_000] { _ = allowance.spend(displays) }
        allowance.release(0)
        #expect([3_000, 0].map { allowance.spend($0) } == [false, true])
        allowance.release(3_000)
        #expect([3_000, 0].map { allowance.spend($0) } == [true, false])
    }
}
