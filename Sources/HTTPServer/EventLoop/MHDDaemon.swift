// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
import Glibc

/// An `MHD_Daemon` in external epoll mode, without a thread of its own.
///
/// All calls are on the shard's thread. libmicrohttpd calls back on that thread, inside `run`.
struct MHDDaemon: ~Copyable {
    private let daemon: OpaquePointer
    private let limit: Int
    /// libmicrohttpd's own epoll set. It is readable when `run` has work.
    let descriptor: Int32

    /// Seconds of silence after which a connection is closed.
    private static let idleSeconds: UInt32 = 60

    /// - Parameter shard: Receives the callbacks. It must outlive this value.
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
            Self.connectionChanged,
            Unmanaged.passUnretained(shard).toOpaque()
        )
        guard let daemon else { throw .libraryRefused }
        self.daemon = daemon
        limit = connections
        descriptor = cmhd_epoll_descriptor(daemon)
    }

    /// Performs all pending work without waiting.
    borrowing func run() { MHD_run(daemon) }

    var capacity: Int { max(0, limit - connections) }

    var connections: Int { Int(cmhd_connections(daemon)) }

    /// Adds an accepted connection. libmicrohttpd owns the socket, also when it rejects it.
    ///
    /// - Returns: Whether libmicrohttpd accepts it.
    borrowing func add(_ socket: Int32, from address: UnsafePointer<sockaddr>, length: socklen_t) -> Bool {
        MHD_add_connection(daemon, socket, address, length) == .YES
    }

    /// Milliseconds until `run` must be called again; `nil` if it has to run only when a descriptor is ready.
    borrowing func timeout() -> UInt64? {
        var milliseconds: UInt64 = 0
        return MHD_get_timeout(daemon, &milliseconds) == .YES ? milliseconds : nil
    }

    /// No connection may be suspended: libmicrohttpd would abort the process.
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

    private static let connectionChanged: MHD_NotifyConnectionCallback = { context, connection, watch, what in
        guard let context, let connection, let watch else { return }
        let shard = Unmanaged<Shard>.fromOpaque(context).takeUnretainedValue()
        switch what {
        case .CONNECTION_NOTIFY_STARTED: watch.pointee = shard.watch(connection)
        default: shard.unwatch(watch.pointee)
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
            if strstr(target, "%00") != nil { return ExchangePointer.mark(.cut) }
            // libmicrohttpd unescapes the path before anybody can split it.
            let pathLength = strcspn(target, "?")
            func isInPath(_ match: UnsafeMutablePointer<CChar>?) -> Bool {
                match.map { UnsafePointer($0) - target < pathLength } ?? false
            }
            let isEscaped = isInPath(strstr(target, "%2F")) || isInPath(strstr(target, "%2f"))
            return isEscaped ? ExchangePointer.mark(.slash) : nil
        }
}
