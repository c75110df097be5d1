// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct HolderConnectionsTests {
    private let holders = HolderConnections()

    private func open(_ name: String, at seconds: Int = 0) {
        _ = holders.opened([name], of: .mqtt, at: .after(.seconds(seconds)))
    }

    private func close(_ name: String, at seconds: Int = 0) {
        _ = holders.closed([name], of: .mqtt, at: .after(.seconds(seconds)))
    }

    private func connectivity(_ name: String) -> HolderConnectivity { holders.connectivity(of: name, .mqtt) }

    /// Other holders, which come and leave at once.
    private func pass(_ count: Int) {
        for number in 0..<count {
            open("other-\(number)")
            close("other-\(number)")
        }
    }

    @Test func `a holder is connected from its first stream to the end of its last`() {
        #expect(connectivity("page") == .unknown)
        #expect(holders.opened(["page"], of: .mqtt, at: .after(.seconds(1))))
        #expect(!holders.opened(["page"], of: .mqtt, at: .after(.seconds(2))))
        #expect(connectivity("page") == .connected(since: .after(.seconds(1))))
        #expect(holders.connectivity(of: "page", .esphome) == .unknown)
        #expect(!holders.closed(["page"], of: .mqtt, at: .after(.seconds(3))))
        #expect(connectivity("page").isConnected)
        #expect(holders.closed(["page"], of: .mqtt, at: .after(.seconds(4))))
        #expect(connectivity("page") == .gone(since: .after(.seconds(4))))
        let version = holders.version
        #expect(!holders.closed(["page"], of: .mqtt, at: .after(.seconds(5))))
        #expect(holders.version == version)
    }

    @Test func `a holder that stays is connected while 4,097 others come and go`() {
        open("page")
        pass(4_097)
        #expect(connectivity("page") == .connected(since: .start))
        #expect(connectivity("other-0") == .unknown)
        #expect(connectivity("other-1") == .gone(since: .start))
    }

    @Test func `a holder that left and came back is connected while 4,097 others come and go`() {
        open("page")
        close("page")
        open("page", at: 1)
        pass(4_097)
        #expect(connectivity("page") == .connected(since: .after(.seconds(1))))
    }

    @Test func `the newest departure of a holder counts, also after earlier ones`() {
        open("page")
        close("page")
        pass(4_095)
        open("page", at: 1)
        close("page", at: 2)
        pass(10)
        #expect(connectivity("page") == .gone(since: .after(.seconds(2))))
    }
}
