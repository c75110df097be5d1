// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Load

/// The available peers. The peers in C are built with this program; missing ones are left out.
struct Peers {
    let handler: MHDMinimal
    private let seen: Rehearsal
    private let directory: String
    private let nginx: [StreamCrowd.Kind: Nginx]
    private let hummingbird: Hummingbird?
    /// nginx with a constant answer.
    let constant: [any StatePeer]
    /// The missing peers, with the reason.
    let missing: [String]

    /// - Parameter directory: For nginx's configurations.
    init(_ seen: Rehearsal, in directory: String) throws {
        self.seen = seen
        self.directory = directory
        handler = MHDMinimal(in: Paths.programs, document: seen.document)
        for program in ["epoll-limit", "mhd-minimal"] {
            try Paths.requireProgram(Paths.programs + "/" + program, remedy: "make bench builds it")
        }
        var missing: [String] = []
        if Nginx.isInstalled {
            nginx = [
                .events: try Nginx(named: "Nchan", in: directory, .events, event: seen.event),
                .webSockets: try Nginx(named: "Nchan", in: directory, .webSockets, event: seen.message),
            ]
            constant = [try Nginx(named: "nginx return 200", in: directory, document: seen.document)]
        } else {
            (nginx, constant) = ([:], [])
            missing.append("nginx with Nchan is missing: it is left out (scripts/setup bench)")
        }
        let hummingbird = Hummingbird(in: Paths.package, event: seen.event)
        let isBuilt = FileManager.default.isExecutableFile(atPath: hummingbird.command[0])
        self.hummingbird = isBuilt ? hummingbird : nil
        if !isBuilt { missing.append("Hummingbird is not built: it is left out (make bench builds it)") }
        self.missing = missing
    }

    func epoll(_ kind: StreamCrowd.Kind) -> EpollLimit {
        EpollLimit(in: Paths.programs, kind, event: kind == .events ? seen.event : seen.message)
    }

    /// The peers that need fewer rounds, since no bound is near them.
    func slow(_ kind: StreamCrowd.Kind) -> [(peer: any EventPeer, isSlow: Bool)] {
        var peers: [(peer: any EventPeer, isSlow: Bool)] = []
        if let nginx = nginx[kind] { peers.append((nginx, true)) }
        if kind == .events, let hummingbird { peers.append((hummingbird, true)) }
        return peers
    }
}
