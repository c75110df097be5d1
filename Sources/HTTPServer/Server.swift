// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc
package import Support
import Synchronization

/// An HTTP server on libmicrohttpd: listening addresses, and shards that serve them. Independent of its application.
package final class Server: Sendable {
    package struct Configuration: Sendable {
        /// `nil` for none.
        let address: ListenAddress?
        /// The path of the Unix socket; `nil` for none.
        package var unixPath: String?
        /// Sockets that the service manager opened. Inherited addresses replace `address`, inherited files replace
        /// `unixPath`.
        package var inherited: [InheritedSocket] = []
        /// The number of threads; by default one per core.
        package var shards = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        /// The maximum number of descriptors for connections and streams; `nil` for all that the process may open.
        package var descriptors: Int?
        /// The limit of event streams and WebSockets per client.
        package var clientLimit = ClientLimit.defaultStreams
        /// The limit of other connections per client; `nil` derives it from the descriptors.
        package var clientConnections: ClientLimit?
        /// The limit of new connections per client and second. A burst may have twice as many.
        package var clientConnects = ClientLimit.defaultConnects
        package var connectionLimits = ConnectionLimits()

        package init(address: ListenAddress?) { self.address = address }
    }

    /// The listening addresses, with the actual port if port 0 was requested. None if a Unix socket is the only one.
    package let addresses: [ListenAddress]
    package let paths: [String]
    private let unixSocket: UnixSocket?
    private let inboxes: [ShardInbox]
    /// Opens when every shard has ended.
    package let ended: Latch

    /// Opens the sockets and starts the shards.
    ///
    /// - Parameter makeApplication: Called once per shard, before its thread starts. The application wakes its shard by
    ///   the inbox when there are events.
    package init(
        _ configuration: Configuration,
        makeApplication: (ShardInbox) -> any Application
    ) throws(ServerError) {
        cmhd_log_panics()
        let budget = DescriptorBudget(
            descriptors: configuration.descriptors ?? DescriptorBudget.available(),
            shards: configuration.shards
        )
        let sockets = try ListenSockets(
            at: configuration.address,
            unixPath: configuration.unixPath,
            inherited: configuration.inherited,
            shards: configuration.shards
        )
        (addresses, paths, unixSocket) = (sockets.addresses, sockets.paths, sockets.unixSocket)
        let streamLimiter = StreamLimiter(for: budget.streams, limit: configuration.clientLimit)
        let connectionLimiter = ConnectionLimiter(
            connections: configuration.clientConnections
                ?? .defaultConnections(ofShard: budget.connectionsPerShard),
            connects: configuration.clientConnects
        )
        var inboxes: [ShardInbox] = []
        for _ in sockets.byShard { inboxes.append(try ShardInbox()) }
        self.inboxes = inboxes
        let ended = Latch(count: inboxes.count)
        self.ended = ended

        // All shards are created before any runs, so that a failure is reported here.
        var shards: [Shard] = []
        for (own, inbox) in zip(sockets.byShard, inboxes) {
            shards.append(
                try Shard(
                    listeningOn: own,
                    connections: budget.connectionsPerShard,
                    limits: configuration.connectionLimits.divided(by: configuration.shards),
                    streamLimiter: streamLimiter,
                    connectionLimiter: connectionLimiter,
                    inbox: inbox,
                    application: makeApplication(inbox)
                )
            )
        }
        for (index, shard) in shards.enumerated() {
            do throws(ThreadError) {
                try Thread.start(named: "shard-\(index)") {
                    shard.run()
                    ended.release()
                }
            } catch {
                throw ServerError(error)
            }
        }
    }

    package var address: ListenAddress { addresses[0] }

    /// Returns when every shard has drained its inbox: at once, unless a shard is stuck.
    package func echo() async { _ = await counts() }

    /// Returns the counts of every shard, in their order. Waits for each of them.
    package func counts() async -> [ShardCounts] {
        var counts: [ShardCounts] = []
        for inbox in inboxes {
            await counts.append(withCheckedContinuation { next in inbox.post(.report { next.resume(returning: $0) }) })
        }
        return counts
    }

    package static var libraryVersion: String { String(cString: MHD_get_version()) }

    /// Closes the listening sockets. Open connections and streams are still served. Returns at once.
    package func stopAccepting() {
        for inbox in inboxes { inbox.post(.stopAccepting) }
        unixSocket?.remove()
    }

    /// Stops accepting, ends every stream cleanly and answers pending requests; then `ended` opens.
    ///
    /// Returns at once. The first call counts.
    ///
    /// - Parameter limit: Clients that have not read their farewell by then are disconnected. The time begins when a
    ///   shard starts to drain. A pause of the process does not use it up.
    package func drain(within limit: Duration) {
        for inbox in inboxes { inbox.post(.drain(within: limit)) }
        unixSocket?.remove()
    }

    /// Drains, and returns when all shards have ended.
    package func stop(within limit: Duration) async {
        drain(within: limit)
        await withCheckedContinuation { continuation in ended.whenOpen { continuation.resume() } }
    }
}

/// The division of the process's descriptors. The server rejects clients with a response before the kernel would refuse
/// them without one.
struct DescriptorBudget {
    /// libmicrohttpd's connections per shard: active requests and idle keep-alive connections.
    let connectionsPerShard: Int
    let streams: Int

    /// Descriptors for everything but clients: epoll sets, logs, devices.
    private static let others = 32

    init(descriptors: Int, shards: Int) {
        let reserve = Self.others + max(Self.others, AcceptingSockets.maximumLingering * shards)
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
