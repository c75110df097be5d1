// SPDX-License-Identifier: Apache-2.0

import Load

/// A handler in C on libmicrohttpd that does nothing but answer: what hosting on that library costs at the least.
struct MHDMinimal: StatePeer, ChangePeer {
    let name = "mhd-minimal"
    let command: [String]
    let state = Request("GET", "/v1/displays/simulated", accept: "application/json")
    /// Has no body, and is answered without one.
    let changes = [Request("POST", "/", body: [])]

    /// `document` is the daemon's own, so that both answer with as many bytes.
    init(in directory: String, document: DocumentShape) {
        command = [directory + "/mhd-minimal", "\(document.length)", document.contentType]
    }
}

/// The properties of a document that matter for sending it.
struct DocumentShape: Sendable {
    let length: Int
    let contentType: String

    /// About the daemon's, for runs without the daemon.
    static let example = DocumentShape(length: 330, contentType: "application/json")
}
