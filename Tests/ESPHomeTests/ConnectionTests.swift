// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Support
import TestSupport
import Testing

@testable import ESPHome

@Suite struct ConnectionTests {
    private static let identity = Identity(machine: "lobby", id: "1")
    private static let peer = PeerAddress(text: "client", network: NetworkPrefix(number: 7))
    private let now = Moment.start.instant

    private static func bridge() throws -> ESPHomeBridge {
        let hub = NotificationHub()
        return ESPHomeBridge(
            Surface(try DisplayService([], poster: hub.poster, at: .start), hub),
            .init(
                identity: identity,
                version: "1",
                key: ServerKey(nil),
                sensors: PushedSensors(light: [], presence: [], poster: hub.poster)
            )
        ) {}
    }

    @Test func `a client is not read while its earlier requests wait for room in the output`() throws {
        let bridge = try Self.bridge()
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let client = ends[1]
        defer { close(client) }
        let transport = Transport(.local, Self.identity)
        let connection = Connection(ends[0], of: Self.peer, ClientSession(), transport, at: now)
        // A hello, and requests for the description of the device, whose answers have far more than 16 KiB.
        let requests: [UInt8] = [0, 0, 1] + repeatElement([0, 0, 9] as [UInt8], count: 1_000).joined()
        let sent = send(client, requests, requests.count, 0)
        #expect(sent == requests.count)
        #expect(connection.interest == POLLIN)
        connection.read(bridge, at: now)
        // Everything is sent, and most requests wait.
        #expect(connection.interest == POLLOUT)
        var (received, turns) = ([UInt8](repeating: 0, count: 65_536), 0)
        while connection.interest != POLLIN, turns < requests.count {
            while recv(client, &received, received.count, Int32(MSG_DONTWAIT)) > 0 {}
            connection.process(bridge, at: now)
            turns += 1
        }
        #expect(connection.interest == POLLIN)
        #expect(turns > 1)
    }

    @Test func `refused clients are reported at once, and then every ten seconds`() throws {
        let bridge = try Self.bridge()
        var counts = ClientCounts(.none, at: "")
        for (seconds, due) in [(0, nil), (9, 10), (10, nil), (11, 20), (20, nil)] as [(Int, Int?)] {
            counts.refuse(Self.peer, "for a test", bridge)
            counts.count([], .none, bridge, at: now + .seconds(seconds))
            #expect(counts.deadline == due.map { now + .seconds($0) }, "\(seconds)")
        }
    }
}
