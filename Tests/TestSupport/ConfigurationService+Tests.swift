// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Journal

package struct UTC: TimeZoneRules {
    package init() {}

    package func offset(at second: Int64) -> Int64 { 0 }
}

extension ConfigurationService {
    /// The presets and schedules of these displays. There are none yet.
    package convenience init(of service: DisplayService, _ hub: NotificationHub, groups: DisplayGroups = .none) {
        let journal = JournalWriter(inMemory: .ofThisMachine(), on: ImmediateQueue(), now: { .start })
        let holders = HolderService(
            service,
            [Schedules(SchedulePlanner(UTC()), [])],
            journal: journal,
            on: ImmediateQueue(),
            source: hub.source,
            poster: hub.poster,
            clock: .init(now: { .start }, isSet: { _ in true })
        )
        let presets = PresetService(journal: journal) { hub.poster.put([.presets($0)]) }
        self.init(presets, holders, service, groups: groups, journal: journal)
    }
}
