// SPDX-License-Identifier: Apache-2.0

/// Another daemon whose displays this one mirrors.
package struct NodeState: Hashable, Sendable {
    package let name: String
    /// The topic that all its messages are below, which no other node has.
    package let topic: String
    /// `nil` until it is known.
    package let version: String?
    /// `nil` while that is unknown: the broker cannot be reached, or has not sent it yet.
    package let isOnline: Bool?
    /// When that was noticed; it may have been so for longer.
    package let since: Timestamp

    package init(name: String, topic: String, version: String?, isOnline: Bool?, since: Timestamp) {
        (self.name, self.topic, self.version) = (name, topic, version)
        (self.isOnline, self.since) = (isOnline, since)
    }
}
