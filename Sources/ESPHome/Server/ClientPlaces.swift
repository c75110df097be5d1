// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

/// The places of clients: who is let in, and who makes room. No address can take those of others.
///
/// Rules only; time is an argument.
struct ClientPlaces {
    /// The most clients.
    static let limit = 32
    /// The most clients of one network that have not said hello; those of this machine have no limit.
    static let strangerLimit = 4
    /// New connections of one network per second, with bursts of twice as many. Connections of this machine have no
    /// limit.
    static let connectLimit = 50

    struct Client {
        let network: NetworkPrefix
        /// Whether it has not said hello.
        let isStranger: Bool
    }

    enum Place: Equatable {
        case free
        /// The client at this index makes room.
        case replacing(Int)
        /// Every client has said hello.
        case none
        /// The network connects too often.
        case tooManyConnects
    }

    private var connects = WriteQuotas<NetworkPrefix>(WriteQuota(perSecond: connectLimit))

    /// Returns the place of a newcomer. The oldest stranger of the network with the most strangers makes room.
    ///
    /// - Parameter clients: In the order of their arrival.
    mutating func place(for network: NetworkPrefix, among clients: [Client], at now: Instant) -> Place {
        guard network.isLoopback || connects.spend(network, at: now).isEnough else { return .tooManyConnects }
        let strangers = clients.indices.filter { clients[$0].isStranger }
        var counts: [NetworkPrefix: Int] = [network: 1]
        for index in strangers { counts[clients[index].network, default: 0] += 1 }
        let isFull = clients.count >= Self.limit
        let isOver = !network.isLoopback && counts[network] ?? 0 > Self.strangerLimit
        guard isFull || isOver else { return .free }
        let most = isOver ? counts[network] : strangers.compactMap { counts[clients[$0].network] }.max()
        let oldest = strangers.first {
            counts[clients[$0].network] == most && (!isOver || clients[$0].network == network)
        }
        return oldest.map { .replacing($0) } ?? .none
    }
}
