// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite struct HistoryQueryTests {
    private func query(_ seconds: Double, step: Int? = nil) throws -> HistoryQuery {
        let end = Timestamp(milliseconds: Int64(seconds * 1_000))
        return try HistoryQuery(DisplayID("a")!, from: Timestamp(milliseconds: 0), to: end, step: step)
    }

    @Test(
        arguments: [
            (0.5, 1, 1), (60, 1, 61), (500, 1, 501), (500.001, 2, 251), (999, 2, 500), (3_600, 10, 361),
            (86_400, 300, 289), (7 * 86_400, 1_800, 337), (30 * 86_400, 7_200, 361), (365 * 86_400, 86_400, 366),
            (500 * 86_400, 86_400, 501), (3_650 * 86_400, 691_200, 457),
        ] as [(Double, Int, Int)]
    )
    func `the default step is the shortest with at most 501 points`(seconds: Double, step: Int, points: Int) throws {
        let query = try query(seconds)
        #expect(query.step == step)
        #expect(Array(query.times).count == points)
    }

    @Test(arguments: [1_999, 2_000, 3_600, 86_400, 31_536_000, 1_999_999, 2_000_000])
    func `the smallest step in the error is the smallest valid one`(seconds: Double) throws {
        var smallest = 1
        do { _ = try query(seconds, step: 1) } catch HistoryQuery.Failure.tooFine(let step) { smallest = step }
        #expect(Array(try query(seconds, step: smallest).times).count <= HistoryQuery.limit)
        if smallest > 1 {
            #expect(throws: HistoryQuery.Failure.tooFine(smallestStep: smallest)) {
                try query(seconds, step: smallest - 1)
            }
        }
    }

    @Test(arguments: [0, -1]) func `a range that ends before it begins is rejected`(seconds: Double) {
        #expect(throws: HistoryQuery.Failure.empty) { try query(seconds) }
    }
}
