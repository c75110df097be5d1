// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Every resource of the API.
    static let all: [Resource] =
        [displays, display, caller, ambient, simulator, events, history, webSocket]
        + brightness + power + leases + restore + auto
        + [liveness, readiness, metrics]
        + lightSensor + assets + problems
}
