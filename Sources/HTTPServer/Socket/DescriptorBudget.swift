// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The division of the process's descriptors. The server rejects clients with a response before the kernel would refuse
/// them without one.
struct DescriptorBudget {
    /// libmicrohttpd's connections per shard: active requests and idle keep-alive connections.
    let connectionsPerShard: Int
    /// Streams of all shards.
    let streams: Int

    /// Descriptors for everything else: epoll sets, logs, devices. Half of it does not count the sockets of rejected
    /// clients.
    private static let reserve = 64

    init(descriptors: Int, shards: Int) {
        let reserve = max(Self.reserve, Self.reserve / 2 + AcceptingSockets.maximumLingering * shards)
        let usable = max(descriptors - reserve, 4 * shards)
        connectionsPerShard = max(2, min(usable / 20, 16_384) / shards)
        streams = max(1, usable - connectionsPerShard * shards)
    }

    /// Returns the process's descriptor limit, after raising the soft limit to the hard one.
    static func available() -> Int {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(files, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
        getrlimit(files, &limit)
        return Int(min(limit.rlim_cur, 1_048_576))
    }
}
