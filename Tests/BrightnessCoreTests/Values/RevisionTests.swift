// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RevisionTests {
    @Test func `the next revision is one greater`() {
        #expect(Revision(0).next == Revision(1))
        #expect(Revision(41).next.number == 42)
        #expect(Revision(9) < Revision(10))
    }

    @Test(arguments: [
        (UInt32(0), "00000000"), (0xf, "0000000f"), (0x7f3a, "00007f3a"), (0xdead_beef, "deadbeef"), (.max, "ffffffff"),
    ])
    func `an epoch is eight lowercase hexadecimal digits`(number: UInt32, text: String) {
        #expect(Epoch(number: number).text == text)
    }

    @Test func `every start draws its own epoch`() {
        let epochs = (0..<16).map { _ in Epoch.random() }
        #expect(Set(epochs).count > 1)
        #expect(epochs.allSatisfy { $0.text.utf8.count == 8 })
    }
}
