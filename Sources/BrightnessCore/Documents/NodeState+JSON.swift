// SPDX-License-Identifier: Apache-2.0

/// The document of `node` events, and in `GET /v1/nodes`.
extension NodeState: Document {
    package func write(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("topic", topic)
        json.member("version", version)
        json.member("online", optional: isOnline)
        json.member("since", since)
    }
}
