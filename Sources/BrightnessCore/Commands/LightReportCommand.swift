// SPDX-License-Identifier: Apache-2.0

/// A reading of a remote sensor, as a client sends it.
package struct LightReportCommand: Equatable {
    /// The time for which a reading counts if the client names none.
    private static let defaultTTL = 300.0
    /// A day, in seconds.
    private static let longestTTL = 86_400.0

    private let illuminance: Illuminance
    private let ttl: Duration

    /// `PUT /v1/ambient/{name}`. Shapes and limits are those of `openapi.yaml`.
    package init(from body: consuming RequestBody) throws(Problem) {
        let lux = try body.number("illuminance", in: 0...Illuminance.brightest).flatMap { Illuminance(lux: $0) }
        let ttl = try body.number("ttl", in: 1...Self.longestTTL) ?? Self.defaultTTL
        illuminance = try body.end(requiring: lux, "illuminance", "illuminance is required, in lux, such as 3.2.")
        self.ttl = .seconds(ttl)
    }

    /// Reads an MQTT message: a number in lux, or the body of the request.
    package init(fromMessage payload: [UInt8]) throws(Problem) {
        guard payload.count <= JSONDocument.defaultLongest else { throw .bodyTooLarge() }
        let members: [String: JSONValue]
        switch try? JSONValue.parse(payload) {
        case .number(let lux): members = ["illuminance": .number(lux)]
        case .object(let object): members = object
        default:
            throw Problem(
                .invalidJSON,
                "A reading is a number in lux, such as 3.2, or a JSON object, such as "
                    + "{\"illuminance\":3.2,\"ttl\":60}."
            )
        }
        try self.init(from: RequestBody(params: members, by: nil))
    }

    package func execute(on reports: LightReports, _ name: SensorName, at now: Instant) throws(Problem) {
        guard reports.put(illuminance, of: name, for: ttl, at: now) else {
            throw .retry(
                .serverLimitReached,
                "The daemon has readings of \(LightReports.limit) names, the maximum. Remove one, or wait until one "
                    + "ends. Nothing was changed.",
                after: 60
            )
        }
    }
}

extension LightReport {
    /// Reads the name in the path or topic.
    package static func name(_ text: String) throws(Problem) -> SensorName {
        guard let name = SensorName(text) else {
            throw Problem(
                .invalidBody,
                "A sensor's name has 1 to 64 letters, digits, \"_\", \".\" and \"-\". Nothing was changed."
            )
        }
        return name
    }
}
