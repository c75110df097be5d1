// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Support
import TestSupport
import Testing

@testable import ESPHome

@Suite struct ClientLimitsTests {
    private let now = Moment.start.instant

    private func network(_ number: UInt64) -> NetworkPrefix { NetworkPrefix(number: number << 32) }

    private func clients(_ networks: [UInt64], greeted: Int = 0) -> [ClientLimits.Client] {
        networks.enumerated().map { ClientLimits.Client(network: network($1), isStranger: $0 >= greeted) }
    }

    /// - Parameters:
    ///   - strangers: The networks of the clients in the order of their arrival; the first `greeted` have said hello.
    @Test(
        arguments: [
            ([], 0, .accept), ([1, 1, 1], 0, .accept),
            // The fifth of a network replaces its first.
            ([2, 1, 1, 1, 1], 0, .replacing(1)), ([1, 2, 1, 1, 1, 1], 1, .replacing(2)),
            // All are connected: the network with the most strangers makes room.
            ([3] + Array(repeating: 2, count: 31), 0, .replacing(1)),
            ([3, 4, 4] + Array(repeating: 1, count: 29), 29, .replacing(29)),
            (Array(2..<34), 0, .replacing(0)), (Array(repeating: 1, count: 32), 32, .reject),
            (Array(repeating: 1, count: 31) + [2], 31, .replacing(31)),
            // Also of a network at its limit while there are more of loopback.
            (Array(repeating: 0, count: 28) + Array(repeating: 1, count: 4), 0, .replacing(28)),
        ] as [([UInt64], Int, ClientLimits.Decision)]
    )
    func `the network with the most strangers makes room`(
        networks: [UInt64],
        greeted: Int,
        decision: ClientLimits.Decision
    ) {
        var limits = ClientLimits()
        #expect(limits.decide(on: network(1), among: clients(networks, greeted: greeted), at: now) == decision)
    }

    @Test(arguments: [95, 448, 1_290])
    func `a stranger that connects all the time keeps nobody out`(perSecond: Int) throws {
        var limits = ClientLimits()
        var connected: [(network: UInt64, isStranger: Bool)] = []
        var homeArrival: Int?
        for number in 0..<(10 * perSecond) {
            let isHome = number == perSecond
            let comer: UInt64 = isHome ? 2 : 1
            let clients = connected.map { ClientLimits.Client(network: network($0.network), isStranger: $0.isStranger) }
            let time = now + .seconds(1) * number / perSecond
            switch limits.decide(on: network(comer), among: clients, at: time) {
            case .replacing(let index): connected.remove(at: index)
            case .accept: break
            case .reject, .tooManyConnects:
                #expect(!isHome)
                continue
            }
            connected.append((comer, true))
            if isHome { homeArrival = number }
        }
        // It still waits for the handshake, nine seconds later.
        #expect(homeArrival != nil)
        #expect(connected.contains { $0.network == 2 })
        #expect(connected.count { $0.network == 1 } == ClientLimits.strangerLimit)
    }

    @Test func `a network may connect at a limited rate, and this machine at any`() {
        var limits = ClientLimits()
        let accepted = (0..<1_000).count { _ in limits.decide(on: network(1), among: [], at: now) == .accept }
        #expect(accepted == 2 * ClientLimits.connectLimit)
        let local = NetworkPrefix(number: 0x7F00_0001)
        #expect((0..<1_000).allSatisfy { _ in limits.decide(on: local, among: [], at: now) == .accept })
    }

    @Test func `a client without an IP address has the limits of another machine`() throws {
        let sockets = (0..<2).map { _ in socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for socket in sockets { close(socket) } }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // The family alone lets the kernel choose a name.
                #expect(bind(sockets[0], address, socklen_t(MemoryLayout<sa_family_t>.size)) == 0)
                #expect(listen(sockets[0], 1) == 0)
                var length = socklen_t(MemoryLayout<sockaddr_un>.size)
                #expect(getsockname(sockets[0], address, &length) == 0)
                #expect(connect(sockets[1], address, length) == 0)
            }
        }
        let (accepted, peer) = try #require(PeerAddress.accept(sockets[0]))
        close(accepted)
        #expect(!peer.network.isLoopback && !peer.isLocal)
    }
}
