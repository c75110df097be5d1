// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support
import Synchronization
import TestSupport
import Testing

@testable import ESPHome

@Suite struct ServerKeyTests {
    private static let key = NoiseKey(bytes: Array(0..<32))!
    private let start = Moment.start.instant

    @Test func `without a key only this machine is admitted, unless the window is open`() throws {
        let key = ServerKey(nil) { _ in true }
        #expect(key.admission(isLocal: true, at: start) == .local)
        #expect(key.admission(isLocal: false, at: start) == nil)
        try key.open(for: .seconds(60), at: start)
        #expect(key.admission(isLocal: true, at: start) == .window(isLocal: true))
        #expect(key.admission(isLocal: false, at: start + .seconds(59)) == .window(isLocal: false))
        #expect(key.admission(isLocal: false, at: start + .seconds(60)) == nil)
        #expect(key.state(at: start + .seconds(20)) == (.awaited, .seconds(40)))
        #expect(key.state(at: start + .seconds(60)) == (.none, nil))
    }

    @Test func `a key is set in the window only, and once`() throws {
        let key = ServerKey(nil) { _ in true }
        #expect(!key.set(Self.key, at: start))
        try key.open(for: .seconds(60), at: start)
        key.close()
        #expect(!key.set(Self.key, at: start))
        try key.open(for: .seconds(60), at: start)
        #expect(!key.set(.zero, at: start))
        #expect(key.set(Self.key, at: start))
        #expect(key.state(at: start) == (.set, nil))
        #expect(key.admission(isLocal: true, at: start) == .key(Self.key))
        #expect(throws: KeyWindowError.hasKey) { try key.open(for: .seconds(60), at: start) }
    }

    @Test func `a key that is not stored is not set`() throws {
        let full = ServerKey(nil) { _ in false }
        try full.open(for: .seconds(60), at: start)
        #expect(!full.set(Self.key, at: start))
        #expect(full.state(at: start).key == .awaited)
        #expect(throws: KeyWindowError.isNotStored) { try ServerKey(nil).open(for: .seconds(60), at: start) }
        #expect(throws: KeyWindowError.hasKey) { try ServerKey(Self.key).open(for: .seconds(60), at: start) }
    }

    @Test func `changes of the window wake the server`() throws {
        let wakes = Counter()
        let key = ServerKey(nil) { _ in true }
        key.observe { wakes.count() }
        try key.open(for: .seconds(60), at: start)
        key.close()
        #expect(wakes.value == 2)
    }

    @Test func `a key in base64 is the same key`() {
        let text = Self.key.base64
        #expect(text == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        #expect(NoiseKey(base64: text) == Self.key)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("192.168.1.2", false),
        ("::ffff:192.168.1.2", false), ("fe80::1%eth0", false), ("unknown", false), ("12.7.0.1", false),
    ])
    func `an address is of this machine`(peer: String, isLoopback: Bool) {
        #expect(PeerAddress(text: peer, network: NetworkPrefix(number: 7)).isLocal == isLoopback)
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func count() { number.withLock { $0 += 1 } }
}
