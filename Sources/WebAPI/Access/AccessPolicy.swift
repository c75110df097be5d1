// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// Who may do what: host names against DNS rebinding, origins against foreign pages, and read-only mode.
///
/// A rebinding attack needs a name, so IP literals and `localhost` are always served.
package struct AccessPolicy: Sendable {
    /// What somebody without a token may do.
    package enum Anonymous: String, Sendable, CaseIterable {
        case read, write
    }

    private let hosts: Set<String>
    private let origins: Set<String>
    private let anonymous: Anonymous
    private let trustsLoopbackPages: Bool
    /// The last `Host` that was found to be served: nearly always the next one too.
    private var servedHost = KeptText("127.0.0.1")

    /// - Parameters:
    ///   - hosts: Names that are served beside IP literals and `localhost`.
    ///   - origins: Origins whose pages may write and stream, such as `https://kiosk.example`.
    ///   - isOnLoopback: The server listens on loopback only; then pages of other local servers may, too.
    package init(hosts: [String], origins: [String], anonymous: Anonymous, isOnLoopback: Bool) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins.map { $0.lowercased() })
        self.anonymous = anonymous
        trustsLoopbackPages = isOnLoopback
    }

    /// What a request may do, once it is let in.
    struct Admission {
        /// The origin that gets CORS fields.
        let allowedOrigin: String?
        /// It comes from a page that may only read, and not even that across origins.
        let isForeign: Bool
    }

    /// The case of most requests, told at once: the host is the last one that was served, and no page is behind it.
    func admitsPlainly(_ request: Request) -> Bool {
        guard let host = request.frequent.host, host == servedHost else { return false }
        return request.frequent.origin == nil
    }

    mutating func admit(_ request: Request) throws(Problem) -> Admission {
        let host = request.frequent.host
        if let host, !(host == servedHost) {
            guard isServed(host.string) else {
                throw Problem(
                    .hostNotServed,
                    "The host \"\(host.string)\" is not served here. The daemon's --allow-host adds it."
                )
            }
            servedHost = KeptText(host.string)
        }
        guard let origin = request.header("Origin") else { return Admission(allowedOrigin: nil, isForeign: false) }
        let isAllowed = isOurs(origin, host: host?.string) || isTrusted(origin)
        return Admission(allowedOrigin: isAllowed ? origin : nil, isForeign: !isAllowed)
    }

    /// Refuses what this request may not do.
    func check(_ admission: Admission, writes: Bool, streams: Bool) throws(Problem) {
        if admission.isForeign, writes || streams {
            throw Problem(
                .foreignOrigin,
                "Pages of this origin may not \(writes ? "change anything" : "open a stream") here. "
                    + "The daemon's --allow-origin lets them."
            )
        }
        if writes { try checkWriting() }
    }

    /// Refuses whoever may only read.
    func checkWriting() throws(Problem) {
        guard anonymous == .read else { return }
        throw Problem(.readOnly, "The daemon was started with --anonymous read. Nothing was changed.")
    }

    private func isServed(_ host: String) -> Bool {
        let name = HostName(host)
        return name.isAddress || name.isLocalhost || hosts.contains(name.text)
    }

    private func isOurs(_ origin: String, host: String?) -> Bool {
        guard let host, let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }

    private func isTrusted(_ origin: String) -> Bool {
        if origins.contains(origin.lowercased()) { return true }
        guard trustsLoopbackPages, let scheme = origin.firstRange(of: "://") else { return false }
        return HostName(String(origin[scheme.upperBound...])).isLoopback
    }
}
