// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Every resource of the API.
    static let all: [Resource] =
        [displays, display, lease, caller, ambient, simulator, events, history, webSocket]
        + brightness + boosts + restore + auto
        + [liveness, readiness, metrics]
        + lightSensor + assets + problems
}
