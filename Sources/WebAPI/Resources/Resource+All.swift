// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// Every resource there is.
    static let all: [Resource] =
        [displays, display, lease, caller, ambient, simulator, events, history, webSocket]
        + brightness + boosts + restore + auto
        + [liveness, readiness, metrics]
        + lightSensor + assets + problems
}
