// SPDX-License-Identifier: Apache-2.0

extension DisplayService {
    package struct Configuration: Sendable {
        package static let defaultQueueLimit = 1_024

        /// The highest brightness that a lease can reach.
        package var cap = Brightness.full
        /// The duration of a change, for commands without one.
        package var transition = Duration.zero
        /// The curves of displays without one in their settings. Others are linear.
        package var curves: [DisplayID: PanelCurve] = [:]
        package var automatic = AutomaticRules()
        package var tags: [DisplayTag] = []
        /// Whether recorded baselines are in force after a restart of the machine, whatever the firmware or the
        /// system has set.
        package var restoresAtBoot = false
        /// The display of requests that name none; `nil` for the first one.
        package var defaultDisplay: DisplayID?
        /// The leader of each display that follows one.
        package var leaders: [DisplayID: DisplayID] = [:]
        var epoch = Epoch.random()
        /// Stores records across restarts; `nil` keeps them in memory only.
        package var journal: (any DisplayJournal)?
        /// The records of an earlier run; `nil` if some may exist but could not be read.
        package var earlier: [DisplayID: RecoveredRecord]? = [:]
        /// The settings of displays that were not there in an earlier run.
        package var settings: [DisplayID: DisplaySettings] = [:]
        var makeLeaseID: @Sendable () -> LeaseID = { .random() }
        /// The maximum number of commands of clients that wait for one display.
        var queueLimit = Self.defaultQueueLimit
        /// Reads the clocks when a display gets to its commands, which may have waited for its panel; `nil` for the
        /// newest time of the commands.
        package var now: (@Sendable () -> Moment)?

        /// The configuration of a daemon without options and journal.
        package static var standard: Self { Self() }
    }

    /// A panel and the queue for its reads and writes.
    package struct PanelRegistration: Sendable {
        package let panel: any Panel
        package let queue: any JobQueue
        /// Whether an unplugged panel's display is removed. Otherwise it is published as unavailable.
        package let comesAndGoes: Bool

        /// - Parameter queue: By default one for this panel alone.
        package init(_ panel: any Panel, on queue: (any JobQueue)? = nil, comesAndGoes: Bool = false) {
            self.panel = panel
            self.queue = queue ?? SerialQueue("panel.\(panel.id)")
            self.comesAndGoes = comesAndGoes
        }
    }
}

extension DisplayWorker {
    /// The services that all workers share.
    struct Dependencies: Sendable {
        let store: DisplayStateStore
        let poster: NotificationPoster
        let holders: HolderConnections
        /// The light; it `isMissing` if a report came without a value, and not if none has come yet.
        let light: @Sendable () -> (Illuminance?, isMissing: Bool)
        /// Reads the clocks; `nil` for the newest time of the commands.
        let now: (@Sendable () -> Moment)?
        /// The maximum number of waiting commands of clients. The daemon's own are never rejected: at most one of each
        /// chore waits, and a holder's command replaces its earlier ones.
        let queueLimit: Int
        /// `nil` keeps records in memory only.
        let journal: (any DisplayJournal)?
        let makeLeaseID: @Sendable () -> LeaseID
        /// Fires when a display has something to do next.
        let timer = DeadlineTimer()
    }
}
