// SPDX-License-Identifier: Apache-2.0

/// A message to or from the broker.
package struct Publication: Hashable, Sendable {
    package var topic: String
    /// The payload. If it is empty and retained, the broker deletes its retained message.
    package var payload: [UInt8]
    /// Whether the broker retains it for later subscribers. In a received message: whether it was retained, and is not
    /// new.
    package var isRetained: Bool
    /// The topic for the response, with the data that identifies its request. MQTT 5 only.
    package var responseTopic: String?
    package var correlation: [UInt8]?
    /// The media type. MQTT 5 only.
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
