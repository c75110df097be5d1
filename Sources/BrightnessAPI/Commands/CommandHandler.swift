// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The command handling that REST, JSON-RPC and MQTT share: finds the displays of a command and checks whether they
/// support it. Any thread.
///
/// It does not check permissions: each transport does that first.
package struct CommandHandler: Sendable {
    private let service: DisplayService
    private let source: NotificationSource
    private let defaultDisplay: DisplayID?

    /// - Parameter defaultDisplay: The display of `DisplayTarget.byDefault`; `nil` for the first one.
    package init(_ service: DisplayService, _ source: NotificationSource, defaultDisplay: DisplayID? = nil) {
        self.service = service
        self.source = source
        self.defaultDisplay = defaultDisplay
    }

    /// Returns the state of one display.
    package func state(of target: DisplayTarget) throws(Problem) -> DisplayState {
        switch target {
        case .byDefault:
            guard let state = defaultDisplay.map({ service.state(of: $0) }) ?? service.first else {
                throw Problem(
                    .displayNotFound,
                    "This daemon has no display. GET /v1/displays lists displays as they are connected."
                )
            }
            return state
        case .all:
            // One state cannot stand for all: GET /v1/displays returns every state.
            throw .displayNotFound("all")
        case .named(let text):
            guard let id = DisplayID(text), let state = service.state(of: id) else { throw .displayNotFound(text) }
            return state
        }
    }

    /// Prepares a command.
    ///
    /// - Throws: A problem if no display matches, or if one of them does not support the command.
    package func execution(
        of command: Command,
        answering kind: CommandExecution.ResponseKind,
        on target: DisplayTarget
    ) throws(Problem) -> CommandExecution {
        let isForAll = target == .all
        let displays = isForAll ? service.all.states : [try state(of: target)]
        return try execution(of: command, answering: kind, on: displays, isForAll: isForAll)
    }

    /// As above, for displays that are known already.
    ///
    /// - Parameter isForAll: The command names `all` displays: the response has one entry per display.
    package func execution(
        of command: Command,
        answering kind: CommandExecution.ResponseKind,
        on displays: [DisplayState],
        isForAll: Bool
    ) throws(Problem) -> CommandExecution {
        // The node of a remote display checks its own light sensors.
        if case .setAutomatic(true, _) = command.action, !source.hasLightSensor,
            displays.contains(where: { $0.kind != .remote })
        {
            throw Problem(
                .noLightSensor,
                "This machine has no light sensor, which automatic brightness requires. Nothing was changed."
            )
        }
        return CommandExecution(command, answering: kind, on: displays.map(\.id), of: service, isForAll: isForAll)
    }
}

/// The display named by a path, a call or a topic.
package enum DisplayTarget: Hashable, Sendable {
    case named(String)
    /// The first display, or the one named at start.
    case byDefault
    /// Every display, for commands that support it.
    case all
}

extension RequestBody {
    /// `display`: the default one if it is omitted.
    package mutating func target() throws(Problem) -> DisplayTarget {
        guard let name = try string("display", length: 1...256) else { return .byDefault }
        return name == "all" ? .all : .named(name)
    }

    /// As above, for commands on one display only: there `all` is an id.
    package mutating func singleTarget() throws(Problem) -> DisplayTarget {
        let target = try target()
        return target == .all ? .named("all") : target
    }
}
