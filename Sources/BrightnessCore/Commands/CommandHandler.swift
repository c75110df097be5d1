// SPDX-License-Identifier: Apache-2.0
import Support

/// The command handling that REST, JSON-RPC and MQTT share: finds the displays of a command and checks whether they
/// support it. Any thread.
///
/// It does not check permissions: each transport does that first.
package struct CommandHandler: Sendable {
    private let service: DisplayService
    private let source: NotificationSource
    private let groups: DisplayGroups

    package init(
        _ service: DisplayService,
        _ source: NotificationSource,
        groups: DisplayGroups = .none
    ) {
        self.service = service
        self.source = source
        self.groups = groups
    }

    package func state(of target: DisplayTarget) throws(Problem) -> DisplayState {
        switch target {
        case .defaultDisplay:
            guard let state = service.defaultState else {
                throw Problem(
                    .displayNotFound,
                    "This daemon has no display. GET /v1/displays lists displays as they are connected."
                )
            }
            return state
        case .all:
            // One state cannot stand for all: GET /v1/displays returns every state.
            throw .displayNotFound("all")
        case .group(let name):
            throw .displayNotFound(name)
        case .named(let text):
            guard let id = DisplayID(text), let state = service.state(of: id) else { throw .displayNotFound(text) }
            return state
        }
    }

    package func displays(of target: DisplayTarget) throws(Problem) -> TargetDisplays {
        switch target {
        case .all: return TargetDisplays(states: service.all.states, isList: true)
        case .group(let name):
            let selector = try group(name).selector
            return TargetDisplays(states: service.all.states.filter(selector.includes), isList: true)
        case .named, .defaultDisplay: return TargetDisplays(states: [try state(of: target)], isList: false)
        }
    }

    /// Returns the displays of a target that a limited caller may change.
    ///
    /// - Parameter limit: The displays that the caller may change; `nil` for every display.
    /// - Throws: A problem if the caller may not change the display, or no display of the group.
    package func displays(of target: DisplayTarget, within limit: DisplaySelector?) throws(Problem) -> TargetDisplays {
        let displays = try displays(of: target)
        guard let limit else { return displays }
        let states = displays.states.filter(limit.includes)
        if states.isEmpty, target != .all, let first = displays.states.first {
            let name = if case .group(let name) = target { "any display of the group \(name)" } else { "\(first.id)" }
            throw .outsideLimit(limit, "may not change \(name)")
        }
        return TargetDisplays(states: states, isList: displays.isList)
    }

    package func ownDisplay(_ text: String) throws(Problem) -> TargetDisplays {
        let state = try state(of: .named(text))
        guard state.kind != .remote else { throw .displayNotFound(text) }
        return TargetDisplays(states: [state], isList: false)
    }

    package var ownDisplays: TargetDisplays { TargetDisplays(states: service.own, isList: true) }

    /// Returns these displays of this machine. Others are reported as not found.
    package func ownDisplays(_ ids: [DisplayID]) -> TargetDisplays {
        var (states, missing): ([DisplayState], [DisplayID]) = ([], [])
        var seen: Set<DisplayID> = []
        for id in ids where seen.insert(id).inserted {
            if let state = service.state(of: id), state.kind != .remote {
                states.append(state)
            } else {
                missing.append(id)
            }
        }
        return TargetDisplays(states: states, missing: missing, isList: true)
    }

    package func group(_ name: String) throws(Problem) -> DisplayGroup {
        if let group = groups[name] { return group }
        throw .unknown("group", name, among: groups.all.map(\.name.text), "GET /v1/groups lists every group.")
    }

    /// Prepares a command.
    ///
    /// - Throws: A problem if one of the displays does not support the command.
    package func execution(of command: Command, on displays: TargetDisplays) throws(Problem) -> CommandExecution {
        let (command, displays) = try resolved(command, on: displays)
        // The node of a remote display checks its own light sensors.
        if case .setAutomatic(true, _) = command.action, !source.hasLightSensor,
            displays.states.contains(where: { $0.kind != .remote })
        {
            throw Problem(
                .noLightSensor,
                "This machine has no light sensor, which automatic brightness requires. Nothing was changed."
            )
        }
        if displays.isList { try checkRoom(for: command, on: displays.states) }
        return CommandExecution(command, on: displays, of: service)
    }

    /// Looks up the values of a preset, and leaves out displays without one.
    private func resolved(
        _ command: Command,
        on displays: TargetDisplays
    ) throws(Problem) -> (Command, TargetDisplays) {
        guard case .apply(var request) = command.action, case .named(let name) = request.source else {
            return (command, displays)
        }
        let preset = try preset(name.text)
        var (values, states): ([DisplayID: PresetValue], [DisplayState]) = ([:], [])
        for state in displays.states {
            guard let value = preset.value(for: state, among: groups) else { continue }
            values[state.id] = value
            states.append(state)
        }
        guard !states.isEmpty else {
            throw Problem(
                .displayNotFound,
                "The preset \"\(preset.name.text)\" has no value for a display that is here now. Nothing was changed."
            )
        }
        request.source = .values(values)
        var command = command
        command.action = .apply(request)
        command.reason = command.reason ?? preset.name.text
        return (command, TargetDisplays(states: states, missing: displays.missing, isList: displays.isList))
    }

    /// The presets, in the order of their names.
    package var presets: [Preset] {
        guard case .presets(let presets)? = source.retained(.presets) else { return [] }
        return presets
    }

    package func preset(_ text: String) throws(Problem) -> Preset {
        let known = presets
        if let name = ResourceName(text), let preset = known.first(where: { $0.name == name }) { return preset }
        throw .unknown("preset", text, among: known.map(\.name.text), "GET /v1/presets lists every preset.")
    }

    /// Rejects a command for many displays as a whole: the same problem of each would cost as much as an answer.
    private func checkRoom(for command: Command, on displays: [DisplayState]) throws(Problem) {
        guard let first = displays.first(where: { $0.kind == .remote }) else { return }
        let count = displays.count { $0.kind == .remote }
        if service.hasRoom(for: count, onConnectionOf: first.id, of: command.principal) { return }
        throw .retry(
            .serverLimitReached,
            "Too many commands for displays of other daemons are under way. Nothing was changed.",
            after: 1
        )
    }
}

