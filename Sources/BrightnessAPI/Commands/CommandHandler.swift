// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// The command handling that REST, JSON-RPC and MQTT share: finds the displays that a command is for, and checks whether they can
/// carry it out. Any thread.
///
/// It does not ask who sends a command: each transport has decided that before.
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

    /// The state of the one display that is meant.
    package func state(of target: DisplayTarget) throws(Problem) -> DisplayState {
        switch target {
        case .byDefault:
            guard let state = defaultDisplay.map({ service.state(of: $0) }) ?? service.first else {
                throw Problem(.unknownDisplay, "There is no display now.")
            }
            return state
        case .all:
            // Not to be read: GET /v1/displays has them all.
            throw .unknownDisplay("all")
        case .named(let text):
            guard let id = DisplayID(text), let state = service.state(of: id) else { throw .unknownDisplay(text) }
            return state
        }
    }

    /// Prepares a command for the displays that are meant.
    ///
    /// - Throws: A problem if there is no such display, or if one of them cannot carry out the command.
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
    /// - Parameter isForAll: Every display is meant, not one by its name: the answer has one entry a display.
    package func execution(
        of command: Command,
        answering kind: CommandExecution.ResponseKind,
        on displays: [DisplayState],
        isForAll: Bool
    ) throws(Problem) -> CommandExecution {
        // Whether another daemon has a light sensor is for that daemon to report.
        if case .setAutomatic(true, _) = command.action, !source.hasLightSensor,
            displays.contains(where: { $0.kind != .remote })
        {
            throw Problem(.noLightSensor, "There is no light sensor to follow. Nothing was changed.")
        }
        return CommandExecution(command, answering: kind, on: displays.map(\.id), of: service, isForAll: isForAll)
    }
}

/// The display that a path, a call or a topic means.
package enum DisplayTarget: Hashable, Sendable {
    case named(String)
    /// The first display, or the one named at start.
    case byDefault
    /// Every display, for what can be asked of all of them.
    case all
}

extension RequestBody {
    /// `display`: the default one where it is left out.
    package mutating func target() throws(Problem) -> DisplayTarget {
        guard let name = try string("display", length: 1...256) else { return .byDefault }
        return name == "all" ? .all : .named(name)
    }

    /// As above, for what is asked of one display only: there `all` is a name.
    package mutating func singleTarget() throws(Problem) -> DisplayTarget {
        let target = try target()
        return target == .all ? .named("all") : target
    }
}
