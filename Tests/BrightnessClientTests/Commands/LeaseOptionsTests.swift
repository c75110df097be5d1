// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessClient

@Suite struct LeaseOptionsTests {
    @Test func `two runs with one host name and process id have holders of their own`() {
        let first = CommandSession.ownHolder
        #expect(CommandSession.ownHolder != first)
    }
}
