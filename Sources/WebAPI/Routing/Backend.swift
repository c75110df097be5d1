// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import HTTPServer
import Journal

/// The services behind the resources of one shard. On that shard's thread.
package final class Backend {
    package struct Configuration: Sendable {
        var access: AccessPolicy
        /// Everything that people have set.
        let saved: ConfigurationService
        /// The room of simulated displays; `nil` if there is none.
        package var simulator: (any Simulator)?
        /// The displays that clients provide; `nil` to accept none.
        package var provided: (any ProvidedDisplays)?
        let lightReports: LightReports
        /// The window for the key of Home Assistant; `nil` without a server for it.
        package var keyWindow: (any KeyWindow)?
        /// The source of `/metrics`; `nil` to serve none.
        package var metrics: DaemonMetrics?
        package var writeLimit = WriteLimit()
        /// Logs what the operator should know.
        package var warn: @Sendable (String) -> Void = { _ in }
        /// One for all shards.
        let sharedResponses = SharedResponses()
        var largeCommands = LargeCommands()

        package init(access: AccessPolicy, saved: ConfigurationService, lightReports: LightReports) {
            (self.access, self.saved, self.lightReports) = (access, saved, lightReports)
        }
    }

    let surface: Surface
    let commands: CommandHandler
    let history: HistoryRecorder
    let configuration: Configuration
    let cache = CachedResponses()
    var longPolls = LongPolls()
    let turn = CommandTurn()
    /// Whether the shard receives the hub's events.
    var receivesEvents = false
    private let wake: () -> Void

    /// - Parameter wake: Makes the shard receive events.
    init(_ surface: Surface, history: HistoryRecorder, configuration: Configuration, wake: @escaping () -> Void) {
        (self.surface, commands, self.history) = (surface, surface.handler, history)
        (self.configuration, self.wake) = (configuration, wake)
    }

    var service: DisplayService { surface.service }
    var source: NotificationSource { surface.source }

    /// Logs a refused request.
    ///
    /// - Parameter request: Such as its method and path, without the query, which may have a token.
    func log(_ problem: Problem, _ request: @autoclosure () -> String) {
        surface.logRefusal?(problem.logText(request()))
    }

    /// Starts receiving events for a long poll. The new mailbox has every change since the state was read.
    func awaitEvents() { if !receivesEvents { wake() } }

    /// The maximum number of displays about which a shard makes a document itself.
    static let fewDisplays = 32

    /// Whether a document about this target is made on another thread.
    ///
    /// - Parameter limit: The maximum number of displays about which a shard makes the document itself.
    func isLarge(_ target: DisplayTarget, beyond limit: Int = Backend.fewDisplays) -> Bool {
        switch target {
        case .all, .group: service.count > limit
        case .named, .defaultDisplay: false
        }
    }

    /// Returns the document of one display, or of several.
    ///
    /// - Parameter revision: The newest one before the displays of the target were read.
    func document(of target: DisplayTarget, _ displays: TargetDisplays, at revision: Revision) -> ArraySlice<UInt8> {
        if !displays.isList, let state = displays.states.first {
            // Without the newline at the end of a body.
            return cache.state(state, in: service.epoch).response.body.dropLast()
        }
        guard target == .all else {
            return DisplayState.list(displays.states, at: revision, in: service.epoch)[...]
        }
        let (newest, states) = service.all
        return cache.displays(states, EntityTag(service.epoch, newest)).response.body.dropLast()
    }
}

extension Problem {
    /// The line of the log: `PUT /v1/brightness: 422 invalid-body: …`.
    func logText(_ request: String) -> String { "\(request): \(type.status) \(type.rawValue): \(detail)" }
}

extension Request {
    /// The request in a line of the log. Without the query, which may have a token.
    var logText: String { "\(method.rawValue) \(path.plain(upTo: 128))" }
}
