// SPDX-License-Identifier: Apache-2.0

/// How ESPHome's web server calls the light sensor: what follows `/sensor/` in its URL.
///
/// Until its version 2026.1 that was the object id; then both, and in 2026.8 only the name is left.
enum SensorName: String, CaseIterable {
    case objectID = "ambient_light"
    case name = "Ambient Light"
}