/// The displays named by a path, a call or a topic.
package enum DisplayTarget: Hashable, Sendable {
    case named(String)
    /// The first display, or the one named at start.
    case defaultDisplay
    /// Every display, for commands that support it.
    case all
    /// The displays of a group, for commands that support all.
    case group(String)
}

/// The present displays of a target.
package struct TargetDisplays: Sendable {
    package let states: [DisplayState]
    /// Named displays that do not exist.
    private(set) var missing: [DisplayID] = []
    /// Whether a response has one entry per display.
    package let isList: Bool
}

extension Problem {
    /// The problem of a name that nothing has.
    ///
    /// - Parameter advice: The sentence for a name that is not similar to a known one.
    package static func unknown(
        _ kind: String,
        _ name: String,
        among known: [String],
        _ advice: String? = nil
    ) -> Problem {
        let question = Suggestion.nearest(to: name, among: known).map { "Did you mean \"\($0)\"?" }
        let more = (question ?? advice).map { " \($0)" } ?? ""
        return Problem(.notFound, "No \(kind) has the name \"\(name.plain(upTo: 64))\".\(more)")
    }

    /// The problem of a caller who may change some displays only.
    ///
    /// - Parameter refusal: Such as `may not change DP-1`.
    package static func outsideLimit(_ limit: DisplaySelector, _ refusal: String) -> Problem {
        let text = limit.description
        let shown = text.utf8.count > 256 ? "some displays" : text
        return Problem(.forbidden, "The token is limited to \(shown), and \(refusal). Nothing was changed.")
    }
}

extension RequestBody {
    /// `display` or `group`.
    ///
    /// - Parameter defaultTarget: The displays if both are omitted.
    package mutating func target(orElse defaultTarget: DisplayTarget = .defaultDisplay) throws(Problem) -> DisplayTarget
    {
        let name = try string("display", length: 1...256)
        guard let group = try string("group", length: 1...32) else {
            guard let name else { return defaultTarget }
            return name == "all" ? .all : .named(name)
        }
        if name != nil { try reject("group", "Send only one of display and group.") }
        return .group(group)
    }

    /// As above, for commands on one display only: there `all` is an id.
    package mutating func singleTarget() throws(Problem) -> DisplayTarget {
        guard let name = try string("display", length: 1...256) else { return .defaultDisplay }
        return .named(name)
    }
}
