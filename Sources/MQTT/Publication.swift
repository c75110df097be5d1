// SPDX-License-Identifier: Apache-2.0

/// One message, to the broker or from it.
package struct Publication: Hashable, Sendable {
    package var topic: String
    /// Empty and retained: the broker forgets what it has there.
    package var payload: [UInt8]
    /// Kept by the broker for those who come. On what comes in: it was kept, and is not new.
    package var isRetained: Bool
    /// Where an answer is wanted, with what the asker tells its answers apart by. MQTT 5 only.
    package var responseTopic: String?
    package var correlation: [UInt8]?
    /// A media type. MQTT 5 only.
    package var contentType: String?

    package init(
        _ topic: String,
        _ payload: [UInt8],
        isRetained: Bool = false,
        responseTopic: String? = nil,
        correlation: [UInt8]? = nil,
        contentType: String? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.responseTopic = responseTopic
        self.correlation = correlation
        self.contentType = contentType
    }
}
