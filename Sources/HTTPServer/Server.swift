// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc
import Synchronization
package import Threads

/// HTTP on libmicrohttpd: an address, and shards that serve it. Knows nothing of what it serves.
package final class Server: Sendable {
    package struct Configuration: Sendable {
        package var address: ListenAddress
        /// Where a Unix socket is to be; `nil` for none.
        package var unixPath: String?
        /// What somebody else has opened for us. Addresses among it are served in place of `address`, and files in place of
        /// `unixPath`.
        package var inherited: [InheritedSocket]
        /// Threads; one a core by default.
        package var shards: Int
        /// How many descriptors connections and streams may take; what the process may have, by default.
        package var descriptors: Int?
        /// Event streams and WebSockets.
        package var clientLimit: ClientLimit
        /// Connections that are neither; `nil` for what suits the descriptors.
        package var clientConnections: ClientLimit?
        /// Connects a second, of which twice as many may come at once.
        package var clientConnects: ClientLimit
        package var connectionLimits: ConnectionLimits

        package init(
            address: ListenAddress,
            unixPath: String? = nil,
            inherited: [InheritedSocket] = [],
            shards: Int? = nil,
            descriptors: Int? = nil,
            clientLimit: ClientLimit = .usualStreams,
            clientConnections: ClientLimit? = nil,
            clientConnects: ClientLimit = .usualConnects,
            connectionLimits: ConnectionLimits = ConnectionLimits()
        ) {
            self.address = address
            self.unixPath = unixPath
            self.inherited = inherited
            self.descriptors = descriptors
            self.clientLimit = clientLimit
            self.clientConnections = clientConnections
            self.clientConnects = clientConnects
            self.connectionLimits = connectionLimits
            self.shards = shards ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        }
    }

    /// Where it listens, with the port that was taken if 0 was asked for. At least one.
    package let addresses: [ListenAddress]
    /// Its socket files.
    package let paths: [String]
    private let unixSocket: UnixSocket?
    private let inboxes: [ShardInbox]
    /// Open when every shard has ended.
    package let ended: Latch

    /// Listens and starts serving.
    ///
    /// - Parameter makeApplication: Called once a shard, before its thread starts. The inbox wakes that shard: "there are events".
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
        let room = StreamRoom(for: budget.streams, limit: configuration.clientLimit)
        let clients = ConnectionRoom(
            connections: configuration.clientConnections
                ?? .usualConnections(ofShard: budget.connectionsPerShard),
            connects: configuration.clientConnects
        )
        var inboxes: [ShardInbox] = []
        for _ in sockets.byShard { inboxes.append(try ShardInbox()) }
        self.inboxes = inboxes
        let ended = Latch(count: inboxes.count)
        self.ended = ended

        // All are made before any runs, so that a failure is reported here.
        var shards: [Shard] = []
        for (own, inbox) in zip(sockets.byShard, inboxes) {
            shards.append(
                try Shard(
                    listeningOn: own,
                    connections: budget.connectionsPerShard,
                    limits: configuration.connectionLimits.divided(by: configuration.shards),
                    room: room,
                    clients: clients,
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

    /// The first of its addresses.
    package var address: ListenAddress { addresses[0] }

    /// Returns when every shard has been at its inbox: at once, unless one of them is stuck.
    package func echo() async {
        for inbox in inboxes {
            await withCheckedContinuation { continuation in inbox.post(.echo { _ in continuation.resume() }) }
        }
    }

    /// What every shard has counted, in their order. Waits for each of them.
    package func counts() async -> [ShardCounts] {
        var counts: [ShardCounts] = []
        for inbox in inboxes {
            counts.append(
                await withCheckedContinuation { continuation in inbox.post(.echo { continuation.resume(returning: $0) })
                }
            )
        }
        return counts
    }

    /// The version of libmicrohttpd that is loaded.
    package static var libraryVersion: String { String(cString: MHD_get_version()) }

    /// Closes the listening sockets. Connections and streams that are there are served on. Returns at once.
    package func stopAccepting() {
        for inbox in inboxes { inbox.post(.stopAccepting) }
        unixSocket?.remove()
    }

    /// Stops accepting, ends every stream cleanly, answers what is under way; then `ended` opens. Returns at once; the first
    /// call counts.
    ///
    /// - Parameter limit: Clients that have not taken their end by then are cut off. It counts from when a shard begins, and a
    ///   pause of the process does not use it up.
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
