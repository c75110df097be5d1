// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
package import BrightnessCore
import HTTPServer
import Journal

/// What the resources of one shard work with. On that shard's thread.
package final class Backend {
    package struct Configuration: Sendable {
        package var access: AccessPolicy
        /// The display of the shortcuts; `nil` for the first there is.
        package var defaultDisplay: DisplayID?
        /// Reads the clocks, once a request that needs them.
        package var now: @Sendable () -> Moment
        /// Has a viewer while this shard has clients with streams.
        let audience: Audience
        /// The room of simulated displays; `nil` if there is none.
        let simulator: (any Simulator)?
        /// The source of `/metrics`; `nil` to serve none.
        let metrics: DaemonMetrics?
        let writeLimit: WriteLimit
        /// One for all shards.
        let idempotency = IdempotencyStore()

        package init(
            access: AccessPolicy,
            defaultDisplay: DisplayID?,
            audience: Audience,
            simulator: (any Simulator)? = nil,
            metrics: DaemonMetrics? = nil,
            writeLimit: WriteLimit = WriteLimit(),
            now: @escaping @Sendable () -> Moment
        ) {
            self.access = access
            self.defaultDisplay = defaultDisplay
            self.audience = audience
            self.simulator = simulator
            self.metrics = metrics
            self.writeLimit = writeLimit
            self.now = now
        }
    }

    let service: DisplayService
    let source: NotificationSource
    let commands: CommandHandler
    let history: HistoryRecorder
    let configuration: Configuration
    let kept = KeptResponses()
    var longPolls = LongPolls()
    /// Whether the shard takes the hub's events already.
    var takesEvents = false
    private let wake: () -> Void

    /// - Parameter wake: Has the shard take events.
    init(
        _ service: DisplayService,
        source: NotificationSource,
        history: HistoryRecorder,
        configuration: Configuration,
        wake: @escaping () -> Void
    ) {
        self.service = service
        self.source = source
        commands = CommandHandler(service, source, defaultDisplay: configuration.defaultDisplay)
        self.history = history
        self.configuration = configuration
        self.wake = wake
    }

    /// A long poll begins: the mailbox that is opened then has whatever changed since its state was read.
    func awaitEvents() { if !takesEvents { wake() } }

    /// The document of one display, or of all.
    func document(of target: DisplayTarget) throws(Problem) -> [UInt8] {
        guard target == .all else {
            return kept.state(try commands.state(of: target), in: service.epoch).response.body
        }
        let (revision, states) = service.all
        return kept.displays(states, EntityTag(service.epoch, revision)).response.body
    }
}
