// SPDX-License-Identifier: Apache-2.0

extension Resource {
    static let all = parts.flatMap { $0 }

    private static let parts: [[Resource]] = [
        [index, displays, display, groups, group], brightness, power, leases, restore, auto, [settings],
        schedules, [location], presets, [configuration], ambient,
        [activity, events, webSocket, caller, simulator], history, [catalog, nodes, liveness, readiness, metrics],
        lightSensor, [keyWindow], assets, problems,
    ]
}
