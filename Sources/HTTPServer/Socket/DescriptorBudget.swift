// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How the descriptors this process may have are divided, so that it refuses politely before the kernel refuses it.
struct DescriptorBudget {
    /// libmicrohttpd's connections: requests under way and idle keep-alive ones.
    let connectionsPerShard: Int
    /// Event streams of all shards.
    let streams: Int

    /// Kept free for what else the process opens: epoll sets, logs, devices. Half of it is apart from the sockets of rejected clients.
    private static let reserve = 64

    init(descriptors: Int, shards: Int) {
        let reserve = max(Self.reserve, Self.reserve / 2 + AcceptingSockets.mostLeaving * shards)
        let usable = max(descriptors - reserve, 4 * shards)
        connectionsPerShard = max(2, min(usable / 20, 16_384) / shards)
        streams = max(1, usable - connectionsPerShard * shards)
    }

    /// What this process may have, after raising its soft limit to the hard one.
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
