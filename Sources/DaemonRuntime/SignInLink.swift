// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
package import HTTPServer
import Support
package import WebAPI

/// A link to the dashboard that signs a browser in with a token of the token file.
///
/// The secret is in the link's fragment, which browsers do not send to a server.
package struct SignInLink: Sendable {
    package let text: String
    /// Whether only this machine can open it.
    package let isLocal: Bool

    package enum Failure: Error, CustomStringConvertible {
        case noFile
        case file(TokenFile, TokenFileError)
        case unknown(String, among: [String])
        case digestOnly(String)

        package var description: String {
            switch self {
            case .noFile:
                "there is no token file: name it with --token-file or BRIGHTNESSD_TOKEN_FILE"
            case .file(let file, let error):
                "cannot use \(file.path): \(error)"
            case .unknown(let name, let names):
                "the token file has no token \"\(name.plain(upTo: 64))\"; it has \(Suggestion.list(names))"
            case .digestOnly(let name):
                "the token file has only the digest of \"\(name)\", which does not give its secret away: write the "
                    + "link as URL/#token=SECRET"
            }
        }
    }

    /// - Parameters:
    ///   - file: The token file; `nil` if none is configured.
    ///   - base: The dashboard's URL, such as that of a proxy; `nil` for that of `address`.
    package init(
        for name: String,
        in file: TokenFile?,
        at address: ListenAddress,
        base: String? = nil
    ) throws(Failure) {
        guard let file else { throw .noFile }
        let secrets = try Result { () throws(TokenFileError) in try file.secrets() }
            .mapError { Failure.file(file, $0) }.get()
        guard let token = secrets.first(where: { $0.name == name }) else {
            throw .unknown(name, among: secrets.map(\.name))
        }
        guard let secret = token.secret else { throw .digestOnly(name) }
        let named = address.isLoopback ? "localhost" : address.urlHost
        let own = address.isEvery ? (Self.ownAddress ?? "localhost") : named
        var url = base ?? "http://\(own):\(address.port)"
        while url.hasSuffix("/") { url.removeLast() }
        text = "\(url)/#token=\(secret.percentEncoded())"
        isLocal = base == nil && own == "localhost"
    }

    /// The first IPv4 address of this machine that other machines may reach; `nil` without one.
    private static var ownAddress: String? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            let isUsable =
                entry.ifa_flags & UInt32(IFF_UP) != 0
                && entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            guard isUsable, let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else {
                continue
            }
            if let host = numericHost(of: address, socklen_t(MemoryLayout<sockaddr_in>.size)) { return host }
        }
        return nil
    }
}
