// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Short descriptions of notifications for failed expectations; equality still compares everything.
extension BrightnessCore.Notification: CustomDebugStringConvertible {
    package var debugDescription: String {
        switch self {
        case .state(let state): "state(\(state.id), \(state.brightness.fraction), #\(state.revision.number))"
        case .lease(let event, let revision):
            "\(event.change)(\(event.lease.id.text) on \(event.lease.display), #\(revision.number))"
        case .ambient(let ambient): "ambient(\(ambient.illuminance?.lux as Any))"
        case .display(let id, let change, let revision): "\(change)(\(id), #\(revision.number))"
        case .broker(let health): "broker(\(health))"
        case .homeAssistant(let health): "homeAssistant(\(health.clients), \(health.refused))"
        case .audience(let isPresent): "audience(\(isPresent))"
        case .following(let isFollowing): "following(\(isFollowing))"
        case .presence(let isNear): "presence(\(isNear))"
        case .journal(let health): "journal(\(health))"
        case .schedules(let report): "schedules(\(report.schedules.map(\.schedule.name.text)))"
        case .presets(let presets): "presets(\(presets.map(\.name.text)))"
        case .health(let health): "health(\(health))"
        case .simulator(let room): "simulator(\(String(describing: room)))"
        case .defaultDisplay(let id): "default(\(String(describing: id)))"
        case .node(let topic, let node): "node(\(topic), \(String(describing: node)))"
        case .failure(let id, let error): "failure(\(id), \(error))"
        case .notice(let notice): "notice(\(notice))"
        default: "\(kind)"
        }
    }
}
