// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A listening Unix socket. Every process of this machine may connect; the application decides what it may do.
///
/// - SeeAlso: unix(7)
struct UnixSocket {
    let descriptor: Int32
    private let path: String
    private let file: (device: dev_t, number: ino_t)

    /// Creates the socket file. A socket file that an ended daemon left is replaced; no other file is.
    init(at path: String) throws(ServerError) {
        guard let address = SocketAddress(path: path) else { throw .longPath(path) }
        try Self.clear(path, address)
        let socket = Glibc.socket(AF_UNIX, ListenSockets.socketType, 0)
        guard socket >= 0 else { throw .system("socket", errno) }
        var status = stat()
        guard address.withPointer({ bind(socket, $0, $1) }) == 0, chmod(path, 0o666) == 0, lstat(path, &status) == 0,
            listen(socket, ListenSockets.backlog) == 0
        else {
            let code = errno
            close(socket)
            throw code == EADDRINUSE ? .pathInUse(path) : .path(path, code)
        }
        descriptor = socket
        self.path = path
        file = (status.st_dev, status.st_ino)
    }

    private static func clear(_ path: String, _ address: SocketAddress) throws(ServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .noSocket(path) }
        let probe = socket(AF_UNIX, ListenSockets.socketType, 0)
        guard probe >= 0 else { throw .system("socket", errno) }
        defer { close(probe) }
        // A listener that is too busy to answer still counts as a listener.
        guard address.withPointer({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
            throw .pathInUse(path)
        }
        unlink(path)
    }

    /// Removes the file, unless another process has replaced it.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == file.device, status.st_ino == file.number else { return }
        unlink(path)
    }
}
