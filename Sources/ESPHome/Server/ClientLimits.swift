// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

/// Decides which clients may connect, and which one makes room, so that no network can keep another one out.
///
/// Rules only; time is an argument.
struct ClientLimits {
    /// The maximum number of clients.
    static let limit = 32
    /// The maximum number of clients of one network that have not said hello. Clients of this machine have no limit.
    static let strangerLimit = 4
    /// New connections of one network per second, with bursts of twice as many. Connections of this machine have no
    /// limit.
    static let connectLimit = 50

    struct Client {
        let network: NetworkPrefix
        /// Whether it has not said hello.
        let isStranger: Bool
    }

    enum Decision: Equatable {
        case accept
        /// The client at this index makes room.
        case replacing(Int)
        /// There is no room, and every client has said hello.
        case reject
        /// The network connects too often.
        case tooManyConnects
    }

    private var connects = WriteQuotas<NetworkPrefix>(WriteQuota(perSecond: connectLimit))

    /// Decides about a new connection. The oldest stranger of the network with the most strangers makes room.
    ///
    /// - Parameter clients: In the order of their arrival.
    mutating func decide(on network: NetworkPrefix, among clients: [Client], at now: Instant) -> Decision {
        guard network.isLoopback || connects.spend(network, at: now).isEnough else { return .tooManyConnects }
        let strangers = clients.indices.filter { clients[$0].isStranger }
        // The strangers of each network, the new client included.
        var counts: [NetworkPrefix: Int] = [network: 1]
        for index in strangers { counts[clients[index].network, default: 0] += 1 }
        let isFull = clients.count >= Self.limit
        let isNetworkFull = !network.isLoopback && counts[network] ?? 0 > Self.strangerLimit
        guard isFull || isNetworkFull else { return .accept }
        let most = isNetworkFull ? counts[network] : strangers.compactMap { counts[clients[$0].network] }.max()
        let oldest = strangers.first {
            counts[clients[$0].network] == most && (!isNetworkFull || clients[$0].network == network)
        }
        return oldest.map { .replacing($0) } ?? .reject
    }
}
