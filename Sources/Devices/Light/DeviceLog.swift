// SPDX-License-Identifier: Apache-2.0

/// Decides which lines about a device are logged: why it has no reading, once for each reason, and when it has one.
///
/// A connection that is lost and made again while the last reading still counts is not worth a line.
struct DeviceLog {
    enum Line: Equatable {
        case reads
        case fails(String)
    }

    private var hasReading = false
    /// The newest reason.
    private var trouble: String?
    /// The reasons that were logged since the last reading.
    private var logged: Set<String> = []
    /// The maximum number of reasons that are logged. A device chooses part of their text, so there is no end of them.
    private static let limit = 8

    mutating func noteReading() -> Line? {
        trouble = nil
        defer { (hasReading, logged) = (true, []) }
        return hasReading ? nil : .reads
    }

    mutating func noteFailure(_ reason: String) -> Line? {
        trouble = reason
        return line()
    }

    /// Notes that the reading does not count any longer.
    mutating func noteSilence() -> Line? {
        guard hasReading else { return nil }
        hasReading = false
        trouble = trouble ?? "it has sent no reading for \(DeviceSensor.silence.components.seconds) s"
        return line()
    }

    private mutating func line() -> Line? {
        guard !hasReading, let trouble, logged.count < Self.limit, logged.insert(trouble).inserted else { return nil }
        return .fails(trouble)
    }
}
