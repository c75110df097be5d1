// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// Owns one `MHD_Daemon` in external epoll mode: libmicrohttpd without a thread of its own.
///
/// All of it is called on the shard's thread; the callbacks come on that thread, inside `run`.
struct LibraryDaemon: ~Copyable {
    private let daemon: OpaquePointer
    private let limit: Int
    /// libmicrohttpd's own epoll set: level-triggered in ours, "call `run`".
    let descriptor: Int32

    /// Seconds after which a connection that says nothing is closed.
    private static let idleSeconds: UInt32 = 60

    /// - Parameter shard: Must outlive this.
    init(connections: Int, for shard: Shard) throws(ServerError) {
        let flags =
            MHD_USE_EPOLL.rawValue | MHD_USE_TURBO.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_ALLOW_UPGRADE.rawValue
        let daemon = cmhd_start(
            UInt32(flags),
            UInt32(connections),
            RequestLimits.connectionMemory,
            Self.idleSeconds,
            Self.handle,
            Self.completed,
            Self.target,
            Self.cameOrWent,
            Unmanaged.passUnretained(shard).toOpaque()
        )
        guard let daemon else { throw .libraryRefused }
        self.daemon = daemon
        limit = connections
        descriptor = cmhd_epoll_descriptor(daemon)
    }

    /// Does everything that can be done now.
    borrowing func run() { MHD_run(daemon) }

    /// How many connections more it can have.
    var room: Int { max(0, limit - connections) }

    var connections: Int { Int(cmhd_connections(daemon)) }

    /// Takes over an accepted connection, whatever becomes of it.
    borrowing func add(_ socket: Int32, from address: UnsafePointer<sockaddr>, length: socklen_t) {
        MHD_add_connection(daemon, socket, address, length)
    }

    /// Milliseconds until `run` wants to be called again; `nil` if only a descriptor can be the reason.
    borrowing func timeout() -> UInt64? {
        var milliseconds: UInt64 = 0
        return MHD_get_timeout(daemon, &milliseconds) == .YES ? milliseconds : nil
    }

    /// Nothing may be suspended any more: libmicrohttpd would abort.
    deinit { MHD_stop_daemon(daemon) }

    // MARK: Callbacks

    private static let handle: MHD_AccessHandlerCallback = {
        context,
        connection,
        url,
        method,
        version,
        upload,
        uploadSize,
        state in
        guard let context, let connection, let url, let method, let version, let uploadSize, let state else {
            return .NO
        }
        let part = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
        uploadSize.pointee = 0
        let line = RequestLine(method: method, path: url, version: version)
        return Unmanaged<Shard>.fromOpaque(context).takeUnretainedValue().handle(
            connection,
            line: line,
            part: part,
            state: &state.pointee
        )
    }

    private static let completed: MHD_RequestCompletedCallback = { context, connection, state, _ in
        guard let context, let connection, let state else { return }
        Unmanaged<Shard>.fromOpaque(context).takeUnretainedValue().completed(connection, &state.pointee)
    }

    private static let cameOrWent: MHD_NotifyConnectionCallback = { context, connection, watch, what in
        guard let context, let connection, let watch else { return }
        let shard = Unmanaged<Shard>.fromOpaque(context).takeUnretainedValue()
        switch what {
        case .CONNECTION_NOTIFY_STARTED: watch.pointee = shard.watch(connection)
        default: shard.left(watch.pointee)
        }
    }

    private static let target:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { _, target, _ in
            guard let target, strnlen(target, RequestLimits.target + 1) <= RequestLimits.target else {
                return ExchangePointer.mark(.long)
            }
            if strchr(target, Int32(UInt8(ascii: " "))) != nil { return ExchangePointer.mark(.spaced) }
            return strstr(target, "%00") == nil ? nil : ExchangePointer.mark(.cut)
        }
}
